import type { Readiness, ReadinessCheck } from '#contract/server/health-operations.ts'

/** A server that this one needs, or its own database. */
export interface Probe {
  /** Name in the answer, such as `database`. */
  readonly name: string
  /** Throws if it is away. May take any time. */
  check(): Promise<unknown>
}

/** A request that asks for readiness is answered within this time, however long a check takes. */
const LONGEST_MS = 1_500

interface ReadinessOptions {
  /** Called when a check fails after it succeeded, and when it succeeds again (null). */
  onChange: (name: string, error: Error | null) => void
  longestMs?: number
}

/**
 * Asks the servers behind this process whether they answer. Requests at the same time share one check of each, because
 * readiness has no rate limit and a check that hangs must not occupy more than one connection.
 */
export class ReadinessService {
  readonly #probes: readonly Probe[]
  readonly #options: ReadinessOptions
  readonly #active = new Map<string, Promise<Error | null>>()
  readonly #failed = new Set<string>()
  #isStopping = false

  constructor(probes: readonly Probe[], options: ReadinessOptions) {
    this.#probes = probes
    this.#options = options
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** From now on the server is not ready, so that a proxy sends no new requests. */
  stop(): void {
    this.#isStopping = true
  }

  async check(): Promise<Readiness> {
    const checks = await Promise.all(this.#probes.map((probe) => this.#check(probe)))
    if (this.#isStopping) return { status: 'stopping', checks }
    const isReady = checks.every(({ status }) => status === 'ok')
    return { status: isReady ? 'ready' : 'not_ready', checks }
  }

  async #check(probe: Probe): Promise<ReadinessCheck> {
    const { name } = probe
    const startedAt = performance.now()
    const error = await this.#inTime(this.#outcomeOf(probe))
    this.#report(name, error)
    const status = error === null ? 'ok' : error instanceof SilenceError ? 'no_answer' : 'failed'
    return { name, status, ms: Math.round(performance.now() - startedAt) }
  }

  /** The result of the probe's active check, or of a new one. */
  #outcomeOf(probe: Probe): Promise<Error | null> {
    const active = this.#active.get(probe.name)
    if (active !== undefined) return active
    const outcome = probe
      .check()
      .then(() => null, asError)
      .finally(() => this.#active.delete(probe.name))
    this.#active.set(probe.name, outcome)
    return outcome
  }

  async #inTime(outcome: Promise<Error | null>): Promise<Error | null> {
    const { longestMs = LONGEST_MS } = this.#options
    const { promise: silence, resolve } = Promise.withResolvers<Error>()
    const timer = setTimeout(() => resolve(new SilenceError(longestMs)), longestMs)
    try {
      return await Promise.race([outcome, silence])
    } finally {
      clearTimeout(timer)
    }
  }

  #report(name: string, error: Error | null): void {
    if (this.#failed.has(name) === (error !== null)) return
    if (error === null) this.#failed.delete(name)
    else this.#failed.add(name)
    this.#options.onChange(name, error)
  }
}

class SilenceError extends Error {
  constructor(ms: number) {
    super(`No answer within ${ms} ms`)
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))
