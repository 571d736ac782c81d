import { createContext, useContext } from 'react'
import {
  placeAfterScroll,
  type ScrollMapping,
  scrollMapping,
} from '#gallery/images/place/scroll-mapping.ts'

/** Above this speed, in pixels per millisecond, nothing is fetched and no thumbnail is loaded. */
const FAST = 2.5

/** Below this speed loading resumes. Lower than {@link FAST}, so that the state does not flicker. */
const SLOW = 1.2

/** Time without movement after which scrolling has stopped, in milliseconds. */
const REST_MS = 110

type OnMove = (contentTop: number, isMoving: boolean) => void

/**
 * The scroll position of the grid. It knows the position in the content, which may be higher than any box that a
 * browser can lay out, and whether the scrolling is slow enough to load thumbnails.
 */
export class GridScroller {
  #element: HTMLElement | null = null
  #mapping: ScrollMapping = scrollMapping(0, 0)
  #viewportPx = 0
  #scrollTop = 0
  #contentTop = 0
  #isScrollingSlowly = true
  #isHeld = false
  #lastMove = 0
  #rest: ReturnType<typeof setTimeout> | undefined
  readonly #onMove = new Set<OnMove>()
  readonly #onSpeed = new Set<() => void>()
  readonly #onShift = new Set<() => void>()

  /** The content position at the upper edge of the viewport, in pixels. */
  get contentTop(): number {
    return this.#contentTop
  }

  get viewportPx(): number {
    return this.#viewportPx
  }

  /** True while the browser shows the keyboard focus in the grid. */
  get hasVisibleFocus(): boolean {
    return this.#element?.matches(':focus-visible') === true
  }

  /** Returns a content position as a share of the scrollable height, from 0 at the top to 1 at the end. */
  scrollableShare(contentTop: number): number {
    const last = this.#mapping.boxPx - this.#viewportPx
    return last <= 0 ? 0 : this.#mapping.toScroll(contentTop) / last
  }

  /** Difference between the content position and the element's scroll position, in pixels. */
  get shiftPx(): number {
    return this.#contentTop - this.#scrollTop
  }

