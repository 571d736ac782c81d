import { backoffMs } from '#contract/backoff.ts'
import { Listeners } from '#gallery/api/listeners.ts'
import { nextHeldUntil, nextRequests } from './outbox-next.ts'
import { OpenSteps, type Outcome, type StepListeners } from './outbox-open-steps.ts'
import {
  type Aspect,
  addChanges,
  applyAnswer,
  applyLookup,
  type Change,
  countTargets,
  type Entry,
  emptyOutbox,
  isSameAspect,
  type Outbox,
  type Request,
  requeueUnanswered,
  startRequest,
  targetsOf,
  type Value,
  withdrawChanges,
} from './outbox-state.ts'
import { NoAnswerError, type OutboxState, type OutboxWork, type Refusals } from './outbox-work.ts'
import { CANCELED } from './skip-reasons.ts'

/** The polling interval while the next request depends on the answer to another one, in milliseconds. */
const POLL_MS = 250

/** The time before which a paused change is not sent. */
export const PAUSED = Number.POSITIVE_INFINITY

const retryBackoff = { firstMs: 1_000, longestMs: 30_000 }

/** Sends the pending changes to the server, one request at a time. */
export class OutboxWorker {
  readonly #work: OutboxWork
  #outbox: Outbox = emptyOutbox
  #state: OutboxState = { steps: 0, nextAt: null, failures: 0 }
  #failures = 0
  #retryAt = 0
  #isRunning = false
  #wake: () => void = () => {}
  readonly #steps = new OpenSteps()
  readonly #changes = new Listeners()
  readonly subscribe = this.#changes.add

  constructor(work: OutboxWork) {
    this.#work = work
  }

  getState(): OutboxState {
    return this.#state
  }

  entries(): Entry[] {
    return [...this.#outbox.sending, ...this.#outbox.waiting]
  }

  /**
   * Adds a step and starts to send it.
   *
   * @param options.heldUntil - The time before which it is not sent, in milliseconds since 1970.
   * @returns The number of the step, and in `left` the number of its targets that need an answer of the server.
   */
  take(
    changes: readonly Change[],
    options: StepListeners & { heldUntil?: number } = {},
  ): { step: number; outcome: Promise<Outcome>; left: number } {
    const fitting = changes.flatMap((change) => this.#cut(change))
    const { step, outcome } = this.#steps.begin(countTargets(fitting), options)
    const { outbox, settled } = addChanges(this.#outbox, fitting, step, options.heldUntil)
    this.#change(outbox)
    this.#steps.settle(settled)
    void this.#run()
    return { step, outcome, left: this.#steps.leftOf(step) }
  }

  /** Removes changes that are not sent yet, and returns the removed targets. */
  withdraw(changes: Pick<Change, 'aspect' | 'targets'>): string[] {
    const { outbox, withdrawn: entries } = withdrawChanges(this.#outbox, changes)
    this.#change(outbox)
    this.#steps.settle(entries)
    return targetsOf(entries)
  }

  /** Holds the unsent changes of a step until {@link resume}, also across a reload. */
  pause(step: number): void {
    this.#hold(step, PAUSED)
  }

  resume(step: number): void {
    this.#hold(step, 0)
    void this.#run()
  }

  /** Removes the unsent changes of a step. They are refused as {@link CANCELED}. */
  cancel(step: number): void {
    const { waiting } = this.#outbox
    const canceled = waiting.filter((entry) => isLastOf(entry, step))
    this.#change({ ...this.#outbox, waiting: waiting.filter((entry) => !canceled.includes(entry)) })
    const refusals = new Map(targetsOf(canceled).map((target) => [target, CANCELED]))
    this.#steps.settle(canceled, refusals)
  }

  /** A request in flight is held too: without an answer it would be sent again. */
  #hold(step: number, heldUntil: number): void {
    const hold = (entry: Entry) => (isLastOf(entry, step) ? { ...entry, heldUntil } : entry)
    const { waiting, sending } = this.#outbox
    this.#change({ waiting: waiting.map(hold), sending: sending.map(hold) })
  }

  #cut(change: Change): Change[] {
    const { aspect, targets } = change
    const size = this.#work.maxTargets(aspect, targets.length)
    if (targets.length <= size) return [change]
    return Array.from({ length: Math.ceil(targets.length / size) }, (_, at) => ({
      ...change,
      targets: targets.slice(at * size, (at + 1) * size),
    }))
  }

  /** Retries at once instead of waiting for the backoff. */
  retryNow(): void {
    this.#retryAt = 0
    this.#wake()
    void this.#run()
  }

  /** Sends the changes that are delayed for Undo. */
  release(): void {
    const waiting = this.#outbox.waiting.map((entry) => ({ ...entry, heldUntil: 0 }))
    this.#change({ ...this.#outbox, waiting })
  }

  /** Discards all pending changes. An active request continues. */
  drop(): void {
    this.#change(emptyOutbox)
  }

  /** Checks again which requests can be sent, after the rate limits have changed. */
  wake(): void {
    this.#wake()
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#outbox.waiting.length > 0) await this.#next()
    } finally {
      this.#isRunning = false
      this.#publish(null)
    }
  }

  async #next(): Promise<void> {
    const now = this.#work.now()
    const requests = nextRequests(this.#outbox, { now, maxTargets: this.#work.maxTargets })
    const heldUntil = nextHeldUntil(this.#outbox, now)
    if (requests.length === 0) return this.#pause(heldUntil ?? now, null)
    // A request that must wait for its rate limit does not block requests of another limit.
    const times = requests.map((request) => Math.max(this.#retryAt, this.#work.freeAt(request)))
    // Read the clock again: `freeAt` returns the current time, which may be later than `now`.
    const later = this.#work.now()
    const request = requests[times.findIndex((time) => time <= later)]
    if (request === undefined) {
      const goesAt = Math.min(...times)
      // A delayed change becomes due earlier and may belong to another limit.
      const lookAt = Math.min(goesAt, heldUntil ?? goesAt)
      return this.#pause(lookAt, Number.isFinite(goesAt) ? goesAt : null)
    }
    const unknown = request.entries.filter(
      ({ before, isLookedUp }) => before === undefined && isLookedUp !== true,
    )
    if (unknown.length > 0) return this.#learn(request.aspect, unknown)
    // Nothing is awaited before this, because a change during the wait could withdraw the request.
    this.#change(startRequest(this.#outbox, request))
    await this.#send(request)
  }

  async #send(request: Request): Promise<void> {
    try {
      const refusals = await this.#work.send(request, {
        isWanted: () => !this.#isReplaced(request),
        onPart: (imageCount) =>
          this.#steps.tell(request.entries, ({ onPart }) => onPart?.(imageCount)),
        onBoardImages: (images) =>
          this.#steps.tell(request.entries, ({ onBoardImages }) => onBoardImages?.(images)),
        onRestored: (boards) =>
          this.#steps.tell(request.entries, ({ onRestored }) => onRestored?.(boards)),
      })
      this.#failures = 0
      this.#answered(refusals)
    } catch (error) {
      if (error instanceof NoAnswerError) return this.#noAnswer()
      const reason = error instanceof Error ? error.message : String(error)
      this.#failures = 0
      this.#answered(new Map(targetsOf(request.entries).map((target) => [target, reason])))
    }
  }

  /** Returns true if a later change of the same targets waits, such as the Undo of this request. */
  #isReplaced({ aspect, entries }: Request): boolean {
    const targets = new Set(targetsOf(entries))
    return this.#outbox.waiting.some(
      (later) =>
        isSameAspect(later.aspect, aspect) && later.targets.some((target) => targets.has(target)),
    )
  }

