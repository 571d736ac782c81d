import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { type ImageWindows, windowIndexOf } from '#gallery/api/images/image-windows.ts'
import { type Lead, NO_LEAD, withLead } from '#gallery/images/grid/grid-layout.ts'
import {
  contentTopFor,
  type GridNow,
  leadOfPivot,
  loadedRecord,
  loadedRecords,
  type Pivot,
  pivotAtTop,
  seenImages,
  seenRange,
} from '#gallery/images/grid/grid-now.ts'
import { topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { cachedPosition, unselectGone } from '#gallery/images/selection/selected-images.ts'
import {
  currentCursor,
  shiftSelection,
  updateCursor,
} from '#gallery/images/selection/selection-store.ts'
import {
  AT_TOP_PX,
  isLeadSeen,
  keepOnScreen,
  type Seen,
  type Shift,
  type ShownLayout,
  shiftOf,
} from './grid-anchor.ts'
import { forgetPlace, type RememberedPlace, rememberPlace } from './remembered-place.ts'

interface ScrollAnchorOptions {
  now: GridNow
  viewportPx: number
  /** False while `now.total` is only an estimate. */
  isTotalKnown: boolean
  remembered: RememberedPlace | null
  /** Called when the layout needs leading empty cells to keep images in their columns. */
  onLead: (lead: Lead) => void
}

interface ScrollAnchor {
  /** Sets the image that keeps its place during the next change of the tile size. */
  setPivot: (pivot: Pivot) => void
  /** Number of images inserted above since the user left the top. */
  newAbove: number
}

/**
 * Keeps the visible images at their place on the screen: when images are inserted or removed above, when the tile size
 * changes, after a reload and after back navigation.
 */
export function useScrollAnchor(options: ScrollAnchorOptions): ScrollAnchor {
  const { now, viewportPx, isTotalKnown, remembered, onLead } = options
  const client = useQueryClient()
  const [newAbove, setNewAbove] = useState(0)
  const pivot = useRef<Pivot | null>(null)
  const latest = useRef(now)
  const before = useRef<{ now: GridNow; seen: readonly Seen[] } | null>(null)
  const isRestoring = useRef(remembered !== null)

  /** Shows a layout at a content position, before React renders it. */
  const show = useCallback(
    ({ layout, contentTop }: ShownLayout) => {
      const { scroller } = latest.current
      latest.current = { ...latest.current, layout }
      scroller.resize(layout.heightPx, viewportPx)
      scroller.settleAt(contentTop)
      onLead(layout.lead)
    },
    [onLead, viewportPx],
  )

  const moveBy = useCallback(
    (was: ShownLayout, shift: Shift, isCounted: boolean) => {
      show(keepOnScreen(was, shift, latest.current.layout))
      const by = shift.to - shift.from
      shiftSelection(by)
      // Images that were removed again must not be counted as new.
      if (isCounted) setNewAbove((count) => Math.max(0, count + by))
    },
    [show],
  )

  useLayoutEffect(() => {
    latest.current = now
    if (viewportPx === 0) return
    const { scroller, layout, total } = now
    const last = before.current
    const contentTop = scroller.contentTop
    const isReshaped = last !== null && last.now.layout.geometry !== layout.geometry

    if (last === null) {
      const rememberedTop =
        remembered && topOfPosition(layout, remembered.position) + remembered.offsetPx
      show({ layout, contentTop: rememberedTop ?? contentTop })
    } else if (isReshaped) {
      reshape(last.now)
    } else if (last.now.layout !== layout) {
      const { from } = seenRange(last.now)
      const isAtTop = contentTop < AT_TOP_PX
      const was = { layout: last.now.layout, contentTop }
      const haveGenerationsChanged =
        was.layout.generations.key !== layout.generations.key ||
        was.layout.generations.cells !== layout.generations.cells
      const movedPx = topOfPosition(layout, from) - topOfPosition(last.now.layout, from)
      if (!isAtTop && haveGenerationsChanged) show(keepOnScreen(was, { from, to: from }, layout))
      else show({ layout, contentTop: isAtTop ? contentTop : contentTop + movedPx })
    }
    pivot.current = null

    const seen = last?.seen ?? (remembered ? [seenFrom(remembered)] : [])
    if (isTotalKnown && !isReshaped && hasChanged(last?.now.windows, now.windows)) {
      const was = last
        ? { layout: last.now.layout, contentTop }
        : { layout, contentTop: scroller.contentTop }
      keepInPlace(was, seen, total - (last?.now.total ?? total))
      updateCursorPosition(client, now)
      if (last && total < last.now.total) unselectGone(client, last.now, now)
    }
    const isWaiting = isRestoring.current && seen.length > 0
    before.current = { now: latest.current, seen: isWaiting ? seen : seenImages(latest.current) }
  })

  /** After the tile size has changed: restores the image at the top, or under the pointer, to its place. */
  function reshape(last: GridNow) {
    const { scroller, layout } = now
    const anchored = pivot.current ?? pivotAtTop(last)
    const isAtTop = scroller.contentTop < AT_TOP_PX
    const inColumn = withLead(layout, leadOfPivot(layout, anchored))
    const shown = { layout: inColumn, contentTop: contentTopFor(inColumn, anchored) }
    // The empty cells are only allowed if a row above can hide them.
    const isHidden = !isAtTop && !isLeadSeen(shown)
    const plain = withLead(layout, NO_LEAD)
    if (isHidden) show(shown)
    else if (isAtTop && pivot.current === null) show({ layout: plain, contentTop: 0 })
    else show({ layout: plain, contentTop: contentTopFor(plain, anchored) })
  }

  /** After the records have changed: restores the visible images to their place on the screen. */
  function keepInPlace(was: ShownLayout, seen: readonly Seen[], grown: number) {
    const first = seen[0]
    if (first === undefined || !now.windows.has(windowIndexOf(first.position))) return
    const isAtTop = now.scroller.contentTop < AT_TOP_PX && !isRestoring.current
    const shift = shiftOf(seen, loadedRecords(now))
    if (isAtTop) {
      shiftSelection(shift ? shift.to - shift.from : 0)
      return
    }
    const isCounted = !isRestoring.current && grown !== 0
    isRestoring.current = false
    if (shift === null && isCounted && grown > 0) {
      moveBy(was, { from: first.position, to: first.position + grown }, true)
    } else if (shift === null) void moveToWhereItIs(first)
    else if (shift.from !== shift.to) moveBy(was, shift, isCounted)
  }

  async function moveToWhereItIs({ imageName, position }: Seen) {
    const { view, scroller } = now
    const contentTop = scroller.contentTop
    const place = await positionOf(client, now, imageName)
    const isStillThere = latest.current.view === view && scroller.contentTop === contentTop
    if (place === null || !isStillThere) return
    const { layout } = latest.current
    moveBy({ layout, contentTop }, { from: position, to: place }, false)
    before.current = before.current && { ...before.current, now: latest.current }
  }

  const { view, scroller } = now
  useEffect(() => {
    const remember = () => rememberNow(latest.current)
    const stop = scroller.observe((contentTop, isMoving) => {
      if (isMoving) isRestoring.current = false
      if (contentTop < AT_TOP_PX) setNewAbove(0)
      if (isMoving || latest.current.view !== view) return
      if (isLeadSeen({ layout: latest.current.layout, contentTop })) onLead(NO_LEAD)
      remember()
    })
    window.addEventListener('pagehide', remember)
    return () => {
      stop()
      window.removeEventListener('pagehide', remember)
      remember()
    }
  }, [view, scroller, onLead])

  const setPivot = useCallback((next: Pivot) => {
    pivot.current = next
  }, [])
  return { setPivot, newAbove }
}

const seenFrom = ({ imageName, position }: RememberedPlace): Seen => ({
  imageName,
  position,
  isStarred: null,
})

/**
 * Returns true if a window that was loaded before has changed. Windows that were only added or dropped do not count.
 */
const hasChanged = (before: ImageWindows | undefined, after: ImageWindows): boolean =>
  [...after].some(([index, window]) => before?.get(index) !== window)

/** Keeps the focus on its image if the image moved differently from the rest, else on its position. */
function updateCursorPosition(client: QueryClient, now: GridNow) {
  const cursor = currentCursor()
  const record = cursor && loadedRecord(now, cursor.position)
  if (!cursor || record?.image_name === cursor.imageName) return
  const position = cachedPosition(client, now, cursor.imageName)
  if (position !== null) updateCursor({ ...cursor, position })
  else if (record) updateCursor({ ...cursor, imageName: record.image_name })
}

async function positionOf(client: QueryClient, { view }: GridNow, imageName: string) {
  try {
    const { position } = await client.fetchQuery(imageQueries.position(view, imageName))
    return position
  } catch {
    // The image is gone or the request failed: stay at the same position.
    return null
  }
}

function rememberNow(now: GridNow) {
  const { view, scroller, layout, total } = now
  const first = seenImages(now)[0]
  if (scroller.viewportPx === 0) return
  if (scroller.contentTop < AT_TOP_PX) forgetPlace(view)
  else if (first) {
    rememberPlace(view, {
      imageName: first.imageName,
      position: first.position,
      offsetPx: scroller.contentTop - topOfPosition(layout, first.position),
      total,
    })
  }
}
