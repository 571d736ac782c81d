import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ImageRatios } from '#contract/image-ratios.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type ImageView, type ImageWindows, isTrash } from '#gallery/api/images/image-windows.ts'
import type { RememberedPlace } from '#gallery/images/place/remembered-place.ts'
import type { ViewGenerations } from '#gallery/images/tiles/generation-cells.ts'
import {
  useGenerationCells,
  useHasStarredHead,
} from '#gallery/images/tiles/use-generation-cells.ts'
import { totalOf } from '#gallery/images/timeline/day-groups.ts'
import { type Month, monthsOf } from '#gallery/images/timeline/month-marks.ts'
import { RAIL_PX } from '#gallery/images/timeline/month-rail.tsx'
import { useDayGroups } from '#gallery/images/timeline/use-day-groups.ts'
import type { ElementSize } from '#gallery/ui/use-element-size.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { isByDate, type TileLayout } from '#gallery/url/place-order.ts'
import { areGenerationsInPlace, generationsInBlock, generationsInDays } from './grid-generations.ts'
import { geometryOf } from './grid-geometry.ts'
import { type Lead, layoutOf, NO_LEAD, plainLayoutOf } from './grid-layout.ts'
import { useTilePx } from './grid-preferences.ts'
import { type LearnedRatios, learnRatios, RatioIndex } from './ratio-index.ts'

/** Views longer than this, in screens, get the month rail. */
const LONG_SCREENS = 4

/** Views shorter than this lose it. It is smaller, so that one delete or undo does not change tile sizes. */
const STILL_LONG_SCREENS = 3

const NO_MONTHS: readonly Month[] = []

const NONE_LOADED: LearnedRatios['loaded'] = new Map()

interface GridLayoutOptions {
  view: ImageView
  isGrouping: boolean
  tileLayout: TileLayout
  size: ElementSize | null
  /** Number of images in the view; undefined until the server has answered. */
  knownTotal: number | undefined
  remembered: RememberedPlace | null
  viewGenerations: ViewGenerations | undefined
}

/** Returns the layout of a view as far as it is known, in one block or by day. */
export function useGridLayout(options: GridLayoutOptions) {
  const { view, isGrouping, tileLayout, size, knownTotal, remembered, viewGenerations } = options
  const tilePx = useTilePx()
  const isCompact = useIsCompact()
  const hasDays = useHasDays(view)
  const isServerKnown = !useQuery(useGallery().capabilities.query).isPending
  const [lead, setLead] = useState<Lead>(NO_LEAD)
  const [hasBeenReady, setHasBeenReady] = useState(false)
  const [groups, learn] = useDayGroups(view)

  const widthPx = size?.widthPx ?? 0
  const viewportPx = size?.heightPx ?? 0
  const wide = useMemo(() => geometryOf(widthPx, tilePx), [widthPx, tilePx])
  const likelyTotal = knownTotal ?? remembered?.total
  const rows = Math.ceil((likelyTotal ?? 0) / wide.columns)
  const [wasLong, setWasLong] = useState(false)
  const longPx = (wasLong ? STILL_LONG_SCREENS : LONG_SCREENS) * viewportPx
  const isLong = hasDays && size !== null && rows * wide.rowPx > longPx
  if (isLong !== wasLong) setWasLong(isLong)
  const railWidthPx = isLong && !isCompact ? RAIL_PX : 0
  const geometry = useMemo(
    () => geometryOf(widthPx - railWidthPx, tilePx),
    [widthPx, railWidthPx, tilePx],
  )

  const isGrouped = isGrouping && hasDays
  const { days, isPending, error, retry } = useImageDays(view, knownTotal, isGrouped || isLong)
  const months = useMemo(() => (days && isLong ? monthsOf(days) : NO_MONTHS), [days, isLong])
  const screenful = geometry.columns * Math.ceil(viewportPx / geometry.rowPx)
  const total = likelyTotal ?? (days ? totalOf(days) : screenful)
  const isByDay = isGrouped && days !== undefined && groups !== null
  const hasStarredHead = useHasStarredHead(view)
  const isJustified = useIsJustified(view, tileLayout)
  // A justified row has no room for squares, so generations are in rows above the images.
  const isInPlace = areGenerationsInPlace(view, { isByDay, hasStarredHead })
  // Deferred like the layout: the answer moves all tiles.
  const ratioAnswer = useDeferredValue(
    useImageRatios(view, knownTotal, { isByDay: isGrouped, isWanted: isJustified }),
  )
  const [learned, setLearned] = useState<LearnedRatios | null>(null)
  const ratios = useMemo(
    () => (isJustified ? new RatioIndex(ratioAnswer, learned?.loaded ?? NONE_LOADED) : null),
    [isJustified, ratioAnswer, learned],
  )
  const generationCells = useGenerationCells(
    view,
    viewGenerations,
    geometry.columns,
    isInPlace && !isJustified,
  )
  const cells = generationCells.length
  const areAllFailed = generationCells.every(({ generation }) => generation?.status === 'failed')
  const layout = useMemo(() => {
    if (!isByDay) {
      const inBlock = generationsInBlock(cells, geometry.columns, isInPlace || isJustified)
      return plainLayoutOf(geometry, total, ratios ? NO_LEAD : lead, inBlock, ratios)
    }
    const inDays = generationsInDays(groups, cells, isInPlace, { areAllFailed })
    return layoutOf(geometry, inDays.groups, ratios ? NO_LEAD : lead, inDays.generations, ratios)
  }, [isByDay, geometry, groups, total, lead, cells, areAllFailed, isInPlace, isJustified, ratios])
  // A view that starts grouped waits for its days. A view that is already shown keeps its layout until they arrive.
  const isWaiting = isGrouped && !isByDay && (isPending || days !== undefined)
  const isReady = size !== null && (hasBeenReady || (isServerKnown && !isWaiting))
  if (isReady && !hasBeenReady) setHasBeenReady(true)

  return {
    layout,
    total,
    /** The running generations, one per cell that the layout reserves. */
    generationCells,
    months,
    /** Shows the month control as a rail next to the tiles, as a handle over them, or not at all. */
    monthsAt: !isLong ? null : isCompact ? ('handle' as const) : ('side' as const),
    /** Width of the month rail between the tiles and the scrollbar, in pixels; 0 without a rail. */
    railWidthPx,
    isReady,
    error: isGrouped ? error : null,
    retry,
    requestLead: useCallback(
      (next: Lead) =>
        setLead((before) =>
          next.key === before.key && next.cells === before.cells ? before : next,
        ),
      [],
    ),
    /** Refines day boundaries and justified rows from loaded windows. Call it during render. */
    learn: (windows: ImageWindows) => {
      if (isGrouped && days) learn(days, total, windows)
      if (!isJustified) return
      const next = learnRatios(learned, windows, total)
      if (next !== learned) setLearned(next)
    },
  }
}

