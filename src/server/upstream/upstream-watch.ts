import {
  OLDEST_INVOKEAI,
  type UpstreamState,
  type UpstreamStatus,
} from '#contract/server/upstream-operations.ts'
import { type Clock, renderTimestamp } from '#server/core/clock.ts'
import { askVersion } from './ask-version.ts'
import type { Upstream } from './upstream.ts'
import { UpstreamTimeout, upstreamRefusal } from './upstream-refusal.ts'

/** Intervals and time limits of the probes, in milliseconds. */
export const defaultTimes = {
  /** Interval of checks while the upstream is up. */
  everyMs: 15_000,
  /** Interval of checks while it is not up, and of the probes within a check. */
  soonMs: 1_000,
  /** Time limit of one probe. Later probes of the check may still succeed. */
  probeMs: 5_000,
  /** An upstream that takes longer to answer is `slow`. */
  slowMs: 2_000,
  /** An upstream that answers no probe for this long is `down`. */
  downMs: 15_000,
}

export type WatchTimes = typeof defaultTimes

/** A response to any request replaces a check for this time, in milliseconds. */
const FRESH_MS = 1_000

/** Minimum time between two checks that requests cause, in milliseconds. */
const LEAST_MS = 250

interface Finding {
  state: UpstreamState
  detail: string | null
}

/** Probes the upstream at intervals, and at once when the result of a request contradicts its known state. */
export class UpstreamWatch {
  readonly #upstream: Upstream
  readonly #clock: Clock
  readonly #times: WatchTimes
  readonly #listeners: ((status: UpstreamStatus) => void)[] = []
  readonly #closed = new AbortController()
  /** Resolves with the first finding. */
  readonly #firstResult = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | null = null
  /** Resolves when the current check has a result or exceeds `slowMs`. */
  #result = Promise.withResolvers<void>()
  #finding: Finding | null = null
  #version: string | null = null
  #answerMs: number | null = null
  #since = 0
  #checkedAt = 0
  /** End of the last check. Monotonic time (`performance.now()`). */
  #lastCheckAt = 0
  /** Time of the last successful response. Monotonic time (`performance.now()`). */
  #lastAnswerAt = Number.NEGATIVE_INFINITY

  constructor(
    upstream: Upstream,
    options: { clock: Clock; times?: Partial<WatchTimes> | undefined },
  ) {
    this.#upstream = upstream
    this.#clock = options.clock
    this.#times = { ...defaultTimes, ...options.times }
  }

  onChange(listener: (status: UpstreamStatus) => void): void {
    this.#listeners.push(listener)
  }

