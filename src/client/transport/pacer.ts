import type { Operation } from '#contract/operation.ts'
import { Allowance } from './allowance.ts'
import { retryAfterMsOf } from './refusal-of-answer.ts'

/** Priority of a request: a user action, background work, or a preview. */
export type CallPriority = 'foreground' | 'background' | 'preview'

/** Public state of the pacer. The object is replaced at each change and stable in between. */
export interface PacerState {
  /** Number of requests that wait for the server's rate limits. */
  readonly waiting: number
  /** When the next waiting request starts, in milliseconds of the pacer's clock; null if unknown. */
  readonly nextAt: number | null
  /** When the next waiting user action starts; null if none waits or the time is unknown. */
  readonly foregroundAt: number | null
}

/** Clock of the pacer. Tests pass a fake one. */
export interface PacerClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms` milliseconds. */
  sleep(ms: number): Promise<void>
}

/** Properties of a request that decide when it may start. */
export interface PacedRequest {
  readonly limits: readonly LimitName[]
  readonly priority: CallPriority
  readonly signal?: AbortSignal | undefined
}

interface Waiting extends PacedRequest {
  go(): void
}

/** Requests of each limit that a priority leaves unused, so that the next user action need not wait. */
const PLACES_TO_LEAVE: Readonly<Record<CallPriority, Readonly<Record<LimitName, number>>>> = {
  foreground: { default: 0, batch: 0 },
  background: { default: 10, batch: 0 },
  preview: { default: 10, batch: 4 },
}

/** Priorities, highest first. */
const PRIORITIES: readonly CallPriority[] = ['foreground', 'background', 'preview']

/** Maximum number of retries after a 429, before the refusal is passed on. */
const MAX_RESENDS = 5

const idle: PacerState = { waiting: 0, nextAt: null, foregroundAt: null }

const systemClock: PacerClock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Keeps requests within the server's rate limits, so that the server refuses none. It learns the limits from
 * the responses, delays requests that would exceed them, and sends user actions first. If the server reports no
 * limits, the pacer delays nothing.
 *
 * All calls of one client share one pacer. Tabs and scripts that share a quota learn about each other from the
 * server's `RateLimit` header.
 */
export class Pacer {
  readonly #clock: PacerClock
  readonly #allowances: Record<LimitName, Allowance> = {
    default: new Allowance(),
    batch: new Allowance(),
  }
  #waiting: Waiting[] = []
  #state = idle
  readonly #listeners = new Set<() => void>()
  #wakeAt = Number.POSITIVE_INFINITY

  constructor(clock: PacerClock = systemClock) {
    this.#clock = clock
  }

  /** Sets the limits per minute before the first response reports them; null means unlimited. */
  setLimits(limits: Readonly<Record<LimitName, number | null>>): void {
    this.#allowances.default.setQuota(limits.default)
    this.#allowances.batch.setQuota(limits.batch)
    this.#wake()
  }

  /** Returns the current state. The object is stable until the state changes. */
  getState(): PacerState {
    return this.#state
  }

  /**
   * Returns when such a request would start if it were made now, in milliseconds of the pacer's clock; Infinity
   * if a response must arrive first. Callers use it to collect more work before they send.
   */
  freeAt(request: Pick<PacedRequest, 'limits' | 'priority'>): number {
    return this.#freeAt(request, this.#clock.now())
  }

  /** Calls `listener` at every change of the state. Returns a function that removes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Calls `send` as soon as the limits allow it. After a 429 it waits as long as the server asks and retries,
   * whatever the method: a request refused for its rate changed nothing.
   *
   * @returns The last response. It is a 429 only after five retries.
   * @throws The reason of `request.signal` if it aborts while the request waits, or the error of `send`.
   */
  async send(request: PacedRequest, send: () => Promise<Response>): Promise<Response> {
    for (let resends = 0; ; resends++) {
      const response = await this.#sendOnce(request, send)
      if (response.status !== 429 || resends === MAX_RESENDS) return response
      await response.body?.cancel()
    }
  }

  async #sendOnce(request: PacedRequest, send: () => Promise<Response>): Promise<Response> {
    if (request.limits.length > 0) await this.#waitForTurn(request)
    let headers: Headers | null = null
    try {
      const response = await send()
      headers = response.headers
      this.#finish(request.limits, headers)
      if (response.status === 429) this.#blockRefusingLimits(request.limits, headers)
      return response
    } finally {
      if (headers === null) this.#finish(request.limits, new Headers())
      this.#wake()
    }
  }

  /** Resolves when the request may start, and counts it. */
  #waitForTurn(request: PacedRequest): Promise<void> {
    request.signal?.throwIfAborted()
    if (this.#freeAt(request, this.#clock.now()) <= this.#clock.now()) {
      this.#start(request.limits)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry)
        this.#publish()
        reject(request.signal?.reason)
      }
      const entry: Waiting = {
        ...request,
        go: () => {
          request.signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      request.signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(entry)
      this.#wake()
    })
  }

  #freeAt({ limits, priority }: Pick<PacedRequest, 'limits' | 'priority'>, now: number): number {
    const times = limits.map((name) =>
      this.#allowances[name].freeAt(now, PLACES_TO_LEAVE[priority][name]),
    )
    return Math.max(now, ...times)
  }

  #start(limits: readonly LimitName[]): void {
    for (const name of limits) this.#allowances[name].start(this.#clock.now())
  }

  #finish(limits: readonly LimitName[], headers: Headers): void {
    const now = this.#clock.now()
    for (const name of limits) this.#allowances[name].finish(now)
    for (const { name, values } of limitMembersOf(headers.get('ratelimit-policy'))) {
      if (values.q !== undefined) this.#allowances[name].setQuota(values.q, (values.w ?? 60) * 1000)
    }
    for (const { name, values } of limitMembersOf(headers.get('ratelimit'))) {
      if (values.r !== undefined) {
        this.#allowances[name].report(values.r, (values.t ?? 1) * 1000, now)
      }
    }
  }

  /** Blocks the limits that report no remaining requests; all of them if the headers do not say. */
  #blockRefusingLimits(limits: readonly LimitName[], headers: Headers): void {
    const until = this.#clock.now() + (retryAfterMsOf(headers) ?? 1000)
    const members = limitMembersOf(headers.get('ratelimit'))
    const spent = members.filter(({ values }) => values.r === 0).map(({ name }) => name)
    const refusing = limits.filter((name) => spent.includes(name))
    for (const name of refusing.length > 0 ? refusing : limits) {
      this.#allowances[name].blockUntil(until)
    }
  }

  /** Starts all requests that may start, by priority, and schedules the next check. */
  #wake(): void {
    const now = this.#clock.now()
    const inOrder = PRIORITIES.flatMap((priority) =>
      this.#waiting.filter((entry) => entry.priority === priority),
    )
    for (const entry of inOrder) {
      if (this.#freeAt(entry, now) > now) continue
      this.#waiting = this.#waiting.filter((other) => other !== entry)
      this.#start(entry.limits)
      entry.go()
    }
    this.#publish()
    void this.#sleepUntil(this.#state.nextAt)
  }

  async #sleepUntil(time: number | null): Promise<void> {
    if (time === null || time >= this.#wakeAt) return
    this.#wakeAt = time
    await this.#clock.sleep(Math.max(0, time - this.#clock.now()))
    if (this.#wakeAt === time) this.#wakeAt = Number.POSITIVE_INFINITY
    this.#wake()
  }

  #publish(): void {
    const now = this.#clock.now()
    const earliestOf = (requests: readonly Waiting[]): number | null => {
      const earliest = Math.min(...requests.map((entry) => this.#freeAt(entry, now)))
      return Number.isFinite(earliest) ? earliest : null
    }
    const nextAt = earliestOf(this.#waiting)
    const foregroundAt = earliestOf(
      this.#waiting.filter(({ priority }) => priority === 'foreground'),
    )
    const waiting = this.#waiting.length
    const state = this.#state
    const isSame =
      waiting === state.waiting && nextAt === state.nextAt && foregroundAt === state.foregroundAt
    if (isSame) return
    this.#state = waiting === 0 ? idle : { waiting, nextAt, foregroundAt }
    for (const listener of this.#listeners) listener()
  }
}

/** Names of the two rate limits, as in the `RateLimit` headers. */
type LimitName = 'default' | 'batch'

/** One member of a `RateLimit` or `RateLimit-Policy` header: `"batch";r=3;t=12`. */
interface LimitMember {
  readonly name: LimitName
  readonly values: Readonly<Record<string, number>>
}

const MEMBER = /"(default|batch)"((?:\s*;\s*\w+=\d+)+)/g
const VALUE = /(\w+)=(\d+)/g

const limitMembersOf = (header: string | null): LimitMember[] =>
  [...(header ?? '').matchAll(MEMBER)].map(([, name, values = '']) => ({
    name: name === 'batch' ? 'batch' : 'default',
    values: Object.fromEntries(
      [...values.matchAll(VALUE)].map(([, key = '', value]) => [key, Number(value)]),
    ),
  }))

/** Returns the rate limits that an operation counts against. */
export const limitsOf = (operation: Operation): readonly LimitName[] => {
  if (operation.limit === 'poll' || operation.limit === 'exempt') return []
  return operation.limit === 'batch' ? ['default', 'batch'] : ['default']
}
