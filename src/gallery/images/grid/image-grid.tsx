import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { NewAbove } from '#gallery/images/new-above.tsx'
import { rememberedPlace } from '#gallery/images/place/remembered-place.ts'
import { scrollMapping } from '#gallery/images/place/scroll-mapping.ts'
import { useGenerationFocus } from '#gallery/images/place/use-generation-focus.ts'
import { useImageWindows } from '#gallery/images/place/use-image-windows.ts'
import { useReturnFromLightbox } from '#gallery/images/place/use-return-from-lightbox.ts'
import { useScrollAnchor } from '#gallery/images/place/use-scroll-anchor.ts'
import { type ScrollTarget, useScrollToTarget } from '#gallery/images/place/use-scroll-to-target.ts'
import { wantedWindows } from '#gallery/images/place/wanted-windows.ts'
import { SelectionBar } from '#gallery/images/selection/selection-bar.tsx'
import {
  resetSelection,
  selectRanges,
  useCursorPosition,
} from '#gallery/images/selection/selection-store.ts'
import { useCut } from '#gallery/images/selection/use-cut-and-paste.ts'
import { useMarquee } from '#gallery/images/selection/use-marquee.ts'
import type { ViewGenerations } from '#gallery/images/tiles/generation-cells.ts'
import { tileIdOf } from '#gallery/images/tiles/image-tile.tsx'
import { wasAnyShown } from '#gallery/images/tiles/shown-pictures.ts'
import { useSizeWheel } from '#gallery/images/tiles/thumbnail-size.ts'
import {
  type TileParts,
  TilePartsContext,
  tileDragPayload,
} from '#gallery/images/tiles/tile-drag-payload.ts'
import { TileMenu } from '#gallery/images/tiles/tile-menu.tsx'
import { useTilePresses } from '#gallery/images/tiles/use-tile-presses.ts'
import type { GridKind } from '#gallery/images/use-image-actions.ts'
import { Button } from '#gallery/ui/button.tsx'
import { useAutoScroll } from '#gallery/ui/drag/drop.ts'
import { Notice } from '#gallery/ui/notice.tsx'
import { useElementSize } from '#gallery/ui/use-element-size.ts'
import { GridAnnouncer } from './grid-announcer.tsx'
import { GridGuides } from './grid-guides.tsx'
import { GridKeys } from './grid-keys.tsx'
import type { PlacedGroup } from './grid-layout.ts'
import { firstInSight, type GridNow, loadedRecord } from './grid-now.ts'
import { useTileFit } from './grid-preferences.ts'
import { topOfRow } from './grid-rows.ts'
import { GridScroller, ScrollerContext } from './grid-scroller.ts'
import { ShownRows } from './shown-rows.tsx'
import { useGridLayout } from './use-grid-layout.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

interface ImageGridProps {
  view: ImageView
  /** Groups images by day if the order is by date. */
  isGrouping: boolean
  /** The image in the lightbox; `null` if the lightbox is closed. */
  openImage: string | null
  onOpen: (imageName: string) => void
  /** The actions that its images support. */
  kind: GridKind
  /** Running generations to show in this view, if any. */
  viewGenerations: ViewGenerations | undefined
  /** An image that the grid scrolls to, such as a newly generated one. */
  scrollTarget: ScrollTarget | null
}

/** Row offsets are relative to a multiple of this: browsers lose precision for large `top` values. */
const BASE_STEP_PX = 1_000_000

