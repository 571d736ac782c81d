/** Work that requests began. A request may end before it: when a client hangs up, or the server closes. */
export class UnderWay {
  readonly #works = new Set<Promise<unknown>>()

  /** @returns The same promise. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#works.add(work)
    const forget = () => this.#works.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Waits until all has ended, well or not. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) await Promise.allSettled(this.#works)
  }
}
