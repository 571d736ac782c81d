import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'

type Start = () => Promise<Outcome>

interface Run {
  /** True for a step that deletes or restores a board. */
  readonly isOfWholeBoard: boolean
  /** Starts the step; undefined if it has to be loaded first. */
  readonly start: Start | undefined
  readonly load: () => Promise<Start>
}

/**
 * Runs the steps of Undo and Redo in their order. A step starts at once if it can, without waiting for the server, so
 * that several steps are visible at once and share requests.
 *
 * Boards are deleted and restored after all earlier steps and before all later ones: a board must exist before images
 * return to it, and be empty before its creation is undone.
 */
export class RunOrder {
  /** The active steps. The value is true if they delete or restore a board. */
  readonly #active = new Map<Promise<Outcome>, boolean>()
  #tail: Promise<void> = Promise.resolve()
  #queuedCount = 0

  run(run: Run): Promise<Outcome> {
    const { start, isOfWholeBoard } = run
    if (start && this.#queuedCount === 0 && !this.#mustWait(isOfWholeBoard)) {
      return this.#begin(start, isOfWholeBoard)
    }
    return this.#queue(run)
  }

  #queue({ isOfWholeBoard, start, load }: Run): Promise<Outcome> {
    const result = Promise.withResolvers<Outcome>()
    this.#queuedCount += 1
    this.#tail = this.#tail.then(async () => {
      while (this.#mustWait(isOfWholeBoard)) await Promise.allSettled(this.#active.keys())
      const loaded = start ?? (await load())
      this.#queuedCount -= 1
      this.#begin(loaded, isOfWholeBoard).then(result.resolve, result.reject)
    })
    return result.promise
  }

  #begin(start: Start, isOfWholeBoard: boolean): Promise<Outcome> {
    const outcome = start()
    this.#active.set(outcome, isOfWholeBoard)
    const forget = () => void this.#active.delete(outcome)
    outcome.then(forget, forget)
    return outcome
  }

  #mustWait(isOfWholeBoard: boolean): boolean {
    const isAfterBoard = [...this.#active.values()].includes(true)
    return isAfterBoard || (isOfWholeBoard && this.#active.size > 0)
  }
}