/** All images of a view; only those on the screen are rendered. Pass the view as its `key`. */
export function ImageGrid(props: ImageGridProps) {
  const { view, isGrouping, openImage, onOpen, kind, viewGenerations, scrollTarget } = props
  const grid = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const [scroller] = useState(() => new GridScroller())
  const [remembered] = useState(() => rememberedPlace(view))
  const [knownTotal, setKnownTotal] = useState<number | undefined>(undefined)
  const isScrollingSlowly = useSyncExternalStore(
    scroller.subscribeSpeed,
    scroller.isScrollingSlowly,
  )
  const size = useElementSize(grid)
  const fit = useTileFit()
  const cursor = useCursorPosition()
  const shape = useGridLayout({ view, isGrouping, size, knownTotal, remembered, viewGenerations })
  const { layout, total, isReady, railWidthPx } = shape
  const { geometry } = layout
  const viewportPx = size?.heightPx ?? 0

  const shown = useVirtualRows({ grid, scroller, layout: isReady ? layout : null, viewportPx })
  const indices = wantedWindows({
    // One column, so that row indices equal image positions.
    geometry: { ...geometry, columns: 1 },
    lead: 0,
    total,
    rows: shown.positions && {
      startIndex: shown.positions.from,
      endIndex: shown.positions.to,
    },
    remembered,
  })
  const loaded = useImageWindows(view, size === null ? [] : indices, isScrollingSlowly)
  if (loaded.total !== undefined && loaded.total !== knownTotal) setKnownTotal(loaded.total)
  shape.learnDays(loaded.windows)

  const now: GridNow = { view, scroller, layout, total, windows: loaded.windows }
  const current = useRef(now)
  useLayoutEffect(() => {
    current.current = now
  })
  const isTotalKnown = knownTotal !== undefined
  const hasTiles = useHasTiles(isTotalKnown && isReady)
  const { setPivot, newAbove } = useScrollAnchor({
    now,
    viewportPx: isReady ? viewportPx : 0,
    isTotalKnown,
    remembered,
    onLead: shape.requestLead,
  })

  useLayoutEffect(() => (grid.current ? scroller.attach(grid.current) : undefined), [scroller])
  useEffect(() => resetSelection, [])
  useAutoScroll(grid)
  useSizeWheel(grid, current, setPivot)
  useReturnFromLightbox(current, grid, openImage)
  useScrollToTarget(current, isTotalKnown ? scrollTarget : null)
  useGenerationFocus(current, grid, shape.generationCells, viewGenerations)
  const marquee = useMarquee(grid, current)
  useCut(current, kind.canMove)
  const client = useQueryClient()
  const actions = useMemo(
    () => kind.actionsOf({ client, now: current, onOpen }),
    [kind, client, onOpen],
  )
  const presses = useTilePresses({ now: current, grid, actions, onOpen })
  const tileParts = useMemo(
    (): TileParts => ({
      drag: kind.canMove ? tileDragPayload(client, current) : () => null,
      hasStar: actions.star !== undefined,
      captionOf: kind.captionOf,
    }),
    [kind, client, actions],
  )

  const selectGroup = useCallback(({ from, count }: PlacedGroup) => {
    const now = current.current
    const ranges = [{ from, to: from + count - 1 }]
    selectRanges(ranges, (position) => loadedRecord(now, position), firstInSight(now, ranges))
  }, [])

  const firstTop = topOfRow(layout, shown.rows[0]?.index ?? 0)
  const basePx = Math.floor(firstTop / BASE_STEP_PX) * BASE_STEP_PX
  useLayoutEffect(() => {
    const place = () => {
      if (rows.current) rows.current.style.top = `${basePx - scroller.shiftPx}px`
    }
    place()
    return scroller.observeShift(place)
  })

  const boxPx = isReady ? scrollMapping(layout.heightPx, viewportPx).boxPx : 0
  const error = loaded.error ?? shape.error
  return (
    <ScrollerContext value={scroller}>
      <TilePartsContext value={tileParts}>
        <div className="relative min-h-0 flex-1">
          <TileMenu now={now} current={current} grid={grid} actions={actions}>
            {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as rows that come and go */}
            <div
              ref={grid}
              role="grid"
              aria-label="Images"
              aria-multiselectable
              aria-busy={!isTotalKnown}
              aria-rowcount={isTotalKnown && isReady ? layout.rowCount : -1}
              aria-colcount={geometry.columns}
              aria-activedescendant={
                cursor !== null && loadedRecord(now, cursor) ? tileIdOf(cursor) : undefined
              }
              tabIndex={0}
              // Over an opaque background Chromium scrolls by moving painted tiles. Otherwise it paints every tile
              // again in each frame (device ratio 1), or blends each with the layer below (ratio 2).
              className={`group/grid absolute inset-0 touch-manipulation bg-surface overflow-x-hidden overflow-y-scroll [overflow-anchor:none] ${cursor === null ? '-outline-offset-2' : 'outline-none'}`}
              {...presses}
            >
              <div role="presentation" style={{ height: boxPx }}>
                <div
                  ref={rows}
                  role="presentation"
                  className="absolute left-0"
                  style={{ right: railWidthPx }}
                >
                  <ShownRows
                    now={now}
                    rows={shown.rows}
                    slots={shown.slots}
                    basePx={basePx}
                    fit={fit}
                    cursor={cursor}
                    hasTiles={hasTiles}
                    viewGenerations={viewGenerations}
                    generationCells={shape.generationCells}
                    onSelectGroup={selectGroup}
                  />
                </div>
              </div>
              {marquee && (
                <div
                  className="pointer-events-none absolute border border-accent bg-accent/15"
                  style={{
                    left: marquee.left,
                    top: marquee.top,
                    width: marquee.right - marquee.left,
                    height: marquee.bottom - marquee.top,
                  }}
                />
              )}
            </div>
          </TileMenu>
          <GridKeys
            now={current}
            grid={grid}
            actions={actions}
            onOpen={onOpen}
            onSelectGroup={selectGroup}
          />
          {size && (
            <GridGuides
              now={now}
              current={current}
              grid={grid}
              size={size}
              months={shape.months}
              monthsAt={shape.monthsAt}
              railWidthPx={railWidthPx}
              onSelectGroup={selectGroup}
            />
          )}
          <NewAbove count={newAbove} onShow={() => scroller.scrollTo(0)} />
          <GridAnnouncer layout={layout} total={total} cursor={cursor} />
          <SelectionBar now={now} actions={actions} />
          {error && (
            <GridFailed
              isAll={!isTotalKnown}
              error={error}
              onRetry={() => {
                if (loaded.error) loaded.retry()
                if (shape.error) shape.retry()
              }}
            />
          )}
        </div>
      </TilePartsContext>
    </ScrollerContext>
  )
}

