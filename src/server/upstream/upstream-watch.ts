import {
  OLDEST_INVOKEAI,
  type UpstreamState,
  type UpstreamStatus,
} from '#contract/server/upstream-operations.ts'
import type { Clock } from '#server/core/clock.ts'
import { askVersion } from './ask-version.ts'
import type { Upstream } from './upstream.ts'
import { UpstreamTimeout, upstreamRefusal } from './upstream-refusal.ts'

/** When the upstream is probed, in milliseconds. */
export interface WatchTimes {
  /** Between two checks while the upstream is well. */
  everyMs: number
  /** Between two checks while it is not, and between two probes of a check. */
  soonMs: number
  /** A probe that takes longer gets no answer any more; later ones may. */
  probeMs: number
  /** An upstream that takes longer to answer is slow. */
  slowMs: number
  /** An upstream that answers no probe for so long is down. */
  downMs: number
}

export const usualTimes: WatchTimes = {
  everyMs: 15_000,
  soonMs: 1_000,
  probeMs: 5_000,
  slowMs: 2_000,
  downMs: 15_000,
}

/** An answer to any request replaces a check for so long, in milliseconds. */
const FRESH_MS = 1_000

/** The shortest time between two checks that requests cause, in milliseconds. */
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
  /** Resolved with the first finding. */
  readonly #seen = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | null = null
  /** Resolved when the current check has a result, or when it takes long. */
  #found = Promise.withResolvers<void>()
  #finding: Finding | null = null
  #version: string | null = null
  #answerMs: number | null = null
  #since = 0
  #checkedAt = 0
  /** Monotonic time (`performance.now()`), as is the next. */
  #lookedAt = 0
  #aliveAt = Number.NEGATIVE_INFINITY

  constructor(
    upstream: Upstream,
    options: { clock: Clock; times?: Partial<WatchTimes> | undefined },
  ) {
    this.#upstream = upstream
    this.#clock = options.clock
    this.#times = { ...usualTimes, ...options.times }
  }

  /** Calls `listener` when the state changes. */
  onChange(listener: (status: UpstreamStatus) => void): void {
    this.#listeners.push(listener)
  }

  /** The state that was last found. Waits for the first check. */
  async status(): Promise<UpstreamStatus> {
    if (this.#finding === null) void this.check()
    await this.#seen.promise
    return this.#status()
  }

  /**
   * The current state. Checks the upstream unless it answered something within the last second. Waits for
   * the result, or until the upstream counts as slow.
   */
  async current(): Promise<UpstreamStatus> {
    if (performance.now() - this.#aliveAt > FRESH_MS) void this.check()
    if (this.#checking !== null) await this.#found.promise
    return this.status()
  }

  /** The upstream's version as it last answered; null: it has not answered yet. */
  get version(): string | null {
    return this.#version
  }

  /** Each request reports its result here. A result that contradicts the known state starts a check. */
  heard(outcome: 'answered' | 'failed'): void {
    const { state } = this.#finding ?? {}
    const isDown = state === 'down'
    if (outcome === 'failed') this.#aliveAt = Number.NEGATIVE_INFINITY
    else if (state === 'up') this.#aliveAt = performance.now()
    if (isDown !== (outcome === 'answered') || this.#checking !== null) return
    this.#checkIn(Math.max(0, this.#lookedAt + LEAST_MS - performance.now()))
  }

  /** Checks the upstream now, and then at intervals. */
  check(): Promise<void> {
    if (this.#checking === null) {
      clearTimeout(this.#timer)
      this.#found = Promise.withResolvers<void>()
      this.#checking = this.#look().finally(() => {
        this.#checking = null
        this.#found.resolve()
        this.#goOn()
      })
    }
    return this.#checking
  }

  close(): void {
    this.#closed.abort()
    clearTimeout(this.#timer)
  }

  #goOn(): void {
    this.#lookedAt = this.#aliveAt = performance.now()
    const isWell = this.#finding?.state === 'up' || this.#finding?.state === 'outdated'
    this.#checkIn(isWell ? this.#times.everyMs : this.#times.soonMs)
  }

  #checkIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#closed.signal.aborted) return
    this.#timer = setTimeout(() => void this.check(), ms).unref()
  }

  async #look(): Promise<void> {
    const began = performance.now()
    const slow = setTimeout(() => this.#seemsSlow(), this.#times.slowMs)
    try {
      this.#version = await this.#ask()
      this.#answerMs = Math.round(performance.now() - began)
      this.#foundOut(this.#judge(this.#version, this.#answerMs))
    } catch (error) {
      if (this.#closed.signal.aborted) return this.#seen.resolve()
      this.#answerMs = null
      const { message } = upstreamRefusal(this.#upstream.address.origin, error)
      this.#foundOut({ state: 'down', detail: message })
    } finally {
      clearTimeout(slow)
    }
  }

  /**
   * Sends probes, each on a new connection and with its own deadline, until one is answered. A probe that hangs
   * does not end the check: the process that accepted it may be dead, and a new one answers the next probe.
   *
   * @throws {UpstreamTimeout} No probe was answered within `downMs`.
   */
  #ask(): Promise<string> {
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

  /** Reports `slow` before the answer arrives. An upstream that is down stays down until it answers. */
  #seemsSlow(): void {
    if (this.#finding?.state !== 'down') this.#foundOut(this.#slow(this.#times.slowMs))
    this.#found.resolve()
  }

  #slow(answerMs: number): Finding {
    const seconds = Math.max(1, Math.round(answerMs / 1000))
    const detail = `InvokeAI at ${this.#upstream.address.origin} takes ${seconds} s and more to answer. It may be loading a model.`
    return { state: 'slow', detail }
  }

  #foundOut(finding: Finding): void {
    const before = this.#finding?.state
    this.#finding = finding
    this.#checkedAt = this.#clock()
    this.#seen.resolve()
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
      since: timestamp(this.#since),
      checked_at: timestamp(this.#checkedAt),
    }
  }
}

const timestamp = (time: number): string =>
  new Date(time).toISOString().replace('T', ' ').slice(0, 23)

/** Compares major, minor and patch. Suffixes such as `-alpha` do not count. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(/[^\d]/, 3).map(Number))
  for (const [index, number] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0
    if (own !== number) return own < number
  }
  return false
}
