import { Check } from 'lucide-react'
import { memo, type PointerEvent, Suspense, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { TileFit } from '#gallery/images/grid/grid-preferences.ts'
import { useIsSelected } from '#gallery/images/selection/selection-store.ts'
import { useDragSource } from '#gallery/ui/drag/drag.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { formatDuration } from '#gallery/ui/text/duration.ts'
import { imageLabelOf } from '#gallery/ui/text/names.ts'
import { pictureBox, type TileSize } from './thumbnail-size.ts'
import { fittingBadges, TileBadges, useBadges } from './tile-badges.tsx'
import { useTileParts } from './tile-drag-payload.ts'
import { TilePicture } from './tile-picture.tsx'

interface ImageTileProps {
  record: ImageRecord
  position: number
  column: number
  leftPx: number
  /** Width of the tile, in pixels. */
  tilePx: number
  heightPx: number
  fit: TileFit
  /** True if this tile has the focus. */
  isCursor: boolean
}

/** Returns the DOM id of a tile. The grid refers to the focused tile by it. */
export const tileIdOf = (position: number): string => `image-${position}`

const HoverVideo = lazyPart(async () => (await import('./hover-video.tsx')).HoverVideo)

/** The grid handles clicks. */
const ignoreClick = () => {}

/** The tile of one image. The grid handles its clicks: `data-act` names the action of a part. */
export const ImageTile = memo(function ImageTile(props: ImageTileProps) {
  const { record, position, column, leftPx, tilePx, heightPx, fit, isCursor } = props
  const element = useRef<HTMLDivElement>(null)
  const isSelected = useIsSelected(record.image_name, position)
  const [isHovered, setIsHovered] = useState(false)
  const { drag, hasStar, hasTouch, captionOf } = useTileParts()
  useDragSource(element, () => drag(record, position))
  const caption = captionOf?.(record).filter(Boolean) ?? []
  const badges = useBadges(record)
  const picture = pictureBox(record, { widthPx: tilePx, heightPx }, fit)
  const fitting = fittingBadges(badges, picture)
  // A caption takes the place of the badges.
  const hasBadges = caption.length === 0
  const length = record.video && formatDuration(record.video.duration)
  const names = [
    imageLabelOf(record),
    hasBadges && fitting.tags.join(', '),
    hasBadges && fitting.generator,
    hasBadges && fitting.video && length,
    ...caption,
  ]
  const descriptions = [
    record.starred && 'Starred',
    badges.rating > 0 && `Rated ${badges.rating} of 5`,
    badges.tags.length > 0 && `Tags: ${badges.tags.join(', ')}`,
    badges.isAnimated && 'Animated',
    length && `Video, ${length}`,
    record.video?.has_sound && 'with sound',
  ]

  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names this tile as active
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as virtual rows
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles clicks and keys
    <div
      ref={element}
      role="gridcell"
      id={tileIdOf(position)}
      // Visible text belongs to the accessible name, because users of speech input say it.
      aria-label={names.filter(Boolean).join(', ')}
      aria-description={descriptions.filter(Boolean).join(', ') || undefined}
      aria-colindex={column + 1}
      aria-selected={isSelected}
      // Without a click handler on the tile, Chromium moves taps near a button to that button.
      onClick={ignoreClick}
      onPointerEnter={({ pointerType }: PointerEvent) => setIsHovered(pointerType !== 'touch')}
      onPointerLeave={() => setIsHovered(false)}
      data-position={position}
      data-name={record.image_name}
      data-cursor={isCursor || undefined}
      className="group absolute top-0 flex select-none items-center justify-center"
      style={{ left: leftPx, width: tilePx, height: heightPx }}
    >
      <TilePicture record={record} tilePx={tilePx} heightPx={heightPx} fit={fit} />
      {record.video !== null && isHovered && (
        <Suspense>
          <HoverVideo record={record} tile={element} {...picture} />
        </Suspense>
      )}
      {caption.length > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-x-0 bottom-0 flex flex-col rounded-b-sm bg-black/60 px-1.5 py-0.5 text-white text-xs leading-4"
        >
          {caption.map((line) => (
            <span key={line} dir="auto" className="truncate">
              {line}{' '}
            </span>
          ))}
        </span>
      )}
      {hasBadges && <TileBadges {...fitting} picture={picture} />}
      {isSelected && <span aria-hidden className={`${frame} ${selectedFrame}`} />}
      {isCursor && <span aria-hidden className={`${frame} ${cursorFrame}`} />}
      <TileButtons
        isSelected={isSelected}
        isStarred={record.starred}
        isUsed={isHovered || isCursor}
        hasStar={hasStar}
        hasTouch={hasTouch}
        picture={picture}
        tile={{ widthPx: tilePx, heightPx }}
      />
    </div>
  )
})

