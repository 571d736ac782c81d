import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { MAX_DECODE_MEMORY_BYTES } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type ChildEnd, killChild, startChild } from '#server/processes/start-child.ts'
import type { Ask, Fault, IntakeOptions, ToServer } from './intake-messages.ts'

/** Idle time before the process ends, in milliseconds. Starting it again takes a third of a second. */
const IDLE_MS = 10_000

/** Threads for decoding (one more than there are cores) and for flushing. */
const THREADS = 2 * availableParallelism() + 1

/** Limits of the process; tests set lower ones. */
export interface IntakeLimits {
  /** Time for the metadata of one file, in milliseconds. The largest accepted metadata takes about 300. */
  metadataMs: number
  /** Memory use at which the process is ended. It can still grow between two checks of its watcher. */
  memoryBytes: number
}

export const intakeLimits: IntakeLimits = {
  metadataMs: 3_000,
  memoryBytes: 0.97 * MAX_DECODE_MEMORY_BYTES,
}

/** The process ended while it had work. */
export class IntakeEnded extends Error {
  override readonly name = 'IntakeEnded'
  readonly limit: ChildEnd['limit']
  /** True if the process had answered before. Memory that earlier files left allocated counts toward its limit too. */
  readonly hasAnswered: boolean

  constructor({ limit, code, signal, lastWords }: ChildEnd, hasAnswered: boolean) {
    super(`The process that reads files ended (${signal ?? code}). ${lastWords}`)
    this.limit = limit
    this.hasAnswered = hasAnswered
  }
}

interface Call {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A process that reads files. It starts on demand, ends when idle, and restarts after a crash. */
export class IntakeChildProcess {
  readonly #options: IntakeOptions
  readonly #limits: IntakeLimits
  readonly #open = new Map<number, Call>()
  #child: ChildProcess | null = null
  #last = 0
  #hasAnswered = false
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: IntakeOptions, limits: IntakeLimits) {
    this.#options = options
    this.#limits = limits
  }

  /** Starts the process before its first file. */
  prepare(): void {
    if (this.#isClosed || this.#child !== null) return
    this.#child = this.#start()
    this.#endWhenIdle()
  }

  /**
   * @throws {IntakeEnded} The process ended before it answered.
   * @throws {Refusal} The refusal of the process; `stopping` after `close`.
   */
  async ask(ask: Ask): Promise<unknown> {
    if (this.#isClosed) throw new Refusal('stopping')
    clearTimeout(this.#idle)
    this.#child ??= this.#start()
    const child = this.#child
    this.#last += 1
    const call = this.#last
    return new Promise((resolve, reject) => {
      this.#open.set(call, { resolve, reject })
      // A process that has just ended takes no message. `#forget` rejects the call.
      child.send({ call, ask }, () => undefined)
    })
  }

  /** Ends the process and its active work. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await killChild(this.#child)
  }

  #start(): ChildProcess {
    this.#hasAnswered = false
    const child = startChild<ToServer>({
      entry: { name: 'intake-child', beside: import.meta.url },
      options: this.#options,
      maxMemoryBytes: this.#limits.memoryBytes,
      maxWorkMs: this.#limits.metadataMs,
      threads: THREADS,
      onMessage: (message) => this.#settle(message),
      onEnd: (end) => this.#forget(child, end),
    })
    return child
  }

  #settle(message: ToServer): void {
    this.#hasAnswered = true
    const call = this.#open.get(message.call)
    this.#open.delete(message.call)
    if (this.#open.size === 0) this.#endWhenIdle()
    if ('value' in message) call?.resolve(message.value)
    else call?.reject(errorOf(message.fault))
  }

  #endWhenIdle(): void {
    if (this.#isClosed) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      this.#child?.disconnect()
      this.#child = null
    }, IDLE_MS).unref()
  }

  #forget(child: ChildProcess, end: ChildEnd): void {
    if (this.#child !== child) return
    this.#child = null
    clearTimeout(this.#idle)
    const calls = [...this.#open.values()]
    this.#open.clear()
    for (const call of calls) call.reject(new IntakeEnded(end, this.#hasAnswered))
  }
}

const errorOf = ({ code, message }: Fault): Error =>
  code === null ? new Error(message) : new Refusal(code, message)
