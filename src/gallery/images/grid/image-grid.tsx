import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { NewAbove } from '#gallery/images/new-above.tsx'
import { useScrollAnchor } from '#gallery/images/place/scroll-anchor.ts'
import { scrollMapping } from '#gallery/images/place/scroll-mapping.ts'
import { useGenerationFocus } from '#gallery/images/place/use-generation-focus.ts'
import { useReturnFromLightbox } from '#gallery/images/place/use-return-from-lightbox.ts'
import { type ScrollTarget, useScrollToTarget } from '#gallery/images/place/use-scroll-to-target.ts'
import { Marquee } from '#gallery/images/selection/marquee.tsx'
import { isNothing } from '#gallery/images/selection/selection.ts'
import type { SelectionBarProps } from '#gallery/images/selection/selection-bar.tsx'
import {
  resetSelection,
  selectRanges,
  useCursorPosition,
  useSelection,
} from '#gallery/images/selection/selection-store.ts'
import { useCut } from '#gallery/images/selection/use-cut-and-paste.ts'
import type { ViewGenerations } from '#gallery/images/tiles/generation-cells.ts'
import { HoverCard } from '#gallery/images/tiles/hover-card.tsx'
import { tileIdOf } from '#gallery/images/tiles/image-tile.tsx'
import { useSizeWheel } from '#gallery/images/tiles/thumbnail-size.ts'
import {
  type TileParts,
  TilePartsContext,
  tileDragPayload,
} from '#gallery/images/tiles/tile-drag-payload.ts'
import { TileMenu } from '#gallery/images/tiles/tile-menu.tsx'
import { useTilePresses } from '#gallery/images/tiles/use-tile-presses.ts'
import type { GridKind } from '#gallery/images/use-image-actions.ts'
import { useAutoScroll } from '#gallery/ui/drag/drop.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
import type { TileLayout } from '#gallery/url/place-order.ts'
import { GridAnnouncer } from './grid-announcer.tsx'
import { GridFailed } from './grid-failed.tsx'
import { GridGuides } from './grid-guides.tsx'
import { GridKeys } from './grid-keys.tsx'
import type { GridLayout, PlacedGroup } from './grid-layout.ts'
import { firstInSight, loadedRecord } from './grid-now.ts'
import { ScrollerContext } from './grid-scroller.ts'
import { RowsContext, type RowsNow, ScrolledRows } from './shown-rows.tsx'
import { useGridContent } from './use-grid-content.ts'
import { useHasTiles } from './use-has-tiles.ts'

export const SelectionBar = lazyPart<SelectionBarProps>(
  async () => (await import('#gallery/images/selection/selection-bar.tsx')).SelectionBar,
)

interface ImageGridProps {
  view: ImageView
  /** The word for the images and videos of the view. */
  noun: Noun
  /** Groups images by day if the order is by date. */
  isGrouping: boolean
  tileLayout: TileLayout
  /** The image in the lightbox; `null` if the lightbox is closed. */
  openImage: string | null
  onOpen: (imageName: string) => void
  kind: GridKind
  viewGenerations: ViewGenerations | undefined
  /** An image that the grid scrolls to, such as a newly generated one. */
  scrollTarget: ScrollTarget | null
}

