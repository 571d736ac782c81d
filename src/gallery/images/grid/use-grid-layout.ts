import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ImageDays } from '#contract/image.ts'
import { capabilitiesQuery, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { type ImageView, type ImageWindows, isTrash } from '#gallery/api/images/image-windows.ts'
import type { RememberedPlace } from '#gallery/images/place/remembered-place.ts'
import type { BeingMade } from '#gallery/images/tiles/making-cells.ts'
import { useHasStarredHead, useMakingCells } from '#gallery/images/tiles/use-making-cells.ts'
import { totalOf } from '#gallery/images/timeline/day-groups.ts'
import { type Month, monthsOf } from '#gallery/images/timeline/month-marks.ts'
import { RAIL_PX } from '#gallery/images/timeline/month-rail.tsx'
import { useDayGroups } from '#gallery/images/timeline/use-day-groups.ts'
import type { ElementSize } from '#gallery/ui/use-element-size.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { isByDate } from '#gallery/url/place-order.ts'
import { geometryOf } from './grid-geometry.ts'
import { type Lead, layoutOf, NO_LEAD, plainLayoutOf } from './grid-layout.ts'
import { isMadeInPlace, makingInBlock, makingInDays } from './grid-making.ts'
import { useTilePx } from './grid-preferences.ts'

/** A view that is longer, in screens, gets the month rail. */
const LONG_SCREENS = 4

/** A shorter one loses it. Less than {@link LONG_SCREENS}, so that one delete or undo does not change tile sizes. */
const STILL_LONG_SCREENS = 3

const NO_MONTHS: readonly Month[] = []

interface GridLayoutOptions {
  view: ImageView
  isGrouping: boolean
  size: ElementSize | null
  /** Images in the view; undefined until the server has said it. */
  knownTotal: number | undefined
  remembered: RememberedPlace | null
  beingMade: BeingMade | undefined
}

/** Where all images of a view stand, as far as is known: in one block, or by day. */
export function useGridLayout(options: GridLayoutOptions) {
  const { view, isGrouping, size, knownTotal, remembered, beingMade } = options
  const tilePx = useTilePx()
  const isCompact = useIsCompact()
  const hasDays = useHasDays(view)
  const isServerKnown = !useQuery(capabilitiesQuery).isPending
  const [lead, setLead] = useState<Lead>(NO_LEAD)
  const hasBeenReady = useRef(false)
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
  const besidePx = isLong && !isCompact ? RAIL_PX : 0
  const geometry = useMemo(
    () => geometryOf(widthPx - besidePx, tilePx),
    [widthPx, besidePx, tilePx],
  )

  const isGrouped = isGrouping && hasDays
  const { days, isPending, error, retry } = useImageDays(view, knownTotal, isGrouped || isLong)
  const months = useMemo(() => (days && isLong ? monthsOf(days) : NO_MONTHS), [days, isLong])
  const screenful = geometry.columns * Math.ceil(viewportPx / geometry.rowPx)
  const total = likelyTotal ?? (days ? totalOf(days) : screenful)
  const isByDay = isGrouped && days !== undefined && groups !== null
  const hasStarredHead = useHasStarredHead(view)
  const isInPlace = isMadeInPlace(view, { isByDay, hasStarredHead })
  const makingCells = useMakingCells(view, beingMade, geometry.columns, isInPlace)
  const cells = makingCells.length
  const areAllFailed = makingCells.every(({ generation }) => generation?.status === 'failed')
  const layout = useMemo(() => {
    if (!isByDay) {
      const inBlock = makingInBlock(cells, geometry.columns, isInPlace)
      return plainLayoutOf(geometry, total, lead, inBlock)
    }
    const inDays = makingInDays(groups, cells, isInPlace, { areAllFailed })
    return layoutOf(geometry, inDays.groups, lead, inDays.making)
  }, [isByDay, geometry, groups, total, lead, cells, areAllFailed, isInPlace])
  // A view that begins by day waits for them; one that is shown already stands as it is until they come.
  const isWaiting = isGrouped && !isByDay && (isPending || days !== undefined)
  if (size !== null && isServerKnown && !isWaiting) hasBeenReady.current = true

  return {
    layout,
    total,
    /** What is being made, by the cells that the layout has for it. */
    makingCells,
    months,
    /** Where months can be gone to: beside the tiles, by a handle over them, or not at all. */
    monthsAt: !isLong ? null : isCompact ? ('handle' as const) : ('side' as const),
    /** What stands between the tiles and the scrollbar, in pixels. */
    besidePx,
    isReady: size !== null && hasBeenReady.current,
    error: isGrouped ? error : null,
    retry,
    leadWanted: useCallback(
      (next: Lead) =>
        setLead((before) =>
          next.key === before.key && next.cells === before.cells ? before : next,
        ),
      [],
    ),
    /** Call it while rendering, when windows are there: they may say better where days begin and end. */
    learnDays: (windows: ImageWindows) => {
      if (isGrouped && days) learn(days, total, windows)
    },
  }
}

/** Days whose sum is off are counted again after so long, in milliseconds: what lands mends most of them. */
const OFF_MS = 1_500

interface LoadedDays {
  /** Undefined until the server has answered. */
  readonly days: ImageDays | undefined
  /** The answer is on its way. */
  readonly isPending: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Whether the days of a view can be asked for. */
const useHasDays = (view: ImageView): boolean =>
  useHasExtension('image_days') && !isTrash(view) && isByDate(view.orderBy ?? 'created_at')

/**
 * How many images each day of a view has. Counted again after a change, and when the view has grown or
 * shrunk otherwise.
 *
 * @param total - Images in the view; undefined while that is not known.
 * @param isWanted - False: nothing is asked for.
 */
function useImageDays(view: ImageView, total: number | undefined, isWanted: boolean): LoadedDays {
  const query = useQuery({ ...imageQueries.days(view), enabled: isWanted })
  const { data, isFetching, isStale, error, refetch } = query
  const countedFor = useRef<number | undefined>(undefined)
  const isOff = data !== undefined && total !== undefined && totalOf(data) !== total
  useEffect(() => {
    if (!isWanted || data === undefined || isFetching || error !== null) return
    // Once for a total: while changes are on their way to the server, its count is another.
    if (!isStale && !(isOff && countedFor.current !== total)) return
    const count = () => {
      countedFor.current = total
      void refetch()
    }
    const timer = setTimeout(count, isStale ? 0 : OFF_MS)
    return () => clearTimeout(timer)
  }, [isWanted, data, isFetching, error, isStale, isOff, total, refetch])
  return {
    days: isWanted ? data : undefined,
    isPending: isWanted && data === undefined && error === null,
    error: isWanted && data === undefined ? error : null,
    retry: () => void refetch(),
  }
}
