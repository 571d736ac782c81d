/** Number of images that start to load per frame. Sixty at once, as after a jump, would block the page for 30 ms. */
const PER_FRAME = 16

/** Starts to load a few images per frame, in the order of their requests. */
export class PictureQueue {
  readonly #waiting = new Set<() => void>()
  #frame = 0

  /** Queues the loading of an image. Returns a function that removes it from the queue. */
  add(begin: () => void): () => void {
    this.#waiting.add(begin)
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#beginNext)
    return () => this.#waiting.delete(begin)
  }

  readonly #beginNext = (): void => {
    for (const begin of [...this.#waiting].slice(0, PER_FRAME)) {
      this.#waiting.delete(begin)
      begin()
    }
    this.#frame = this.#waiting.size > 0 ? requestAnimationFrame(this.#beginNext) : 0
  }
}
