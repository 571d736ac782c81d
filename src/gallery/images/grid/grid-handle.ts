import type { GridNow } from './grid-now.ts'
import type { GridScroller } from './grid-scroller.ts'

/** A grid for code that runs outside of rendering, such as event handlers. It is the same object on each render. */
export class GridHandle {
  /** The scrolled element; `null` while the grid is not mounted. */
  element: HTMLElement | null = null
  #now: GridNow

  constructor(now: GridNow) {
    this.#now = now
  }

  /** The state of the last render. */
  get now(): GridNow {
    return this.#now
  }

  get scroller(): GridScroller {
    return this.#now.scroller
  }

  /** Replaces {@link now} after a render. */
  update(now: GridNow): void {
    this.#now = now
  }

  /** Connects the grid to its element. Returns a function that disconnects it. */
  attach(element: HTMLElement): () => void {
    this.element = element
    const detach = this.scroller.attach(element)
    return () => {
      detach()
      this.element = null
    }
  }
}