  /** Returns the result of the last check. Waits for the first one. */
  async status(): Promise<UpstreamStatus> {
    if (this.#finding === null) void this.check()
    await this.#firstResult.promise
    return this.#status()
  }

  /** Starts a check unless the upstream answered within the last second. Waits for its result up to `slowMs`. */
  async current(): Promise<UpstreamStatus> {
    if (performance.now() - this.#lastAnswerAt > FRESH_MS) void this.check()
    if (this.#checking !== null) await this.#result.promise
    return this.status()
  }

  /** Version in the last response of the upstream, or null before the first one. */
  get version(): string | null {
    return this.#version
  }

  /** Reports the result of a request. A result that contradicts the known state starts a check. */
  reportOutcome(outcome: 'answered' | 'failed'): void {
    const { state } = this.#finding ?? {}
    const isDown = state === 'down'
    if (outcome === 'failed') this.#lastAnswerAt = Number.NEGATIVE_INFINITY
    else if (state === 'up') this.#lastAnswerAt = performance.now()
    if (isDown !== (outcome === 'answered') || this.#checking !== null) return
    this.#checkIn(Math.max(0, this.#lastCheckAt + LEAST_MS - performance.now()))
  }

  /** Checks the upstream now, and then at intervals. Joins a check that is already running. */
  check(): Promise<void> {
    if (this.#checking === null) {
      clearTimeout(this.#timer)
      this.#result = Promise.withResolvers<void>()
      this.#checking = this.#runCheck().finally(() => {
        this.#checking = null
        this.#result.resolve()
        this.#scheduleNext()
      })
    }
    return this.#checking
  }

  close(): void {
    this.#closed.abort()
    clearTimeout(this.#timer)
  }

  #scheduleNext(): void {
    this.#lastCheckAt = this.#lastAnswerAt = performance.now()
    const isWell = this.#finding?.state === 'up' || this.#finding?.state === 'outdated'
    this.#checkIn(isWell ? this.#times.everyMs : this.#times.soonMs)
  }

  #checkIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#closed.signal.aborted) return
    this.#timer = setTimeout(() => void this.check(), ms).unref()
  }

  async #runCheck(): Promise<void> {
    const began = performance.now()
    const slow = setTimeout(() => this.#reportSlow(), this.#times.slowMs)
    try {
      this.#version = await this.#probeUntilAnswered()
      this.#answerMs = Math.round(performance.now() - began)
      this.#setFinding(this.#judge(this.#version, this.#answerMs))
    } catch (error) {
      if (this.#closed.signal.aborted) return this.#firstResult.resolve()
      this.#answerMs = null
      const { message } = upstreamRefusal(this.#upstream.address.origin, error)
      this.#setFinding({ state: 'down', detail: message })
    } finally {
      clearTimeout(slow)
    }
  }

  /**
   * Sends probes, each on a new connection and with its own deadline, until one is answered. A probe that hangs does
   * not end the check: the process that accepted it may be dead, and a new one answers the next probe.
   *
   * @throws {UpstreamTimeout} No probe was answered within `downMs`.
   */
  #probeUntilAnswered(): Promise<string> {
    const { soonMs, probeMs, downMs } = this.#times
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const isOver = new AbortController()
    const { signal } = isOver
    const stop = () => reject(this.#closed.signal.reason)
    this.#closed.signal.addEventListener('abort', stop)
    const onError = (error: unknown) => {
      if (!(error instanceof UpstreamTimeout)) reject(error)
    }
    const probe = () => {
      askVersion(this.#upstream, { deadlineMs: probeMs, signal }).then(resolve, onError)
    }
    probe()
    const probes = setInterval(probe, soonMs)
    const giveUp = setTimeout(() => reject(new UpstreamTimeout(downMs)), downMs)
    return promise.finally(() => {
      clearInterval(probes)
      clearTimeout(giveUp)
      this.#closed.signal.removeEventListener('abort', stop)
      isOver.abort()
    })
  }

  #judge(version: string, answerMs: number): Finding {
    if (isOlder(version, OLDEST_INVOKEAI)) {
      const detail = `InvokeAI at ${this.#upstream.address.origin} is ${version}. The gallery is made for ${OLDEST_INVOKEAI} and newer: some things will fail. Update it.`
      return { state: 'outdated', detail }
    }
    return answerMs > this.#times.slowMs ? this.#slow(answerMs) : { state: 'up', detail: null }
  }

  /** Reports `slow` before the response arrives. An upstream that is down stays down until it answers. */
  #reportSlow(): void {
    if (this.#finding?.state !== 'down') this.#setFinding(this.#slow(this.#times.slowMs))
    this.#result.resolve()
  }

  #slow(answerMs: number): Finding {
    const seconds = Math.max(1, Math.round(answerMs / 1000))
    const detail = `InvokeAI at ${this.#upstream.address.origin} takes ${seconds} s and more to answer. It may be loading a model.`
    return { state: 'slow', detail }
  }

  #setFinding(finding: Finding): void {
    const before = this.#finding?.state
    this.#finding = finding
    this.#checkedAt = this.#clock()
    this.#firstResult.resolve()
    if (finding.state === before) return
    this.#since = this.#checkedAt
    for (const listener of this.#listeners) listener(this.#status())
  }

  #status(): UpstreamStatus {
    return {
      address: this.#upstream.address.origin,
      state: this.#finding?.state ?? 'down',
      detail: this.#finding?.detail ?? null,
      version: this.#version,
      oldest_supported: OLDEST_INVOKEAI,
      answer_ms: this.#answerMs,
      since: renderTimestamp(this.#since),
      checked_at: renderTimestamp(this.#checkedAt),
    }
  }
}

/** Compares major, minor and patch. Suffixes such as `-alpha` do not count. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(/[^\d]/, 3).map(Number))
  for (const [index, number] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0
    if (own !== number) return own < number
  }
  return false
}
