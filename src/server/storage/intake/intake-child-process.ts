import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#server/core/refusal.ts'
import type { Ask, Fault, IntakeOptions, ToServer } from './intake-messages.ts'

/** `.ts` in a clone, `.js` where it was built: the entry lies beside this file under the same extension. */
const entry = new URL(`./intake-child${extname(import.meta.url)}`, import.meta.url)

/** How long it is kept without work, in milliseconds: starting it takes a third of a second. */
const IDLE_MS = 10_000

/** Threads for decoding, one more than there are cores, and for flushing. */
const THREADS = 2 * availableParallelism() + 1

/** The process ended while it worked on something. */
export class IntakeEnded extends Error {
  override readonly name = 'IntakeEnded'
}

interface Call {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** A process that reads files. It is started when it is needed, ended when it is not, and started anew when it dies. */
export class IntakeChildProcess {
  readonly #options: IntakeOptions
  readonly #open = new Map<number, Call>()
  #child: ChildProcess | null = null
  #last = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** The process that is there, for tests that end it; null: there is none. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Starts the process ahead of its first file. */
  prepare(): void {
    if (this.#isClosed || this.#child !== null) return
    this.#child = this.#start()
    this.#endWhenIdle()
  }

  /**
   * @throws {IntakeEnded} It died before it answered.
   * @throws {Refusal} What it refused; `stopping`, after `close`.
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
      // One that has just died takes no message; its end is told by its `close`.
      child.send({ call, ask }, () => undefined)
    })
  }

  /** Ends the process, and what it is at. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    const child = this.#child
    if (child === null) return
    const isGone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await isGone
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(entry), [JSON.stringify(this.#options)], {
      env: { ...process.env, UV_THREADPOOL_SIZE: String(THREADS) },
      execArgv: [],
      // Thumbnails cross as bytes, not as JSON.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', (message: ToServer) => this.#settle(message))
    child.on('close', () => this.#forget(child, 'The process that reads files ended.'))
    child.on('error', (error) => this.#forget(child, error.message))
    return child
  }

  #settle(message: ToServer): void {
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

  #forget(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return
    this.#child = null
    clearTimeout(this.#idle)
    const calls = [...this.#open.values()]
    this.#open.clear()
    for (const call of calls) call.reject(new IntakeEnded(reason))
  }
}

const errorOf = ({ code, message }: Fault): Error =>
  code === null ? new Error(message) : new Refusal(code, message)