/** All images of a view; only those on the screen are rendered. Pass the view as its `key`. */
export function ImageGrid(props: ImageGridProps) {
  const { view, noun, isGrouping, openImage, onOpen, kind, viewGenerations, scrollTarget } = props
  // Deferred, so that React draws the other layout in slices instead of one long task.
  const tileLayout = useDeferredValue(props.tileLayout)
  const element = useRef<HTMLDivElement>(null)
  const content = useGridContent({ view, noun, isGrouping, tileLayout, viewGenerations, element })
  const { grid, now, shape, size, isTotalKnown, remembered, error } = content
  const { layout, isReady, railWidthPx, generationCells } = shape
  const viewportPx = isReady ? (size?.heightPx ?? 0) : 0
  const { setPivot, newAbove } = useScrollAnchor({
    grid,
    viewportPx,
    isTotalKnown,
    remembered,
    onLead: shape.requestLead,
  })
  const api = useGallery()
  const actions = useMemo(() => kind.actionsOf({ api, grid, onOpen }), [kind, api, grid, onOpen])
  const hasTouch = useMedia('(pointer: coarse)')
  const tileParts = useMemo(
    (): TileParts => ({
      drag: kind.canMove ? tileDragPayload(api, grid) : () => null,
      hasStar: actions.star !== undefined,
      hasTouch,
      captionOf: kind.captionOf,
    }),
    [kind, api, grid, actions, hasTouch],
  )
  const selectGroup = useCallback(
    ({ from, count }: PlacedGroup) => {
      const ranges = [{ from, to: from + count - 1 }]
      const recordAt = (position: number) => loadedRecord(grid.now, position)
      selectRanges(ranges, recordAt, firstInSight(grid.now, ranges))
    },
    [grid],
  )
  useEffect(() => resetSelection, [])
  useAutoScroll(element)
  useSizeWheel(grid, setPivot)
  useReturnFromLightbox(grid, openImage)
  useScrollToTarget(grid, isTotalKnown ? scrollTarget : null)
  useGenerationFocus(grid, generationCells, viewGenerations)
  useCut(grid, kind.canMove)
  const presses = useTilePresses({ grid, actions, onOpen })
  const cursor = useCursorPosition()
  const fit = tileLayout === 'fit' ? 'fit' : 'fill'
  const hasTiles = useHasTiles(isTotalKnown && isReady)

  const activeTile = cursor !== null && loadedRecord(now, cursor) ? tileIdOf(cursor) : null
  const hasCursor = cursor !== null
  // Memoized, so that scrolling does not render the menu around it.
  const box = useMemo(
    () => (
      <GridBox
        {...{ element, layout, isReady, isTotalKnown, activeTile, hasCursor, handlers: presses }}
      >
        <ScrolledRows />
        <Marquee grid={grid} />
      </GridBox>
    ),
    [grid, layout, isReady, isTotalKnown, activeTile, hasCursor, presses],
  )
  const rowsNow: RowsNow = {
    now,
    isReady,
    viewportPx,
    boxPx: isReady ? scrollMapping(layout.heightPx, viewportPx).boxPx : 0,
    railWidthPx,
    fit,
    cursor,
    hasTiles,
    viewGenerations,
    generationCells,
    onSelectGroup: selectGroup,
  }
  return (
    <ScrollerContext value={now.scroller}>
      <TilePartsContext value={tileParts}>
        <div className="relative min-h-0 flex-1">
          <RowsContext value={rowsNow}>
            <TileMenu now={now} grid={grid} actions={actions}>
              {box}
            </TileMenu>
          </RowsContext>
          <GridKeys grid={grid} actions={actions} onOpen={onOpen} />
          {size && (
            <GridGuides
              now={now}
              grid={grid}
              size={size}
              months={shape.months}
              monthsAt={shape.monthsAt}
              railWidthPx={railWidthPx}
              onSelectGroup={selectGroup}
            />
          )}
          <HoverCard grid={grid} now={now} />
          <NewAbove count={newAbove} onShow={() => now.scroller.scrollTo(0)} />
          <GridAnnouncer
            grid={grid}
            layout={layout}
            total={now.total}
            noun={noun}
            cursor={cursor}
          />
          <BarOfSelected now={now} actions={actions} />
          {error && <GridFailed isAll={!isTotalKnown} error={error} onRetry={content.retry} />}
        </div>
      </TilePartsContext>
    </ScrollerContext>
  )
}

/** The selection bar while images are selected. A separate component, so that a selection does not render the grid. */
const BarOfSelected = (props: SelectionBarProps) =>
  !isNothing(useSelection()) && (
    <Suspense>
      <SelectionBar {...props} />
    </Suspense>
  )

interface GridBoxProps {
  element: RefObject<HTMLDivElement | null>
  layout: GridLayout
  isReady: boolean
  isTotalKnown: boolean
  /** DOM id of the tile with the focus; `null` if there is none or its record is not loaded. */
  activeTile: string | null
  /** True if a tile shows the focus instead of the grid. */
  hasCursor: boolean
  handlers: ReturnType<typeof useTilePresses>
  children: ReactNode
}

/** The scrolled element with the role of a grid. */
function GridBox(props: GridBoxProps) {
  const { element, layout, isReady, isTotalKnown, activeTile, hasCursor, handlers, children } =
    props
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go
    <div
      ref={element}
      role="grid"
      aria-label="Images"
      aria-multiselectable
      aria-busy={!isTotalKnown}
      aria-rowcount={isTotalKnown && isReady ? layout.rowCount : -1}
      // Justified rows have different numbers of tiles, and all tiles of a row are rendered.
      aria-colcount={layout.ratios ? undefined : layout.geometry.columns}
      aria-activedescendant={activeTile ?? undefined}
      tabIndex={0}
      // Over an opaque background Chromium scrolls by moving painted tiles. Otherwise it paints every tile
      // again in each frame (device ratio 1), or blends each with the layer below (ratio 2).
      className={`group/grid absolute inset-0 touch-manipulation bg-surface overflow-x-hidden overflow-y-scroll [overflow-anchor:none] ${hasCursor ? 'outline-none' : '-outline-offset-2'}`}
      {...handlers}
    >
      {children}
    </div>
  )
}
