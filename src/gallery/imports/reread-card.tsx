import { Progress } from '@base-ui/react/progress'
import { useEffect, useRef } from 'react'
import { useRereading } from '#gallery/api/connection/rereading.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { refreshMetadata } from '#gallery/api/images/metadata-queries.ts'
import { formatCount } from '#gallery/ui/text/count.ts'

/** One line while the server reads metadata again after an update. It needs no answer, so it has no button. */
export function RereadCard() {
  const rereading = useRereading()
  const { queryClient, refresh } = useGallery()
  const wasReading = useRef(false)
  const isReading = rereading !== null
  useEffect(() => {
    if (wasReading.current && !isReading) {
      refresh.inSight()
      void refreshMetadata(queryClient)
    }
    wasReading.current = isReading
  }, [isReading, queryClient, refresh])
  if (rereading === null) return null
  const { done, total } = rereading
  const images = `${formatCount(total)} ${total === 1 ? 'image' : 'images'}`
  return (
    <section
      aria-label="Metadata"
      className="overflow-hidden rounded-lg border border-line bg-raised shadow-floating"
    >
      <Progress.Root
        value={Math.floor((100 * done) / total)}
        aria-valuetext={`${formatCount(done)} of ${images}`}
      >
        <div className="px-4 py-2.5">
          <Progress.Label className="block font-semibold text-sm">
            Reading the metadata of {images} again
          </Progress.Label>
          <p className="text-muted text-xs tabular-nums">
            {formatCount(done)} of {formatCount(total)}, while nobody uses Tessera
          </p>
        </div>
        <Progress.Track className="block h-1 bg-sunken">
          <Progress.Indicator className="block h-full bg-accent transition-[width]" />
        </Progress.Track>
      </Progress.Root>
    </section>
  )
}
