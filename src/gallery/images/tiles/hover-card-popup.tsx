import { PreviewCard } from '@base-ui/react/preview-card'
import { useQuery } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { storedExtensionOf } from '#contract/media-types.ts'
import type { NormalMetadata } from '#contract/metadata.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { generatorText } from '#gallery/api/images/generator-text.ts'
import { metadataPart, metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { useTrashFacts } from '#gallery/api/trash/trash-origin.ts'
import { type GridNow, loadedRecord } from '#gallery/images/grid/grid-now.ts'
import type { GridItem } from '#gallery/images/selection/selection-store.ts'
import { formatBytes } from '#gallery/ui/text/count.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { formatTimestamp } from '#gallery/ui/text/timestamp.ts'
import { trashWordsOf } from '#gallery/ui/text/trash-words.ts'

export interface Rested extends GridItem {
  readonly tile: Element
}

interface HoverCardPopupProps {
  now: GridNow
  rested: Rested
  isOn: boolean
}

/** The card below a tile. It loads when the pointer or the focus first rests on one. */
export function HoverCardPopup({ now, rested, isOn }: HoverCardPopupProps) {
  const record = loadedRecord(now, rested.position)
  // After a change of the view the tile shows another image.
  const isSame = record !== undefined && record.image_name === rested.imageName
  return (
    <PreviewCard.Root open={isOn && isSame}>
      <PreviewCard.Portal>
        <PreviewCard.Positioner
          anchor={rested.tile}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="pointer-events-none z-20"
        >
          <PreviewCard.Popup
            aria-hidden
            data-hover-card
            className="w-72 rounded-md border border-line bg-raised p-3 text-sm shadow-floating transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none"
          >
            {isSame && <Facts now={now} record={record} position={rested.position} />}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  )
}

function Facts({ now, record, position }: { now: GridNow; record: ImageRecord; position: number }) {
  const { client } = useGallery()
  const together = metadataPart(now.windows, position)
  const { data: metadata = null } = useQuery(
    metadataQueries(client).normal(record.image_name, together),
  )
  const prompt = metadata?.prompt ?? record.prompt_start ?? metadata?.texts?.[0]
  const facts = useTrashFacts()(record)
  const words = facts && trashWordsOf(facts)
  const maker = makerOf(metadata)
  const { width, height, file_size: bytes, media_type: mediaType, video } = record
  const file = [
    `${width} × ${height}`,
    video && formatDuration(video.duration),
    mediaType && storedExtensionOf(mediaType).toUpperCase(),
    bytes !== null && formatBytes(bytes),
  ]
  return (
    <>
      <p dir="auto" className="truncate font-semibold">
        {fileNameOf(record)}
      </p>
      <p className="text-muted text-xs leading-5 tabular-nums">
        {file.filter(Boolean).join(' · ')}
      </p>
      <p className="text-muted text-xs leading-5">
        {formatTimestamp(record.taken_at ?? record.created_at)}
      </p>
      {words && (
        <p className="flex gap-1 text-muted text-xs leading-5">
          <bdi className="truncate">{words.origin}</bdi>
          <span className="shrink-0">· {words.timeLeft}</span>
        </p>
      )}
      {maker !== '' && (
        <p dir="auto" className="truncate text-muted text-xs leading-5">
          {maker}
        </p>
      )}
      {record.rating > 0 && (
        <p className="text-star text-xs leading-5">{'★'.repeat(record.rating)}</p>
      )}
      {record.tags.length > 0 && (
        <p dir="auto" className="truncate text-muted text-xs leading-5">
          {record.tags.join(', ')}
        </p>
      )}
      {prompt && (
        <p dir="auto" className="wrap-anywhere mt-1.5 line-clamp-2">
          {prompt}
        </p>
      )}
    </>
  )
}

/** Returns what made an image: its generator and model, or its camera. */
const makerOf = (metadata: NormalMetadata | null): string => {
  if (metadata === null) return ''
  const { model, camera } = metadata
  return [generatorText(metadata), model, camera].filter(Boolean).join(' · ')
}
