import { Star } from 'lucide-react'
import { memo, useRef } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useDragSource } from '#gallery/ui/drag.ts'
import { useTileDrag } from './drag-context.ts'
import type { TileFit } from './grid-preferences.ts'
import { shownNameOf } from './image-name.ts'
import { useIsSelected } from './selection-store.ts'
import { TilePicture } from './tile-picture.tsx'

interface ImageTileProps {
  record: ImageRecord
  position: number
  column: number
  leftPx: number
  tilePx: number
  fit: TileFit
  /** The focus is here. */
  isCursor: boolean
}

/** The id by which the grid names the tile that has the focus. */
export const tileIdOf = (position: number): string => `image-${position}`

/** One image. Clicks are taken by the grid: `data-act` says what a press on a part of it does. */
export const ImageTile = memo(function ImageTile(props: ImageTileProps) {
  const { record, position, column, leftPx, tilePx, fit, isCursor } = props
  const element = useRef<HTMLDivElement>(null)
  const isSelected = useIsSelected(record.image_name, position)
  const payload = useTileDrag()
  useDragSource(element, () => payload(record, position))
  const name = shownNameOf(record)

  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names this tile as active
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go
    <div
      ref={element}
      role="gridcell"
      id={tileIdOf(position)}
      aria-label={name}
      aria-description={record.starred ? 'Starred' : undefined}
      aria-colindex={column + 1}
      aria-selected={isSelected}
      title={name}
      data-position={position}
      data-name={record.image_name}
      data-cursor={isCursor || undefined}
      className="group absolute top-0 flex select-none items-center justify-center"
      style={{ left: leftPx, width: tilePx, height: tilePx }}
    >
      <TilePicture key={record.image_name} record={record} tilePx={tilePx} fit={fit} />
      {(isSelected || isCursor) && (
        <span aria-hidden className={`${frame} ${isSelected ? selectedFrame : cursorFrame}`} />
      )}
      <input
        type="checkbox"
        aria-label="Select"
        tabIndex={-1}
        checked={isSelected}
        readOnly
        data-act="select"
        className={`absolute top-1.5 left-1.5 size-5 cursor-pointer accent-accent ${isSelected ? '' : 'opacity-0 group-hover:opacity-100'}`}
      />
      <button
        type="button"
        aria-label={record.starred ? 'Unstar' : 'Star'}
        tabIndex={-1}
        data-act="star"
        className={`absolute top-0 right-0 flex size-9 items-center justify-center pointer-coarse:size-11 ${record.starred ? 'text-star' : 'text-white opacity-0 group-hover:opacity-100 pointer-coarse:opacity-80'}`}
      >
        <span className="flex size-6 items-center justify-center rounded-full bg-black/45">
          <Star
            aria-hidden
            size={14}
            strokeWidth={2}
            fill={record.starred ? 'currentColor' : 'none'}
          />
        </span>
      </button>
    </div>
  )
})

const frame = 'pointer-events-none absolute inset-0 rounded-sm'
// The line of the surface's colour sets the frame apart from pictures of the same colour.
const selectedFrame =
  'shadow-[inset_0_0_0_3px_var(--accent),inset_0_0_0_4px_var(--surface)] group-focus-visible/grid:[[data-cursor]>&]:outline-2 outline-accent outline-offset-1'
const cursorFrame =
  'group-focus-visible/grid:shadow-[inset_0_0_0_2px_var(--accent),inset_0_0_0_4px_var(--surface)]'
