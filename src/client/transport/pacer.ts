import type { Operation } from '#contract/operation.ts'
import { Allowance } from './allowance.ts'
import { retryAfterMsOf } from './refusal-of-answer.ts'

/** Priority of a request: a user action, background work, or a preview. */
export type RequestPriority = 'foreground' | 'background' | 'preview'

/** What a page shows of the pacer. A new object at every change, the same one in between. */
export interface PacerState {
  /** Requests that wait for the server's limits. */
  readonly waiting: number
  /** When the next of them goes, in milliseconds of the pacer's clock; null while that is not known. */
  readonly nextAt: number | null
  /** When the next one of a user action goes; null while none waits or the time is not known. */
  readonly foregroundAt: number | null
}

/** The time, so that tests can set it. */
export interface PacerClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>
}

/** What the pacer must know of a request. */
export interface PacedRequest {
  readonly limits: readonly LimitName[]
  readonly priority: RequestPriority
  readonly signal?: AbortSignal | undefined
}

interface Waiting extends PacedRequest {
  go(): void
}

/** Places that requests leave free in each limit, so that a person's next click need not wait. */
const PLACES_TO_LEAVE: Readonly<Record<RequestPriority, Readonly<Record<LimitName, number>>>> = {
  foreground: { default: 0, batch: 0 },
  background: { default: 10, batch: 0 },
  preview: { default: 10, batch: 4 },
}

/** Whose turn comes first. */
const PRIORITIES: readonly RequestPriority[] = ['foreground', 'background', 'preview']

/** How often a request is sent again after a 429, before the refusal is passed on. */
const MAX_RESENDS = 5

const idle: PacerState = { waiting: 0, nextAt: null, foregroundAt: null }

const systemClock: PacerClock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * Keeps requests within a server's published limits (spec 8), so that none is refused for coming too
 * often: it learns the limits from the answers, waits when they are reached, and lets what a person
 * waits for go first. Against a server that states no limits it does nothing.
 *
 * One pacer serves all calls of one client. Several tabs and scripts that share an allowance learn of
 * each other through the server's `RateLimit` header.
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

  /** Sets limits that are known before the first answer, per minute; null means none. */
  setLimits(limits: Readonly<Record<LimitName, number | null>>): void {
    this.#allowances.default.setQuota(limits.default)
    this.#allowances.batch.setQuota(limits.batch)
    this.#wake()
  }

  /** What waits now. */
  getState(): PacerState {
    return this.#state
  }

  /**
   * When such a request would go if it were made now, in milliseconds of the pacer's clock; Infinity
   * where an answer must come first. For who would rather gather more while it waits.
   */
  freeAt(request: Pick<PacedRequest, 'limits' | 'priority'>): number {
    return this.#freeAt(request, this.#clock.now())
  }

  /** Calls back at every change of the state. Returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Sends when the limits allow it. After a 429 it waits as long as the server asks and sends again,
   * whatever the method: a request that was refused for its rate has changed nothing.
   *
   * @returns The last answer, which is a 429 only after five more tries.
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

  /** Resolves when the request may go, which is then counted. */
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

  /** Which of the limits refused is what has nothing left; where the headers do not tell, all of them. */
  #blockRefusingLimits(limits: readonly LimitName[], headers: Headers): void {
    const until = this.#clock.now() + (retryAfterMsOf(headers) ?? 1000)
    const members = limitMembersOf(headers.get('ratelimit'))
    const spent = members.filter(({ values }) => values.r === 0).map(({ name }) => name)
    const refusing = limits.filter((name) => spent.includes(name))
    for (const name of refusing.length > 0 ? refusing : limits) {
      this.#allowances[name].blockUntil(until)
    }
  }

  /** Lets go what may go, lane by lane, and sees to it that this is asked again in time. */
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

/** The two limits of spec 8, by the names that the headers give them. */
type LimitName = 'default' | 'batch'

/** One member of a `RateLimit` or `RateLimit-Policy` header: `"batch";r=3;t=12`. */
interface LimitMember {
  readonly name: LimitName
  readonly values: Readonly<Record<string, number>>
}

const MEMBER = /"(default|batch)"((?:\s*;\s*\w+=\d+)+)/g
const VALUE = /(\w+)=(\d+)/g

/** What `RateLimit` and `RateLimit-Policy` say about each limit; empty where the header is absent. */
const limitMembersOf = (header: string | null): LimitMember[] =>
  [...(header ?? '').matchAll(MEMBER)].map(([, name, values = '']) => ({
    name: name === 'batch' ? 'batch' : 'default',
    values: Object.fromEntries(
      [...values.matchAll(VALUE)].map(([, key = '', value]) => [key, Number(value)]),
    ),
  }))

/** The limits that an operation counts in (spec 8; wire 11, row 19). */
export const limitsOf = (operation: Operation): readonly LimitName[] => {
  if (operation.limit === 'poll' || operation.limit === 'exempt') return []
  return operation.limit === 'batch' ? ['default', 'batch'] : ['default']
}
