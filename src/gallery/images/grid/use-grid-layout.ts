import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
import { isByDate } from '#gallery/url/place-order.ts'
import { areGenerationsInPlace, generationsInBlock, generationsInDays } from './grid-generations.ts'
import { geometryOf } from './grid-geometry.ts'
import { type Lead, layoutOf, NO_LEAD, plainLayoutOf } from './grid-layout.ts'
import { useTilePx } from './grid-preferences.ts'

/** Views longer than this, in screens, get the month rail. */
const LONG_SCREENS = 4

/** Views shorter than this lose it. It is smaller, so that one delete or undo does not change tile sizes. */
const STILL_LONG_SCREENS = 3

const NO_MONTHS: readonly Month[] = []

interface GridLayoutOptions {
  view: ImageView
  isGrouping: boolean
  size: ElementSize | null
  /** Number of images in the view; undefined until the server has answered. */
  knownTotal: number | undefined
  remembered: RememberedPlace | null
  viewGenerations: ViewGenerations | undefined
}

/** Returns the layout of a view as far as it is known, in one block or by day. */
export function useGridLayout(options: GridLayoutOptions) {
  const { view, isGrouping, size, knownTotal, remembered, viewGenerations } = options
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
  const isInPlace = areGenerationsInPlace(view, { isByDay, hasStarredHead })
  const generationCells = useGenerationCells(view, viewGenerations, geometry.columns, isInPlace)
  const cells = generationCells.length
  const areAllFailed = generationCells.every(({ generation }) => generation?.status === 'failed')
  const layout = useMemo(() => {
    if (!isByDay) {
      const inBlock = generationsInBlock(cells, geometry.columns, isInPlace)
      return plainLayoutOf(geometry, total, lead, inBlock)
    }
    const inDays = generationsInDays(groups, cells, isInPlace, { areAllFailed })
    return layoutOf(geometry, inDays.groups, lead, inDays.generations)
  }, [isByDay, geometry, groups, total, lead, cells, areAllFailed, isInPlace])
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
    /** Refines the day boundaries from loaded windows. Call it during render. */
    learnDays: (windows: ImageWindows) => {
      if (isGrouped && days) learn(days, total, windows)
    },
  }
}

/** Delay before days with a wrong sum are counted again, in milliseconds. Events correct most of them sooner. */
const OFF_MS = 1_500

/** Returns true if the server can count this view's images by day. */
const useHasDays = (view: ImageView): boolean =>
  useHasExtension('image_days') && !isTrash(view) && isByDate(view.orderBy ?? 'created_at')

/**
 * Returns the number of images per day of a view. Fetched again after a change, and when the total differs from the
 * sum.
 *
 * @param total - Number of images in the view; undefined until it is known.
 * @param isWanted - False: nothing is fetched.
 */
function useImageDays(view: ImageView, total: number | undefined, isWanted: boolean) {
  const { imageQueries } = useGallery()
  // Memoized, because its key contains the time zone, which is slow to read in each frame of a fling.
  const days = useMemo(() => imageQueries.days(view), [imageQueries, view])
  const query = useQuery({ ...days, enabled: isWanted })
  const { data, isFetching, isStale, error, refetch } = query
  const countedFor = useRef<number | undefined>(undefined)
  const isOff = data !== undefined && total !== undefined && totalOf(data) !== total
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
  return {
    /** Undefined until the server has answered. */
    days: isWanted ? data : undefined,
    /** True while the first answer is pending. */
    isPending: isWanted && data === undefined && error === null,
    error: isWanted && data === undefined ? error : null,
    retry: () => void refetch(),
  }
}
