import { useEffect, useLayoutEffect, useState } from 'react'
import { type Seen, type Shift, shiftOf } from '#gallery/api/answer/image-shift.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type ImageWindows, windowIndexOf } from '#gallery/api/images/image-windows.ts'
import { closeGaps } from '#gallery/images/grid/close-gaps.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type Lead, NO_LEAD, withLead } from '#gallery/images/grid/grid-layout.ts'
import {
  contentTopFor,
  type GridNow,
  leadOfPivot,
  loadedRecords,
  type Pivot,
  pivotAtTop,
  seenImages,
  seenRange,
} from '#gallery/images/grid/grid-now.ts'
import { topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { moveCursorWithImage, unselectGone } from '#gallery/images/selection/selected-images.ts'
import { shiftSelection } from '#gallery/images/selection/selection-store.ts'
import { fetchPosition } from './find-position.ts'
import { AT_TOP_PX, isLeadSeen, keepOnScreen, type ShownLayout } from './grid-anchor.ts'
import { type RememberedPlace, savePlace } from './remembered-place.ts'

interface ScrollAnchorOptions {
  readonly grid: GridHandle
  readonly api: GalleryApi
  readonly remembered: RememberedPlace | null
  /** Called when the layout needs leading empty cells to keep images in their columns. */
  readonly onLead: (lead: Lead) => void
  /** Called when the number of new images above the screen changes. */
  readonly onNewAbove: (change: (count: number) => number) => void
}

/** Keeps visible images in place: on inserts and removals above, new tile sizes, reloads and back navigation. */
export class ScrollAnchor {
  readonly #grid: GridHandle
  readonly #options: ScrollAnchorOptions
  /** The last render, and the images to show once they are loaded; `null` if they are shown. */
  #before: { readonly now: GridNow; readonly awaited: readonly Seen[] | null } | null = null
  #pivot: Pivot | null = null
  #isRestoring: boolean
  #viewportPx = 0

  constructor(options: ScrollAnchorOptions) {
    this.#grid = options.grid
    this.#options = options
    this.#isRestoring = options.remembered !== null
  }

  /** Sets the image that keeps its place during the next change of the tile size. */
  readonly setPivot = (pivot: Pivot): void => {
    this.#pivot = pivot
  }

  /**
   * Restores the visible images to their place after the grid has rendered, before the browser paints.
   *
   * @param viewportPx - 0 while there is no layout yet.
   * @param isTotalKnown - False while the total of the grid is only an estimate.
   */
  afterRender(viewportPx: number, isTotalKnown: boolean): void {
    this.#viewportPx = viewportPx
    if (viewportPx === 0) return
    const { now } = this.#grid
    const { scroller, layout, total } = now
    const last = this.#before
    const { remembered, api } = this.#options
    const contentTop = scroller.contentTop
    const isReshaped = last !== null && last.now.layout.geometry !== layout.geometry
    // Scrolling renders only the rows, so the images on the screen may have changed since the last render.
    const seen = last
      ? ((this.#isRestoring ? last.awaited : null) ?? seenImages(last.now))
      : remembered
        ? [{ ...remembered, isStarred: null }]
        : []

    if (last === null) {
      const rememberedTop =
        remembered && topOfPosition(layout, remembered.position) + remembered.offsetPx
      this.#show({ layout, contentTop: rememberedTop ?? contentTop })
    } else if (isReshaped) this.#reshape(last.now)
    else if (last.now.layout !== layout) this.#moveWithLayout(last.now.layout, seen)
    this.#pivot = null

    if (isTotalKnown && !isReshaped && hasChanged(last?.now.windows, now.windows)) {
      const was = last
        ? { layout: last.now.layout, contentTop }
        : { layout, contentTop: scroller.contentTop }
      this.#keepInPlace(was, seen, total - (last?.now.total ?? total))
      moveCursorWithImage(api.queryClient, now)
      if (last && total < last.now.total) unselectGone(api.queryClient, last.now, now)
    }
    if (last && isTotalKnown && !isReshaped && total < last.now.total) {
      closeGaps(this.#grid, { now: last.now, contentTop })
    }
    const isWaiting = this.#isRestoring && seen.length > 0
    this.#before = { now: this.#grid.now, awaited: isWaiting ? seen : null }
  }

  /** Saves the place whenever the scrolling stops and before the page unloads. Returns a function that stops it. */
  watch(): () => void {
    const { onLead, onNewAbove } = this.#options
    const save = () => savePlace(this.#grid.now)
    const stop = this.#grid.scroller.observe((contentTop, isMoving) => {
      if (isMoving) this.#isRestoring = false
      if (contentTop < AT_TOP_PX) onNewAbove(() => 0)
      if (isMoving) return
      if (isLeadSeen({ layout: this.#grid.now.layout, contentTop })) onLead(NO_LEAD)
      save()
    })
    window.addEventListener('pagehide', save)
    return () => {
      stop()
      window.removeEventListener('pagehide', save)
      save()
    }
  }

  /** Shows a layout at a content position, before React renders it. */
  #show({ layout, contentTop }: ShownLayout) {
    const { scroller } = this.#grid
    this.#grid.update({ ...this.#grid.now, layout })
    scroller.resize(layout.heightPx, this.#viewportPx)
    scroller.settleAt(contentTop)
    this.#options.onLead(layout.lead)
  }

  /** After the layout has changed, for example by a new day or a generation: keeps the first visible row in place. */
  #moveWithLayout(before: ShownLayout['layout'], seen: readonly Seen[]) {
    const { scroller, layout } = this.#grid.now
    const { contentTop } = scroller
    const isAtTop = contentTop < AT_TOP_PX
    const { remembered } = this.#options
    if (this.#isRestoring && remembered !== null) {
      const top = topOfPosition(layout, remembered.position)
      this.#show({ layout, contentTop: top + remembered.offsetPx })
      return
    }
    // The rows of images that are not loaded are only likely ones, so a loaded image is kept in place.
    const from = seen[0]?.position ?? seenRange({ scroller, layout: before }).from
    const haveGenerationsChanged =
      before.generations.key !== layout.generations.key ||
      before.generations.cells !== layout.generations.cells
    const movedPx = topOfPosition(layout, from) - topOfPosition(before, from)
    if (isAtTop) this.#show({ layout, contentTop })
    else if (haveGenerationsChanged) {
      this.#show(keepOnScreen({ layout: before, contentTop }, { from, to: from }, layout))
    } else this.#show({ layout, contentTop: contentTop + movedPx })
  }

  /** After the tile size has changed: restores the image at the top, or under the pointer, to its place. */
  #reshape(last: GridNow) {
    const { scroller, layout } = this.#grid.now
    const anchored = this.#pivot ?? pivotAtTop(last)
    const isAtTop = scroller.contentTop < AT_TOP_PX
    const inColumn = withLead(layout, leadOfPivot(layout, anchored))
    const shown = { layout: inColumn, contentTop: contentTopFor(inColumn, anchored) }
    // The empty cells are only allowed if a row above can hide them.
    const isHidden = !isAtTop && !isLeadSeen(shown)
    const plain = withLead(layout, NO_LEAD)
    if (isHidden) this.#show(shown)
    else if (isAtTop && this.#pivot === null) this.#show({ layout: plain, contentTop: 0 })
    else this.#show({ layout: plain, contentTop: contentTopFor(plain, anchored) })
  }

  /** After the records have changed: restores the visible images to their place on the screen. */
  #keepInPlace(was: ShownLayout, seen: readonly Seen[], grown: number) {
    const { now } = this.#grid
    const first = seen[0]
    if (first === undefined || !now.windows.has(windowIndexOf(first.position))) return
    const isAtTop = now.scroller.contentTop < AT_TOP_PX && !this.#isRestoring
    const shift = shiftOf(seen, loadedRecords(now))
    if (isAtTop) {
      shiftSelection(shift ? shift.to - shift.from : 0)
      return
    }
    const isCounted = !this.#isRestoring && grown !== 0
    this.#isRestoring = false
    if (shift === null && isCounted && grown > 0) {
      this.#moveBy(was, { from: first.position, to: first.position + grown }, true)
    } else if (shift === null) void this.#moveToWhereItIs(first)
    else if (shift.from !== shift.to) this.#moveBy(was, shift, isCounted)
  }

  #moveBy(was: ShownLayout, shift: Shift, isCounted: boolean) {
    this.#show(keepOnScreen(was, shift, this.#grid.now.layout))
    const by = shift.to - shift.from
    shiftSelection(by)
    // Images that were removed again must not be counted as new.
    if (isCounted) this.#options.onNewAbove((count) => Math.max(0, count + by))
  }

  /** Scrolls to the current position of an image, unless the user scrolls meanwhile. */
  async #moveToWhereItIs({ imageName, position }: Seen) {
    const { view, scroller } = this.#grid.now
    const contentTop = scroller.contentTop
    const place = await fetchPosition(this.#options.api, view, imageName)
    if (place === null || scroller.contentTop !== contentTop) return
    const { layout } = this.#grid.now
    this.#moveBy({ layout, contentTop }, { from: position, to: place }, false)
    this.#before = this.#before && { ...this.#before, now: this.#grid.now }
  }
}

/** Returns true if a window that was loaded before has changed. Added and dropped windows do not count. */
const hasChanged = (before: ImageWindows | undefined, after: ImageWindows): boolean =>
  [...after].some(([index, window]) => before?.get(index) !== window)

interface UseScrollAnchorOptions
  extends Pick<ScrollAnchorOptions, 'grid' | 'remembered' | 'onLead'> {
  /** 0 while there is no layout yet. */
  readonly viewportPx: number
  /** False while the total of the grid is only an estimate. */
  readonly isTotalKnown: boolean
}

/** Keeps the visible images at their place on the screen with a {@link ScrollAnchor}. */
export function useScrollAnchor(options: UseScrollAnchorOptions) {
  const { grid, remembered, onLead, viewportPx, isTotalKnown } = options
  const api = useGallery()
  const [newAbove, onNewAbove] = useState(0)
  const [anchor] = useState(() => new ScrollAnchor({ grid, api, remembered, onLead, onNewAbove }))
  useLayoutEffect(() => anchor.afterRender(viewportPx, isTotalKnown))
  useEffect(() => anchor.watch(), [anchor])
  return {
    setPivot: anchor.setPivot,
    /** Number of images inserted above since the user left the top. */
    newAbove,
  }
}
