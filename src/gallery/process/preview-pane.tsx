import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, LoaderCircle } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { usePacer } from '#gallery/api/connection/connection.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { previewFreeAt } from '#gallery/api/process/process-preview.ts'
import {
  type OverLimit,
  type SizePx,
  type Step,
  stepOverLimit,
} from '#gallery/api/process/process-steps.ts'
import { useQueue } from '#gallery/api/queue/queue-queries.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { useSecondsUntil, WaitingForLimit } from '#gallery/ui/waiting-for-limit.tsx'
import { Compare } from './compare.tsx'
import { drawnUrl, type Preview, usePreview, whyThumbnail } from './use-preview.ts'

interface PreviewPaneProps {
  imageNames: readonly string[]
  /** null: the steps are invalid. */
  steps: readonly Step[] | null
  /** DOM ID of the message that the server would refuse the steps. */
  refusalId: string
}

const useImage = (imageName: string | undefined): ImageRecord | null =>
  useQuery(metadataQueries(useGallery().client).record(imageName ?? '')).data ?? null

const useMaxPixels = (): number => useCapabilities()?.limits.max_pixels ?? Number.POSITIVE_INFINITY

/** Returns the first step that the server would refuse for an image; null if it accepts all. */
export function useOverLimit(
  steps: readonly Step[] | null,
  imageName: string | undefined,
): OverLimit | null {
  const image = useImage(imageName)
  const maxPixels = useMaxPixels()
  return steps && image && stepOverLimit(steps, image, maxPixels)
}

/** The result of the chain on one of the images, compared with the original. */
export function PreviewPane({ imageNames, steps, refusalId }: PreviewPaneProps) {
  const { client } = useGallery()
  const [index, setIndex] = useState(0)
  const stage = useRef<HTMLDivElement>(null)
  const limitPx = useDevicePixels(stage)
  const image = useImage(imageNames[index])
  const overLimit = useOverLimit(steps, imageNames[index])
  const preview = usePreview(overLimit === null ? steps : null, image, limitPx)
  const goTo = (next: number) => setIndex((next + imageNames.length) % imageNames.length)
  return (
    <section aria-label="Preview" className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      <div ref={stage} className="relative min-h-0 flex-1 rounded-lg bg-sunken p-2">
        {image && (
          <Compare originalUrl={drawnUrl(client, image)} result={preview.result?.bitmap ?? null} />
        )}
        {overLimit === null ? (
          <PreviewNote preview={preview} isRunnable={steps !== null} />
        ) : (
          <OverLimitNote overLimit={overLimit} id={refusalId} />
        )}
      </div>
      {image && <Differences image={image} isAnimated={preview.result?.isAnimated ?? false} />}
      <div className="flex min-h-8 items-center gap-2 text-muted text-xs tabular-nums">
        <span className="flex-1">{image && <Sized name="Original" size={image} />}</span>
        {imageNames.length > 1 && (
          <span className="flex items-center gap-1">
            <IconButton label="Previous image" icon={ChevronLeft} onClick={() => goTo(index - 1)} />
            {formatCount(index + 1)} of {formatCount(imageNames.length)}
            <IconButton label="Next image" icon={ChevronRight} onClick={() => goTo(index + 1)} />
          </span>
        )}
        <span className="flex-1 text-right">
          {preview.result && <Sized name="Result" size={preview.result.size} />}
        </span>
      </div>
    </section>
  )
}

/** Larger previews look the same and take longer. */
const MAX_LIMIT_PX = 1536

/** Returns the longest side in device pixels, in steps of 256, so that small resizes do not recompute the preview. */
function useDevicePixels(element: { readonly current: HTMLElement | null }): number | null {
  const size = useElementSize(element)
  if (size === null) return null
  const longest = Math.max(size.widthPx, size.heightPx) * window.devicePixelRatio
  return Math.min(MAX_LIMIT_PX, Math.max(256, Math.ceil(longest / 256) * 256))
}

/** The server's refusal, computed before anything is sent. */
function OverLimitNote({ overLimit, id }: { overLimit: OverLimit; id: string }) {
  const { index, size } = overLimit
  const maxPixels = useMaxPixels()
  return (
    <Note isFault id={id}>
      The server refuses {index < 0 ? 'this image' : `step ${index + 1}`}: {size.width} ×{' '}
      {size.height} pixels are more than its limit of {formatCount(maxPixels)}.
    </Note>
  )
}

/** Notes on differences between the preview and the server's result. */
function Differences({ image, isAnimated }: { image: ImageRecord; isAnimated: boolean }) {
  const reason = whyThumbnail(image)
  if (reason === null && !isAnimated) return null
  return (
    <p className="text-muted text-xs">
      {reason !== null &&
        `The preview uses a thumbnail, because ${reason}. The result is made from the file.`}
      {isAnimated && 'The file is animated. Only its first frame is processed.'}
    </p>
  )
}

function PreviewNote({ preview, isRunnable }: { preview: Preview; isRunnable: boolean }) {
  const { state, reason, result, tryAgain } = preview
  if (!isRunnable) return <Note>Fix the highlighted step to see a preview.</Note>
  switch (state) {
    case 'none':
      return <Note>Add a step to see what it does.</Note>
    case 'computing':
      // Only the first result may need a download; later ones follow at once.
      return result === null && <Note isBusy>Loading the image…</Note>
    case 'sending':
      return <SendingNote />
    case 'queued':
      return <QueuedNote />
    case 'running':
      return <Note isBusy>Upscaling…</Note>
    case 'failed':
      return (
        <Note isFault>
          The preview failed: {reason}
          <Button className="pointer-events-auto" onClick={tryAgain}>
            Try again
          </Button>
        </Note>
      )
    case 'made':
      return null
  }
}

function SendingNote() {
  const api = useGallery()
  // Renders again when the pacer learns new limits.
  usePacer()
  const freeAt = previewFreeAt(api)
  const isLimited = useSecondsUntil(Number.isFinite(freeAt) ? freeAt : null) > 1
  return <Note isBusy>{isLimited ? <WaitingForLimit until={freeAt} /> : 'Upscaling…'}</Note>
}

function QueuedNote() {
  const { queue } = useGallery()
  if (!useQueue()?.isPaused) return <Note isBusy>Waiting for the queue…</Note>
  return (
    <Note>
      The queue is paused. Resume it to see the preview.
      <Button className="pointer-events-auto" onClick={() => void queue.setPaused(false)}>
        Resume
      </Button>
    </Note>
  )
}

interface NoteProps {
  children: ReactNode
  isBusy?: boolean
  isFault?: boolean
  id?: string
}

function Note({ children, isBusy = false, isFault = false, id }: NoteProps) {
  return (
    <div
      id={id}
      role={isFault ? 'alert' : 'status'}
      className={`pointer-events-none absolute inset-x-4 bottom-4 mx-auto flex w-fit max-w-[90%] items-center gap-2 rounded border bg-raised px-3 py-1.5 text-sm shadow-floating ${isFault ? 'border-danger text-danger' : 'border-line'}`}
    >
      {isBusy && <LoaderCircle aria-hidden size={14} className="shrink-0 animate-spin" />}
      {children}
    </div>
  )
}

/** On a narrow screen the size wraps to a separate line. */
function Sized({ name, size: { width, height } }: { name: string; size: SizePx }) {
  return (
    <span>
      {name}{' '}
      <span className="whitespace-nowrap">
        {width} × {height}
      </span>
    </span>
  )
}
