import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { imageUrls, metadataQueries } from '#gallery/api/metadata-queries.ts'
import type { SizePx, Step } from '#gallery/api/process-steps.ts'
import { Button } from '#gallery/ui/button.tsx'
import { formatCount } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Compare } from './compare.tsx'
import { type Preview, usePreview } from './use-preview.ts'

interface PreviewPaneProps {
  imageNames: readonly string[]
  /** null: they cannot be run as they are. */
  steps: readonly Step[] | null
}

/** Largest side of the picture that stands for a file that browsers cannot draw. */
const DRAWN_SIZE_PX = 1536

const drawnUrl = (image: ImageRecord): string =>
  image.media_type === 'image/tiff'
    ? imageUrls.thumbnail(image, DRAWN_SIZE_PX)
    : imageUrls.full(image)

/** What the chain makes of one of the images, beside what it was. */
export function PreviewPane({ imageNames, steps }: PreviewPaneProps) {
  const [index, setIndex] = useState(0)
  const image = useQuery(metadataQueries.record(imageNames[index] ?? '')).data ?? null
  const preview = usePreview(steps, image)
  const goTo = (next: number) => setIndex((next + imageNames.length) % imageNames.length)
  return (
    <section aria-label="Preview" className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      <div className="relative min-h-0 flex-1 rounded-lg bg-sunken p-2">
        {image && (
          <Compare originalUrl={drawnUrl(image)} resultUrl={preview.picture?.url ?? null} />
        )}
        <PreviewNote preview={preview} isRunnable={steps !== null} />
      </div>
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
          {preview.picture && <Sized name="Result" size={preview.picture} />}
        </span>
      </div>
    </section>
  )
}

function PreviewNote({ preview, isRunnable }: { preview: Preview; isRunnable: boolean }) {
  const { state, reason, tryAgain } = preview
  if (!isRunnable) return <Note>Fix the highlighted step to see a preview.</Note>
  switch (state) {
    case 'none':
      return <Note>Add a step to see what it does.</Note>
    case 'waiting':
    case 'making':
      return (
        <Note>
          <LoaderCircle aria-hidden size={14} className="animate-spin" />
          {state === 'making' ? 'Making the preview…' : 'The preview waits for its turn…'}
        </Note>
      )
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

function Note({ children, isFault = false }: { children: ReactNode; isFault?: boolean }) {
  return (
    <div
      role={isFault ? 'alert' : 'status'}
      className={`pointer-events-none absolute inset-x-4 bottom-4 mx-auto flex w-fit max-w-[90%] items-center gap-2 rounded border bg-raised px-3 py-1.5 text-sm shadow-floating ${isFault ? 'border-danger text-danger' : 'border-line'}`}
    >
      {children}
    </div>
  )
}

/** On a narrow screen the size goes to a line of its own, whole. */
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
