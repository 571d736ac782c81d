import {
  OLDEST_INVOKEAI,
  type UpstreamState,
  type UpstreamStatus,
} from '#contract/upstream-operations.ts'
import type { Clock } from '#server/core/clock.ts'
import { askVersion } from './ask-version.ts'
import type { Upstream } from './upstream.ts'
import { upstreamRefusal } from './upstream-refusal.ts'

/** When the upstream is asked how it is, in milliseconds. */
export interface WatchTimes {
  /** Between two questions while all is well and nobody wants to know. */
  everyMs: number
  /** The same while it is not well, and while a question has no answer yet. */
  soonMs: number
  /** An answer that takes longer is slow. */
  slowMs: number
  /** One that takes longer is none. */
  downMs: number
}

export const usualTimes: WatchTimes = {
  everyMs: 15_000,
  soonMs: 2_000,
  slowMs: 2_000,
  downMs: 15_000,
}

/** A sign of life is as good as a new one for so long, in milliseconds. */
const FRESH_MS = 1_000

/** However many requests say that something has changed, it is not looked at more often, in milliseconds. */
const LEAST_MS = 250

interface Finding {
  state: UpstreamState
  detail: string | null
}

/** Asks the upstream now and then how it is, and at once where a request says that something has changed. */
export class UpstreamWatch {
  readonly #upstream: Upstream
  readonly #clock: Clock
  readonly #times: WatchTimes
  readonly #listeners: ((status: UpstreamStatus) => void)[] = []
  readonly #closed = new AbortController()
  /** Settled with the first finding. */
  readonly #seen = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | null = null
  /** Settled when the look under way has found something, if only that it takes long. */
  #found = Promise.withResolvers<void>()
  #finding: Finding | null = null
  #version: string | null = null
  #answerMs: number | null = null
  #since = 0
  #checkedAt = 0
  /** By the clock that nobody sets. */
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

  /** Calls back whenever its state is another. */
  onChange(listener: (status: UpstreamStatus) => void): void {
    this.#listeners.push(listener)
  }

  /** How the upstream is, as last seen. Waits for the first look at it. */
  async status(): Promise<UpstreamStatus> {
    if (this.#finding === null) void this.check()
    await this.#seen.promise
    return this.#status()
  }

  /**
   * How the upstream is now. It is looked at unless something came from it a moment ago, and where it is
   * silent that is said as soon as it is slow. So it is asked often only while somebody wants to know.
   */
  async current(): Promise<UpstreamStatus> {
    if (performance.now() - this.#aliveAt > FRESH_MS) void this.check()
    if (this.#checking !== null) await this.#found.promise
    return this.status()
  }

  /** What the upstream last called its version; null: it has not said. */
  get version(): string | null {
    return this.#version
  }

  /** Told by each request how it ended. One that fits what is known changes nothing. */
  heard(outcome: 'answered' | 'failed'): void {
    const { state } = this.#finding ?? {}
    const isDown = state === 'down'
    if (outcome === 'failed') this.#aliveAt = Number.NEGATIVE_INFINITY
    else if (state === 'up') this.#aliveAt = performance.now()
    if (isDown !== (outcome === 'answered') || this.#checking !== null) return
    this.#checkIn(Math.max(0, this.#lookedAt + LEAST_MS - performance.now()))
  }

  /** Looks at the upstream now, and from now on by itself. */
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

  /** Asks, and again on another connection while nothing comes: what took the line may be over by then. */
  #ask(): Promise<string> {
    const { soonMs, downMs: patienceMs } = this.#times
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const answered = new AbortController()
    const signal = AbortSignal.any([answered.signal, this.#closed.signal])
    const ask = () => {
      askVersion(this.#upstream, { patienceMs, signal }).then(resolve, reject)
    }
    ask()
    const asking = setInterval(ask, soonMs)
    return promise.finally(() => {
      clearInterval(asking)
      answered.abort()
    })
  }

  #judge(version: string, answerMs: number): Finding {
    if (isOlder(version, OLDEST_INVOKEAI)) {
      const detail = `InvokeAI at ${this.#upstream.address.origin} is ${version}. The gallery is made for ${OLDEST_INVOKEAI} and newer: some things will fail. Update it.`
      return { state: 'outdated', detail }
    }
    return answerMs > this.#times.slowMs ? this.#slow(answerMs) : { state: 'up', detail: null }
  }

  /** Said before it answers: it may be long until it does. One that is down stays so until it answers. */
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

/** Compares major, minor and patch; what stands behind them (`-alpha`) does not count. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split(/[^\d]/, 3).map(Number))
  for (const [index, number] of (theirs ?? []).entries()) {
    const own = ours?.[index] ?? 0
    if (own !== number) return own < number
  }
  return false
}
