import { RotateCcw, X } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import { formatBytes } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { isolated } from '#gallery/ui/names.ts'
import { canMoveHere, type Upload } from './upload.ts'
import {
  existingMoved,
  uploadsCancelled,
  uploadsDoubled,
  uploadsRetried,
  uploadsSkipped,
} from './upload-actions.ts'
import { UploadThumbnail } from './upload-thumbnail.tsx'

/** Pixels, so that thousands of rows need not be measured. */
export const UPLOAD_ROW_HEIGHT = 56

/** One file in the tray. */
export function UploadRow({ upload }: { upload: Upload }) {
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
          onClick={() => uploadsRetried([uploadId])}
        />
      )}
      {status === 'known' && (
        <>
          {canMoveHere(upload) && (
            <Button
              tone="quiet"
              aria-label={`Move the existing ${fileName} to ${upload.target.label}`}
              title={`Move the existing image to ${upload.target.label}`}
              onClick={() => existingMoved([upload])}
            >
              Move here
            </Button>
          )}
          <Button
            tone="quiet"
            aria-label={`Keep both of ${fileName}`}
            onClick={() => uploadsDoubled([uploadId])}
          >
            Keep both
          </Button>
          <IconButton
            label={`Skip ${fileName}`}
            icon={X}
            onClick={() => uploadsSkipped([uploadId])}
          />
        </>
      )}
      {(status === 'waiting' || status === 'sending') && (
        <IconButton
          label={`Cancel ${fileName}`}
          icon={X}
          onClick={() => uploadsCancelled([uploadId])}
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
  const words = {
    waiting: `Waiting · ${formatBytes(bytes)}`,
    sending: `${formatBytes(sentBytes)} of ${formatBytes(bytes)}`,
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
      {words[status]}
    </p>
  )
}
