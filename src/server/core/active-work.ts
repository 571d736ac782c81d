/** Work that runs in the background. It can outlive the request that started it. */
export class ActiveWork {
  readonly #works = new Set<Promise<unknown>>()

  /** @returns The same promise. Its caller handles the error. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#works.add(work)
    const forget = () => this.#works.delete(work)
    work.then(forget, forget)
    return work
  }

  get isIdle(): boolean {
    return this.#works.size === 0
  }

  /** Waits until all work has finished or failed. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) await Promise.allSettled(this.#works)
  }
}