/** Delay before days with a wrong sum are counted again, in milliseconds. Events correct most of them sooner. */
const OFF_MS = 1_500

/** Returns true if the tiles of this view are justified rows. The trash and some servers have no sums of ratios. */
const useIsJustified = (view: ImageView, tileLayout: TileLayout): boolean =>
  useHasExtension('image_ratios') && !isTrash(view) && tileLayout === 'rows'

/** Returns true if the server can count this view's images by day. */
const useHasDays = (view: ImageView): boolean =>
  useHasExtension('image_days') && !isTrash(view) && isByDate(view.orderBy ?? 'created_at')

/**
 * Returns the number of images per day of a view.
 *
 * @param total - Number of images in the view; undefined until it is known.
 * @param isWanted - False: nothing is fetched.
 */
function useImageDays(view: ImageView, total: number | undefined, isWanted: boolean) {
  const { imageQueries } = useGallery()
  // Memoized, because its key contains the time zone, which is slow to read in each frame of a fling.
  const options = useMemo(() => imageQueries.days(view), [imageQueries, view])
  const query = useQuery({ ...options, enabled: isWanted })
  useRecount(query, { total, isWanted, countOf: totalOf })
  const { data, error, refetch } = query
  return {
    /** Undefined until the server has answered. */
    days: isWanted ? data : undefined,
    /** True while the first answer is pending. */
    isPending: isWanted && data === undefined && error === null,
    error: isWanted && data === undefined ? error : null,
    retry: () => void refetch(),
  }
}

/** Returns the sums of the ratios of a view; undefined until the server has answered. */
function useImageRatios(
  view: ImageView,
  total: number | undefined,
  { isByDay, isWanted }: { isByDay: boolean; isWanted: boolean },
): ImageRatios | undefined {
  const { imageQueries } = useGallery()
  const options = useMemo(() => imageQueries.ratios(view, isByDay), [imageQueries, view, isByDay])
  const query = useQuery({ ...options, enabled: isWanted })
  useRecount(query, { total, isWanted, countOf: countOfRatios })
  return isWanted ? query.data : undefined
}

const countOfRatios = ({ groups }: ImageRatios): number =>
  groups.reduce((sum, { count }) => sum + count, 0)

/** Fetches counts again after a change of the view, and when they do not add up to its total. */
function useRecount<Data>(
  query: Pick<UseQueryResult<Data>, 'data' | 'isFetching' | 'isStale' | 'error' | 'refetch'>,
  options: { total: number | undefined; isWanted: boolean; countOf: (data: Data) => number },
): void {
  const { total, isWanted, countOf } = options
  const { data, isFetching, isStale, error, refetch } = query
  const countedFor = useRef<number | undefined>(undefined)
  const isOff = data !== undefined && total !== undefined && countOf(data) !== total
  useEffect(() => {
    if (!isWanted || data === undefined || isFetching || error !== null) return
    // Only once per total: while changes are being sent, the server's count differs.
    if (!isStale && !(isOff && countedFor.current !== total)) return
    const count = () => {
      countedFor.current = total
      void refetch()
    }
    const timer = setTimeout(count, isStale ? 0 : OFF_MS)
    return () => clearTimeout(timer)
  }, [isWanted, data, isFetching, error, isStale, isOff, total, refetch])
}
