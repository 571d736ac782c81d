import { Image as ImageIcon, RotateCcw, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { canMoveHere, type Upload } from '#gallery/api/uploads/upload.ts'
import { useUploads } from '#gallery/api/uploads/upload-store.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { useFileSource } from '#gallery/ui/files/use-file-source.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'
import { inTrayOrder } from './tray-order.ts'

/** The list of all files in the queue. Only visible rows are rendered. */
export function UploadList() {
  const uploads = inTrayOrder(useUploads())
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualList({
    count: uploads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => UPLOAD_ROW_HEIGHT,
    getItemKey: (index) => uploads[index]?.uploadId ?? index,
    overscan: 4,
  })
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the list.
      tabIndex={0}
      className="max-h-72 overflow-y-auto overscroll-contain outline-offset-[-2px]"
    >
      <ul aria-label="Files" className="relative" style={{ height: rows.totalPx }}>
        {rows.items.map(({ index, key, start }) => {
          const upload = uploads[index]
          return (
            upload && (
              <li
                key={key}
                aria-setsize={uploads.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: UPLOAD_ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <UploadRow upload={upload} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

/** Fixed row height in pixels, so that thousands of rows need not be measured. */
const UPLOAD_ROW_HEIGHT = 56

function UploadRow({ upload }: { upload: Upload }) {
  const { uploads } = useGallery()
  const { uploadId, fileName, folder, status, canRetry } = upload
  const path = folder === '' ? fileName : `${folder}/${fileName}`
  return (
    <div className="flex h-full items-center gap-3 px-4">
      <UploadThumbnail upload={upload} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-sm" title={path}>
          {fileName}
        </p>
        <UploadState upload={upload} />
        {status === 'sending' && (
          <div className="mt-1 h-0.5 overflow-hidden rounded-full bg-sunken">
            <div
              className="h-full bg-accent"
              style={{ width: `${(100 * upload.sentBytes) / Math.max(1, upload.bytes)}%` }}
            />
          </div>
        )}
      </div>
      {(status === 'cancelled' || (status === 'failed' && canRetry)) && (
        <IconButton
          label={`Retry ${fileName}`}
          icon={RotateCcw}
          onClick={() => uploads.retry([uploadId])}
        />
      )}
      {status === 'known' && (
        <>
          {canMoveHere(upload) && (
            <Button
              tone="quiet"
              aria-label={`Move the existing ${fileName} to ${upload.target.label}`}
              title={`Move the existing image to ${upload.target.label}`}
              onClick={() => uploads.moveExistingImages([upload])}
            >
              Move here
            </Button>
          )}
          <Button
            tone="quiet"
            aria-label={`Keep both of ${fileName}`}
            onClick={() => uploads.uploadDuplicates([uploadId])}
          >
            Keep both
          </Button>
          <IconButton
            label={`Skip ${fileName}`}
            icon={X}
            onClick={() => uploads.skipDuplicates([uploadId])}
          />
        </>
      )}
      {(status === 'waiting' || status === 'sending') && (
        <IconButton
          label={`Cancel ${fileName}`}
          icon={X}
          onClick={() => uploads.cancel([uploadId])}
        />
      )}
    </div>
  )
}

function UploadState({ upload }: { upload: Upload }) {
  const { status, reason, sentBytes, bytes, target } = upload
  if (status === 'failed') {
    return (
      <p className="truncate text-danger text-xs" title={reason ?? undefined}>
        {reason}
      </p>
    )
  }
  const progress = `${formatBytes(sentBytes)} of ${formatBytes(bytes)}`
  const labels = {
    waiting: `Waiting · ${sentBytes > 0 ? progress : formatBytes(bytes)}`,
    sending: progress,
    processing: 'Processing',
    done: `In ${isolated(target.label)}`,
    known: reason,
    cancelled: 'Canceled',
  }
  return (
    <p
      className="truncate text-muted text-xs tabular-nums"
      title={status === 'known' ? (reason ?? undefined) : undefined}
    >
      {labels[status]}
    </p>
  )
}

/** In bytes. Decoding a larger file for a preview of 40 px is too expensive. */
const MAX_PREVIEWED_BYTES = 12_000_000

/** Time that a row stays before it shows its file, in milliseconds. Thousands of rows pass while small files go up. */
const REST_MS = 300

/** Thumbnail of an upload: the server's if available, else a preview of the local file. */
function UploadThumbnail({ upload }: { upload: Upload }) {
  const { uploads } = useGallery()
  const { uploadId, thumbnailUrl, bytes, status } = upload
  const [isResting, setResting] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  const isLocal = thumbnailUrl === null && status !== 'failed'
  const hasPreview = isLocal && isResting && bytes <= MAX_PREVIEWED_BYTES
  const file = hasPreview ? uploads.store.files.get(uploadId) : undefined
  const [broken, setBroken] = useState<string | File | undefined>(undefined)
  const picture = thumbnailUrl ?? file
  const isDrawn = picture !== undefined && picture !== broken
  const showFile = useFileSource(file)
  const Icon = status === 'failed' ? TriangleAlert : ImageIcon
  const colours = status === 'failed' ? 'bg-danger-soft text-danger' : 'bg-sunken text-muted'
  return (
    <span
      className={`flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-sm ${colours}`}
    >
      {isDrawn ? (
        <img
          ref={showFile}
          src={thumbnailUrl ?? undefined}
          alt=""
          decoding="async"
          draggable={false}
          className="size-full object-cover"
          onError={() => setBroken(picture)}
        />
      ) : (
        <Icon aria-hidden size={18} strokeWidth={1.5} />
      )}
    </span>
  )
}
