import type { Settled, Value } from './outbox-state.ts'
import type { ImagesByBoard, MovedWithBoard, Refusals } from './outbox-work.ts'

/** The result of a step: image names or board IDs. */
export interface Outcome {
  readonly done: string[]
  readonly failed: { readonly name: string; readonly reason: string }[]
}

export interface StepListeners {
  /** Called with the previous value of targets after the server was asked for it. */
  readonly onLearned?: (targets: readonly string[], value: Value) => void
  /** Called after each part except the last, with the number of its images. */
  readonly onPart?: (imageCount: number) => void
  /** Called with the images that left a deleted board, or returned to a restored one. */
  readonly onBoardImages?: (images: MovedWithBoard) => void
  /** Called with restored images, by the board to which the server returned them. */
  readonly onRestored?: (boards: ImagesByBoard) => void
}

interface OpenStep {
  left: number
  readonly result: Outcome
  readonly resolve: (outcome: Outcome) => void
  readonly listeners: StepListeners
}

/** The steps that still wait for answers. A step is one user action. */
export class OpenSteps {
  readonly #open = new Map<number, OpenStep>()
  #next = 1

  /** @returns The number of the step, and a promise that resolves when `count` targets are settled. */
  begin(count: number, listeners: StepListeners = {}): { step: number; outcome: Promise<Outcome> } {
    const step = this.#next++
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>()
    const result: Outcome = { done: [], failed: [] }
    if (count === 0) resolve(result)
    else this.#open.set(step, { left: count, result, resolve, listeners })
    return { step, outcome }
  }

  /** Returns the number of targets of a step that are not settled. */
  leftOf(step: number): number {
    return this.#open.get(step)?.left ?? 0
  }

  settle(settled: readonly Settled[], refusals: Refusals = new Map()): void {
    for (const { steps, targets } of settled) {
      for (const step of steps) this.#settle(step, targets, refusals)
    }
  }

  learn({ steps, targets, value }: Settled & { value: Value }): void {
    for (const step of steps) this.#open.get(step)?.listeners.onLearned?.(targets, value)
  }

  /** Calls a listener of each open step of the entries. */
  tell(entries: readonly Settled[], call: (listeners: StepListeners) => void): void {
    for (const step of new Set(entries.flatMap(({ steps }) => steps))) {
      const open = this.#open.get(step)
      if (open !== undefined) call(open.listeners)
    }
  }

  #settle(step: number, targets: readonly string[], refusals: Refusals): void {
    const open = this.#open.get(step)
    if (open === undefined) return
    const { done, failed } = open.result
    for (const name of targets) {
      const reason = refusals.get(name)
      if (reason === undefined) done.push(name)
      else failed.push({ name, reason })
    }
    open.left -= targets.length
    if (open.left > 0) {
      const doneCount = targets.filter((name) => !refusals.has(name)).length
      if (doneCount > 0) open.listeners.onPart?.(doneCount)
      return
    }
    this.#open.delete(step)
    open.resolve(open.result)
  }
}