/**
 * Returns false until the grid should render its tiles. The first tiles of the page are a transition, so React renders
 * them in slices. In one task they would block a slow phone for half a second.
 *
 * @param isReady - The grid knows its layout and its first records.
 */
function useHasTiles(isReady: boolean): boolean {
  const [hasTiles, setHasTiles] = useState(wasAnyShown)
  useEffect(() => {
    if (isReady && !hasTiles) startTransition(() => setHasTiles(true))
  }, [isReady, hasTiles])
  return hasTiles
}

interface GridFailedProps {
  /** True if no images could be loaded; false if only a part failed. */
  isAll: boolean
  error: Error
  onRetry: () => void
}

/** The error message for images that could not be loaded, with a retry button. */
function GridFailed({ isAll, error, onRetry }: GridFailedProps) {
  const retry = <Button onClick={onRetry}>Retry</Button>
  if (isAll) {
    return (
      <div className="absolute inset-0 bg-surface">
        <Notice icon={CloudOff} tone="danger" title="Couldn’t load the images" actions={retry}>
          {reasonOf(error)}
        </Notice>
      </div>
    )
  }
  return (
    <div className="absolute inset-x-0 bottom-0 flex justify-center p-3">
      <div
        role="alert"
        className="flex items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-floating"
      >
        Couldn’t load some of the images.
        {retry}
      </div>
    </div>
  )
}