  /** Starts to listen to an element. Returns a function that stops it. */
  attach(element: HTMLElement): () => void {
    this.#element = element
    const moved = () => this.#readScroll()
    // Not `scrollend`: browsers fire it after every position set by a script, even during fast scrolling.
    element.addEventListener('scroll', moved, { passive: true })
    return () => {
      element.removeEventListener('scroll', moved)
      clearTimeout(this.#rest)
      this.#rest = undefined
      this.#element = null
    }
  }

  /** Sets the height of the content and of the viewport. The content position stays the same if it still exists. */
  resize(contentPx: number, viewportPx: number): void {
    this.#mapping = scrollMapping(contentPx, viewportPx)
    this.#viewportPx = viewportPx
  }

  /** Scrolls to a content position as if the user had moved there. */
  scrollTo(contentTop: number): void {
    const before = this.#contentTop
    const now = performance.now()
    this.#place(contentTop)
    this.#updateSpeed(Math.abs(this.#contentTop - before), now - this.#lastMove)
    this.#lastMove = now
    this.#report(true)
    this.#waitForRest()
  }

  /** Sets the content position after the content around it has changed. */
  settleAt(contentTop: number): void {
    this.#place(contentTop)
    this.#report(false)
  }

  /** Registers a listener that is called after every movement, and once at rest. Returns a function that removes it. */
  readonly observe = (onMove: OnMove): (() => void) => {
    this.#onMove.add(onMove)
    return () => this.#onMove.delete(onMove)
  }

  /** Registers a listener that is called when {@link shiftPx} may have changed without a movement of the content. */
  observeShift(onShift: () => void): () => void {
    this.#onShift.add(onShift)
    return () => this.#onShift.delete(onShift)
  }

  /** True while the user holds a scroll handle, even without movement. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Marks the scrolling as fast while the user holds a handle. Returns a function to call on release. */
  hold(): () => void {
    this.#isHeld = true
    this.#setScrollingSlowly(false)
    return () => {
      this.#isHeld = false
      this.#settle()
    }
  }

  readonly subscribeSpeed = (onChange: () => void): (() => void) => {
    this.#onSpeed.add(onChange)
    return () => this.#onSpeed.delete(onChange)
  }

  readonly isScrollingSlowly = (): boolean => this.#isScrollingSlowly

  /** Runs an effect while the grid rests or scrolls slowly. Returns a function that ends this for good. */
  whileScrollingSlowly(begin: () => () => void): () => void {
    let end: (() => void) | null = null
    const restart = () => {
      end?.()
      end = this.#isScrollingSlowly ? begin() : null
    }
    restart()
    const unsubscribe = this.subscribeSpeed(restart)
    return () => {
      unsubscribe()
      end?.()
    }
  }

  #readScroll() {
    const element = this.#element
    if (element === null) return
    const scrollTop = element.scrollTop
    // This event was caused by a position set here.
    if (Math.abs(scrollTop - this.#scrollTop) < 1) return
    const before = { scrollTop: this.#scrollTop, contentTop: this.#contentTop }
    const after = placeAfterScroll(this.#mapping, before, scrollTop, this.#viewportPx)
    this.#scrollTop = after.scrollTop
    this.#contentTop = after.contentTop
    const now = performance.now()
    this.#updateSpeed(Math.abs(after.contentTop - before.contentTop), now - this.#lastMove)
    this.#lastMove = now
    this.#report(true)
    this.#waitForRest()
  }

  #updateSpeed(travelledPx: number, tookMs: number) {
    if (this.#isHeld) return
    const speed = travelledPx / Math.min(Math.max(tookMs, 8), REST_MS)
    if (this.#isScrollingSlowly ? speed > FAST : speed < SLOW)
      this.#setScrollingSlowly(!this.#isScrollingSlowly)
  }

  /** Settles after the last movement. A running timer is kept, because a new one for each movement slows down scrolling. */
  #waitForRest(afterMs = REST_MS) {
    if (this.#rest !== undefined) return
    // In a frame, because on a busy machine the timer may fire before the scroll events of a movement.
    const look = () => {
      this.#rest = undefined
      const restMs = performance.now() - this.#lastMove
      if (restMs >= REST_MS) this.#settle()
      else this.#waitForRest(REST_MS - restMs)
    }
    this.#rest = setTimeout(() => requestAnimationFrame(look), afterMs)
  }

  #settle() {
    if (this.#isHeld) return
    // While the content moved pixel by pixel, the thumb drifted from its mapped position.
    this.#place(this.#contentTop)
    this.#setScrollingSlowly(true)
    this.#report(false)
  }

  #place(contentTop: number) {
    const last = this.#mapping.toContent(this.#mapping.boxPx)
    const wanted = Math.min(Math.max(0, contentTop), last)
    const scrollTop = this.#mapping.toScroll(wanted)
    // If box and content have the same height, use the rounded position for both: no fractional difference.
    this.#contentTop = this.#mapping.boxPx > last + this.#viewportPx - 1 ? scrollTop : wanted
    this.#scrollTop = scrollTop
    if (this.#element && Math.abs(this.#element.scrollTop - scrollTop) >= 1) {
      this.#element.scrollTop = scrollTop
    }
    for (const onShift of this.#onShift) onShift()
  }

  #setScrollingSlowly(isScrollingSlowly: boolean) {
    if (isScrollingSlowly === this.#isScrollingSlowly) return
    this.#isScrollingSlowly = isScrollingSlowly
    for (const onChange of this.#onSpeed) onChange()
  }

  #report(isMoving: boolean) {
    for (const onMove of this.#onMove) onMove(this.#contentTop, isMoving)
  }
}

/** Context with the scroller of the grid around a tile. */
export const ScrollerContext = createContext<GridScroller | null>(null)

export function useScroller(): GridScroller {
  const scroller = useContext(ScrollerContext)
  if (scroller === null) throw new Error('A tile was rendered outside of a grid.')
  return scroller
}