  #answered(refusals: Refusals): void {
    const { outbox, entries } = applyAnswer(this.#outbox, new Set(refusals.keys()))
    this.#change(outbox)
    this.#steps.settle(entries, refusals)
  }

  #noAnswer(): void {
    this.#retryAt = this.#work.now() + backoffMs(retryBackoff, this.#failures)
    this.#failures++
    this.#change(requeueUnanswered(this.#outbox))
  }

  /** Asks the server for unknown previous values. Undo needs them, and unchanged targets need not be sent. */
  async #learn(aspect: Aspect, unknown: readonly Entry[]): Promise<void> {
    // Without an answer the changes are sent anyway, but Undo cannot restore the unknown values.
    const values = await this.#work
      .lookUp(aspect, targetsOf(unknown))
      .catch(() => new Map<string, Value>())
    const { outbox, settled, learned } = applyLookup(this.#outbox, unknown, values)
    for (const one of learned) this.#steps.learn(one)
    this.#change(outbox)
    this.#steps.settle(settled)
  }

  async #pause(until: number, nextAt: number | null): Promise<void> {
    this.#publish(nextAt)
    const ms = Number.isFinite(until) ? until - this.#work.now() : POLL_MS
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await Promise.race([this.#work.sleep(Math.max(0, ms)), woken])
  }

  #change(outbox: Outbox): void {
    this.#outbox = outbox
    this.#work.save(this.entries())
    this.#wake()
    this.#publish(this.#state.nextAt)
  }

  #publish(nextAt: number | null): void {
    const now = this.#work.now()
    const shown = this.entries().filter(({ heldUntil }) => heldUntil <= now)
    const steps = new Set(shown.flatMap((entry) => entry.steps)).size
    const failures = this.#failures
    const { steps: oldSteps, nextAt: oldNextAt, failures: oldFailures } = this.#state
    if (steps === oldSteps && nextAt === oldNextAt && failures === oldFailures) return
    this.#state = { steps, nextAt, failures }
    this.#changes.emit()
  }
}

/** True if the step is the latest one that requested the change. */
const isLastOf = ({ steps }: Entry, step: number): boolean => steps.at(-1) === step
