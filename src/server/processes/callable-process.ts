import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ArgsOf,
  Calls,
  type ErrorData,
  type Handlers,
  type Message,
  type ValueOf,
} from './calls.ts'
import { type ChildSettings, marks } from './watch.ts'

export interface ChildEnd {
  /** The exceeded limit; null for another reason. */
  limit: 'memory' | 'time' | null
  code: number | null
  signal: string | null
  /** The end of its error output. */
  lastWords: string
  /** True if the process had answered a call. */
  hasAnswered: boolean
}

interface StartOptions {
  /** The entry without its extension, and the URL of the module that names it: both are `.ts` or both `.js`. */
  entry: { name: string; beside: string }
  /** Available to the entry as `Watch.options`. */
  options: object
  /** Default: no limit. */
  maxMemoryBytes?: number
  /** Time for one piece of timed work (`Watch.timed`), in milliseconds. Default: no limit. */
  maxWorkMs?: number
  /** Time for one piece of asynchronous timed work (`Watch.timedLater`), in milliseconds. Default: no limit. */
  maxLaterMs?: number
  /** Memory for JavaScript objects, in MiB. Default: what Node chooses. */
  maxHeapMib?: number
  /** Threads for decoding and file access. Default: what Node chooses. */
  threads?: number
}

export interface ProcessOptions<Requests> extends StartOptions {
  /** Time without calls after which the process ends, in milliseconds. Default: it does not end. */
  idleMs?: number
  handlers: Handlers<Requests>
  /** Restores an error that a call threw in the process. Default: an `Error` with its message. */
  errorOf?(error: ErrorData): Error
  /** Called when the process has ended. Returns the error of the calls that it did not answer. */
  onEnd(end: ChildEnd): Error
}

export interface CallOptions {
  onProgress?: ((progress: never) => void) | undefined
  /** The call still waits until the process has answered or ended, and then throws the reason. */
  signal?: AbortSignal | undefined
  /** Time to react to an abort before the process is killed, in milliseconds. */
  abortMs?: number
}

/** A child process that answers calls (`serveCalls`). It starts with its first call, and again after it has ended. */
export class CallableProcess<Methods, Requests = object> {
  readonly #options: ProcessOptions<Requests>
  #running: { child: ChildProcess; calls: Calls<Methods, Requests> } | null = null
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ProcessOptions<Requests>) {
    this.#options = options
  }

  get pid(): number | null {
    return this.#running?.child.pid ?? null
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  prepare(): void {
    if (this.#isClosed) return
    this.#running ??= this.#start()
    this.#endWhenIdle()
  }

  /** @throws The error of the method, the error of `onEnd`, or the reason of `signal`. */
  async call<Name extends keyof Methods & string>(
    method: Name,
    args: ArgsOf<Methods[Name]>,
    { onProgress, signal, abortMs = 0 }: CallOptions = {},
  ): Promise<ValueOf<Methods[Name]>> {
    signal?.throwIfAborted()
    clearTimeout(this.#idleTimer)
    this.#running ??= this.#start()
    const { child, calls } = this.#running
    const call = calls.start(method, args, onProgress)
    let deadline: NodeJS.Timeout | undefined
    const abort = () => {
      call.abort()
      deadline = setTimeout(() => child.kill('SIGKILL'), abortMs)
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await call.answer
    } finally {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', abort)
      this.#endWhenIdle()
      signal?.throwIfAborted()
    }
  }

  /** Kills the process, and waits for its end. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    const child = this.#running?.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const isGone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await isGone
  }

  #start(): { child: ChildProcess; calls: Calls<Methods, Requests> } {
    const { handlers, errorOf, onEnd } = this.#options
    // The callback gets the error of a process that has just ended. Its `close` event rejects the calls.
    const post = (message: Message) =>
      new Promise<void>((resolve) => child.send(message, () => resolve()))
    const calls = new Calls<Methods, Requests>(post, handlers, errorOf)
    const child = startChild(this.#options, {
      onMessage: (message) => {
        // An answer that crosses the kill would settle its call, and the next call would go to the dying process.
        if (!child.killed) calls.receive(message)
      },
      onEnd: (end) => {
        if (this.#running?.child === child) this.#running = null
        calls.failAll(onEnd({ ...end, hasAnswered: calls.hasAnswered }))
      },
    })
    return { child, calls }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer)
    const { idleMs } = this.#options
    if (idleMs === undefined || this.#isClosed || !this.#running?.calls.isIdle) return
    this.#idleTimer = setTimeout(() => {
      this.#running?.child.disconnect()
      this.#running = null
    }, idleMs).unref()
  }
}

const MAX_LAST_WORDS = 4_000

/** V8's messages for a full heap. */
const HEAP_IS_FULL = ['heap limit', 'JavaScript heap out of memory']

/**
 * Starts a child process that watches itself (`watchThisProcess`) and accepts messages with binary data.
 *
 * @param on - `onEnd` is called once, after the last message.
 * @throws An error with the code `EAGAIN` if the system cannot start it now.
 */
const startChild = (
  {
    entry,
    options,
    maxMemoryBytes = Number.MAX_SAFE_INTEGER,
    maxWorkMs = Number.MAX_SAFE_INTEGER,
    maxLaterMs = Number.MAX_SAFE_INTEGER,
    maxHeapMib,
    threads,
  }: StartOptions,
  on: { onMessage(message: Message): void; onEnd(end: Omit<ChildEnd, 'hasAnswered'>): void },
): ChildProcess => {
  const settings: ChildSettings = {
    parentPid: process.pid,
    ...{ maxMemoryBytes, maxWorkMs, maxLaterMs },
  }
  const url = new URL(`./${entry.name}${extname(entry.beside)}`, entry.beside)
  const child = fork(fileURLToPath(url), [JSON.stringify({ ...settings, options })], {
    env: {
      ...process.env,
      ...(threads !== undefined && { UV_THREADPOOL_SIZE: String(threads) }),
    },
    execArgv: maxHeapMib === undefined ? [] : [`--max-old-space-size=${maxHeapMib}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid === undefined) {
    child.on('error', () => undefined)
    // The system has no resources for another process or its pipes.
    const message = 'The system cannot start another process now.'
    throw Object.assign(new Error(message), { code: 'EAGAIN' })
  }
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    lastWords = (lastWords + words).slice(-MAX_LAST_WORDS)
  })
  child.on('message', on.onMessage)
  // `close` comes after the error output is complete; `exit` may come before.
  child.on('close', (code, signal) => {
    on.onEnd({ limit: limitIn(lastWords), code, signal, lastWords })
  })
  child.on('error', (error) => {
    lastWords += error.message
  })
  return child
}

const limitIn = (lastWords: string): ChildEnd['limit'] => {
  if (lastWords.includes(marks.time)) return 'time'
  return [marks.memory, ...HEAP_IS_FULL].some((words) => lastWords.includes(words))
    ? 'memory'
    : null
}