interface TileButtonsProps {
  isSelected: boolean
  isStarred: boolean
  /** True if the tile is under the pointer or has the focus. */
  isUsed: boolean
  hasStar: boolean
  /** True on touch screens, which always show the star. */
  hasTouch: boolean
  picture: TileSize
  tile: TileSize
}

/**
 * The buttons in the upper corners. They are mounted only on tiles that show or use them, because each one slows down
 * scrolling.
 */
function TileButtons(props: TileButtonsProps) {
  const { isSelected, isStarred, isUsed, hasStar, hasTouch, picture, tile } = props
  const isActive = isUsed || isSelected
  const showsStar = hasStar && (isActive || isStarred || hasTouch)
  if (!isActive && !showsStar) return null
  return (
    <div className="pointer-events-none absolute" style={cornersOf(picture, tile)}>
      {isActive && <Checkbox isSelected={isSelected} />}
      {showsStar && (
        <StarButton isStarred={isStarred} tilePx={Math.min(tile.widthPx, tile.heightPx)} />
      )}
    </div>
  )
}

/** Returns the box in whose upper corners the buttons are: that of the picture, but wide enough for both. */
const cornersOf = (picture: TileSize, tile: TileSize) => ({
  insetInline: (tile.widthPx - Math.max(picture.widthPx, BUTTONS_PX)) / 2,
  insetBlock: (tile.heightPx - picture.heightPx) / 2,
})

/** Width of both buttons, in pixels. */
const BUTTONS_PX = 72

function Checkbox({ isSelected }: { isSelected: boolean }) {
  return (
    <>
      <input
        type="checkbox"
        aria-label="Select"
        tabIndex={-1}
        checked={isSelected}
        readOnly
        data-act="select"
        className={`peer absolute top-1.5 left-1.5 size-6 cursor-pointer appearance-none rounded-full border border-white/80 bg-black/45 checked:border-transparent checked:bg-accent ${isSelected ? 'pointer-events-auto' : hiddenUntilHover}`}
      />
      <Check
        aria-hidden
        size={14}
        strokeWidth={3}
        className="absolute top-[0.6875rem] left-[0.6875rem] hidden text-accent-ink peer-checked:block"
      />
    </>
  )
}

/** One element without opacity: a phone shows a star on each tile, and the parts of an icon slow down scrolling. */
function StarButton({ isStarred, tilePx }: { isStarred: boolean; tilePx: number }) {
  return (
    <button
      type="button"
      aria-label={isStarred ? 'Unstar' : 'Star'}
      tabIndex={-1}
      data-act="star"
      className={`absolute top-0 right-0 size-9 bg-center bg-no-repeat ${tilePx < SMALL_PX ? '' : 'pointer-coarse:size-11'} ${isStarred ? 'pointer-events-auto bg-(image:--starred-icon)' : `bg-(image:--star-icon) ${hiddenUntilHover} pointer-coarse:pointer-events-auto pointer-coarse:opacity-100`}`}
    />
  )
}

/** On smaller tiles the star button is smaller under a finger, so that most of the tile opens the image. */
const SMALL_PX = 112

// An invisible button must not take taps: hover shows and enables it.
const hiddenUntilHover =
  'pointer-events-none opacity-0 group-hover:pointer-events-auto group-hover:opacity-100'

// Selection is drawn inside the tile, the focus around it. Forced colors remove shadows but no outlines.
const frame = 'pointer-events-none absolute inset-0 rounded-sm'
// The line in the surface's color separates the frame from images of the same color.
const selectedFrame =
  'shadow-[inset_0_0_0_3px_var(--accent),inset_0_0_0_4px_var(--surface)] forced-colors:outline-3 forced-colors:outline-[Highlight]'
const cursorFrame =
  'outline-ink outline-offset-1 group-focus-visible/grid:outline-2 group-focus/grid:group-data-keys/grid:outline-2 forced-colors:outline-offset-4 forced-colors:outline-[CanvasText]'
