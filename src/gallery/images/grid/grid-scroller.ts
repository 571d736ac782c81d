import { createContext, useContext } from 'react'
import {
  placeAfterScroll,
  type ScrollMapping,
  scrollMapping,
} from '#gallery/images/place/scroll-mapping.ts'

/** Above this speed nothing is fetched and no picture is loaded, in pixels a millisecond. */
const FAST = 2.5

/** Below this one it is again. Apart from {@link FAST}, so that it does not flicker. */
const CALM = 1.2

/** After so long without movement the person has stopped, in milliseconds. */
const REST_MS = 110

type OnMove = (contentTop: number, isMoving: boolean) => void

/**
 * Where the grid is scrolled to. It knows the place in the content, which may be higher than any box a
 * browser lays out, and whether the person is calm enough for pictures to be worth loading.
 */
export class GridScroller {
  #element: HTMLElement | null = null
  #mapping: ScrollMapping = scrollMapping(0, 0)
  #viewportPx = 0
  #scrollTop = 0
  #contentTop = 0
  #isCalm = true
  #isHeld = false
  #lastMove = 0
  #rest: ReturnType<typeof setTimeout> | undefined
  readonly #onMove = new Set<OnMove>()
  readonly #onCalm = new Set<() => void>()
  readonly #onShift = new Set<() => void>()

  /** The place in the content at the upper edge of the viewport, in pixels. */
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

  /** How far down a place in the content is, from 0 at the top to 1 at the end. */
  scrollableShare(contentTop: number): number {
    const last = this.#mapping.boxPx - this.#viewportPx
    return last <= 0 ? 0 : this.#mapping.toScroll(contentTop) / last
  }

  /** By how much the content lies deeper than the box says, in pixels. */
  get shiftPx(): number {
    return this.#contentTop - this.#scrollTop
  }

  /** Begins to listen. Call what it returns to stop. */
  attach(element: HTMLElement): () => void {
    this.#element = element
    const moved = () => this.#moved()
    // Not `scrollend`: it comes after every position that a script sets, in the middle of a fling too.
    element.addEventListener('scroll', moved, { passive: true })
    return () => {
      element.removeEventListener('scroll', moved)
      clearTimeout(this.#rest)
      this.#element = null
    }
  }

  /** Says how high content and viewport are now. The place in the content stays as far as there is any. */
  resize(contentPx: number, viewportPx: number): void {
    this.#mapping = scrollMapping(contentPx, viewportPx)
    this.#viewportPx = viewportPx
  }

  /** Goes to a place in the content as if the person had moved there. */
  scrollTo(contentTop: number): void {
    const before = this.#contentTop
    const now = performance.now()
    this.#place(contentTop)
    this.#felt(Math.abs(this.#contentTop - before), now - this.#lastMove)
    this.#lastMove = now
    this.#report(true)
    this.#waitForRest()
  }

  /** Goes to a place in the content because the content around it has changed. */
  settleAt(contentTop: number): void {
    this.#place(contentTop)
    this.#report(false)
  }

  /** Calls back after every movement, and once at rest. */
  observe(onMove: OnMove): () => void {
    this.#onMove.add(onMove)
    return () => this.#onMove.delete(onMove)
  }

  /** Calls back when {@link shiftPx} may have changed without a movement of the content. */
  observeShift(onShift: () => void): () => void {
    this.#onShift.add(onShift)
    return () => this.#onShift.delete(onShift)
  }

  /** Whether a person holds it, wherever they rest. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** A person has taken hold of a handle: nothing is calm until they let go, which is what is returned. */
  hold(): () => void {
    this.#isHeld = true
    this.#setCalm(false)
    return () => {
      this.#isHeld = false
      this.#stopped()
    }
  }

  readonly subscribeCalm = (onChange: () => void): (() => void) => {
    this.#onCalm.add(onChange)
    return () => this.#onCalm.delete(onChange)
  }

  readonly isCalm = (): boolean => this.#isCalm

  /**
   * Begins something each time the grid becomes calm, and now if it is. Ends it when the grid moves fast again.
   *
   * @param begin - Returns a function that ends what it began.
   * @returns What ends it for good.
   */
  whileCalm(begin: () => () => void): () => void {
    let end: (() => void) | null = null
    const follow = () => {
      end?.()
      end = this.#isCalm ? begin() : null
    }
    follow()
    const unsubscribe = this.subscribeCalm(follow)
    return () => {
      unsubscribe()
      end?.()
    }
  }

  #moved() {
    const element = this.#element
    if (element === null) return
    const scrollTop = element.scrollTop
    // The echo of a position that was set from here.
    if (Math.abs(scrollTop - this.#scrollTop) < 1) return
    const before = { scrollTop: this.#scrollTop, contentTop: this.#contentTop }
    const after = placeAfterScroll(this.#mapping, before, scrollTop, this.#viewportPx)
    this.#scrollTop = after.scrollTop
    this.#contentTop = after.contentTop
    const now = performance.now()
    this.#felt(Math.abs(after.contentTop - before.contentTop), now - this.#lastMove)
    this.#lastMove = now
    this.#report(true)
    this.#waitForRest()
  }

  #felt(travelledPx: number, tookMs: number) {
    if (this.#isHeld) return
    const speed = travelledPx / Math.min(Math.max(tookMs, 8), REST_MS)
    if (this.#isCalm ? speed > FAST : speed < CALM) this.#setCalm(!this.#isCalm)
  }

  #waitForRest() {
    clearTimeout(this.#rest)
    const moved = this.#lastMove
    // A frame may take longer than that on a busy machine: only one without a movement is a rest.
    const look = () => moved === this.#lastMove && this.#stopped()
    this.#rest = setTimeout(() => requestAnimationFrame(look), REST_MS)
  }

  #stopped() {
    if (this.#isHeld) return
    // While the content was moved pixel by pixel, the thumb drifted from where it belongs.
    this.#place(this.#contentTop)
    this.#setCalm(true)
    this.#report(false)
  }

  #place(contentTop: number) {
    const last = this.#mapping.toContent(this.#mapping.boxPx)
    const wanted = Math.min(Math.max(0, contentTop), last)
    const scrollTop = this.#mapping.toScroll(wanted)
    // Where box and content are the same, a fraction of a pixel is not worth a difference between them.
    this.#contentTop = this.#mapping.boxPx > last + this.#viewportPx - 1 ? scrollTop : wanted
    this.#scrollTop = scrollTop
    if (this.#element && Math.abs(this.#element.scrollTop - scrollTop) >= 1) {
      this.#element.scrollTop = scrollTop
    }
    for (const onShift of this.#onShift) onShift()
  }

  #setCalm(isCalm: boolean) {
    if (isCalm === this.#isCalm) return
    this.#isCalm = isCalm
    for (const onChange of this.#onCalm) onChange()
  }

  #report(isMoving: boolean) {
    for (const onMove of this.#onMove) onMove(this.#contentTop, isMoving)
  }
}

/** The scroller of the grid that a tile is in. */
export const ScrollerContext = createContext<GridScroller | null>(null)

/** The scroller of the grid around this tile. */
export function useScroller(): GridScroller {
  const scroller = useContext(ScrollerContext)
  if (scroller === null) throw new Error('A tile stands outside of a grid.')
  return scroller
}
