import { Refusal } from '#server/core/refusal.ts'

interface Turn {
  /** Asks the holder to end its turn. */
  readonly askToEnd: () => void
  readonly ended: Promise<void>
}

/** Time that a request waits for an earlier one of the same upload, in milliseconds. */
const MAX_WAIT_MS = 10_000

/** Lets requests of one upload work one after another. A later one asks the earlier one to end. */
export class Turns {
  readonly #turns = new Map<string, Turn>()

  /**
   * Waits for a turn.
   *
   * @returns A function that ends the turn.
   * @throws {Refusal} `upload_in_use` if the earlier turn does not end in time.
   */
  async take(key: string, askToEnd: () => void, signal?: AbortSignal): Promise<() => void> {
    const inTime = AbortSignal.any([
      AbortSignal.timeout(MAX_WAIT_MS),
      ...(signal === undefined ? [] : [signal]),
    ])
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    tooLate.catch(() => {}) // nobody may wait for it
    inTime.addEventListener('abort', () => reject(new Refusal('upload_in_use')), { once: true })
    for (;;) {
      const turn = this.#turns.get(key)
      if (turn === undefined) break
      turn.askToEnd()
      await Promise.race([turn.ended, tooLate])
    }
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    this.#turns.set(key, { askToEnd, ended })
    return () => {
      this.#turns.delete(key)
      resolve()
    }
  }

  /** Does short work in a turn that does not end early. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const endTurn = await this.take(key, () => {})
    try {
      return await work()
    } finally {
      endTurn()
    }
  }
}
