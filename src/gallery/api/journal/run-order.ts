import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'

type Start = () => Promise<Outcome>

interface Run {
  /** The step must not overtake or merge with earlier steps. */
  readonly mustWait: boolean
  /** Later steps must not overtake it or merge with earlier ones. */
  readonly mustBlock: boolean
  /** Starts the step; undefined if it has to be loaded first. */
  readonly start: Start | undefined
  readonly load: () => Promise<Start>
}

/**
 * Runs the steps of Undo and Redo in their order. A step starts at once if it can, without waiting for the server, so
 * that several steps are visible at once and share requests.
 *
 * Boards are deleted and restored after all earlier steps and before all later ones: a board must exist before images
 * return to it, and be empty before its creation is undone. Images are trashed after all earlier steps: the outbox would
 * merge it with their restoring, and the changes in between need the restored images.
 */
export class RunOrder {
  /** The active steps. The value is true if later ones must wait for them. */
  readonly #active = new Map<Promise<Outcome>, boolean>()
  #tail: Promise<void> = Promise.resolve()
  #queuedCount = 0

  run(run: Run): Promise<Outcome> {
    const { start, mustBlock } = run
    const canStart = this.#queuedCount === 0 && !this.#isBlocked(run)
    return start && canStart ? this.#begin(start, mustBlock) : this.#queue(run)
  }

  #queue(run: Run): Promise<Outcome> {
    const result = Promise.withResolvers<Outcome>()
    this.#queuedCount += 1
    this.#tail = this.#tail.then(async () => {
      while (this.#isBlocked(run)) await Promise.allSettled(this.#active.keys())
      const start = run.start ?? (await run.load())
      this.#queuedCount -= 1
      this.#begin(start, run.mustBlock).then(result.resolve, result.reject)
    })
    return result.promise
  }

  #begin(start: Start, mustBlock: boolean): Promise<Outcome> {
    const outcome = start()
    this.#active.set(outcome, mustBlock)
    const forget = () => void this.#active.delete(outcome)
    outcome.then(forget, forget)
    return outcome
  }

  #isBlocked({ mustWait }: Run): boolean {
    return (mustWait && this.#active.size > 0) || [...this.#active.values()].includes(true)
  }
}
