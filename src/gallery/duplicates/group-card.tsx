import { Columns2, CopyX, Trash2 } from 'lucide-react'
import { type DuplicateGroup, keyOfGroup, namesIn } from '#gallery/api/duplicates.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf, formatBytes } from '#gallery/ui/text/count.ts'
import { REASONS } from './duplicate-words.ts'
import { keepInstead, useActive, useKeptOf } from './duplicates-store.ts'
import { compareGroup, dismissGroup, resolveGroups } from './group-actions.ts'
import { GroupImage } from './group-image.tsx'

interface GroupCardProps {
  group: DuplicateGroup
  index: number
  nameOfBoard: (boardId: string) => string
  /** Moves the focus to another group, because this one disappears. */
  onLeave: () => void
}

/** A group of duplicates: its images, which one is kept and why, and what can be done with it. */
export function GroupCard({ group, index, nameOfBoard, onLeave }: GroupCardProps) {
  const api = useGallery()
  const kept = useKeptOf(group)
  const active = useActive()
  const groupKey = keyOfGroup(group)
  const { images, keep, reason } = group
  const others = images.filter(({ image_name }) => image_name !== kept)
  const bytes = others.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0)
  const tabStop = active?.groupKey === groupKey ? active.imageName : kept
  return (
    <section
      aria-label={`Group ${index + 1}`}
      className="rounded-lg border border-line bg-surface p-3 md:p-4"
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="font-medium text-sm tabular-nums">
            {countOf(images.length, nounOfNames(namesIn(group)))}, {formatBytes(bytes)} to gain
          </h2>
          <p className="text-muted text-xs">
            {kept === keep ? `Suggested: ${REASONS[reason]}.` : 'Kept by your choice.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <Button tone="quiet" onClick={() => compareGroup(group)}>
            <Columns2 aria-hidden size={16} strokeWidth={1.75} />
            Compare
          </Button>
          <Button
            tone="quiet"
            onClick={() => {
              onLeave()
              void dismissGroup(api, group)
            }}
          >
            <CopyX aria-hidden size={16} strokeWidth={1.75} />
            Not duplicates
          </Button>
          <Button
            className="max-sm:w-full"
            onClick={() => {
              onLeave()
              void resolveGroups(api, [{ group, keep: kept }])
            }}
          >
            <Trash2 aria-hidden size={16} strokeWidth={1.75} />
            Keep this one, delete {others.length === 1 ? 'the other' : `${others.length} others`}
          </Button>
        </div>
      </div>
      <ul
        aria-label="Images"
        className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2 md:grid-cols-[repeat(auto-fill,minmax(11rem,13rem))] md:gap-3"
      >
        {images.map((image) => (
          <GroupImage
            key={image.image_name}
            image={image}
            groupKey={groupKey}
            isKept={image.image_name === kept}
            isTabStop={image.image_name === tabStop}
            boardName={image.board_id === null ? null : nameOfBoard(image.board_id)}
            onKeep={() => keepInstead(group, image.image_name)}
          />
        ))}
      </ul>
    </section>
  )
}
