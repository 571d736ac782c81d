import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marks } from './watch.ts'

/** Limits that the watcher of a child process enforces. */
export interface ChildSettings {
  parentPid: number
  /** Resident memory of the process, in bytes. */
  maxMemoryBytes: number
  /** Time for one piece of timed work (`Watch.timed`), in milliseconds. */
  maxWorkMs: number
}

/** Reason of the end of a child process. */
export interface ChildEnd {
  /** The exceeded limit; null for another reason. */
  limit: 'memory' | 'time' | null
  code: number | null
  signal: string | null
  /** The end of its error output. */
  lastWords: string
}

export interface ChildOptions<Message> {
  /** The entry without its extension, and the URL of the module that names it: both are `.ts` or both `.js`. */
  entry: { name: string; beside: string }
  /** Available to the entry as `Watch.options`. */
  options: object
  maxMemoryBytes: number
  /** Default: no limit. */
  maxWorkMs?: number
  /** Memory for JavaScript objects, in MiB. Default: what Node chooses. */
  maxHeapMib?: number
  /** Threads for decoding and file access. Default: what Node chooses. */
  threads?: number
  onMessage(message: Message): void
  /** Called once, after the last message. */
  onEnd(end: ChildEnd): void
}

const MAX_LAST_WORDS = 4_000

/** V8's messages for a full heap. */
const HEAP_IS_FULL = ['heap limit', 'JavaScript heap out of memory']

/** The system has no resources for another process or its pipes. */
class BusySystem extends Error {
  override readonly name = 'BusySystem'
  readonly code = 'EAGAIN'

  constructor() {
    super('The system cannot start another process now.')
  }
}

/**
 * Starts a child process that watches itself (`watchThisProcess`) and accepts messages with binary data.
 *
 * @throws An error with the code `EAGAIN` if the system cannot start it now.
 */
export const startChild = <Message>(child: ChildOptions<Message>): ChildProcess => {
  const { entry, options, maxMemoryBytes, maxWorkMs = Number.MAX_SAFE_INTEGER } = child
  const settings: ChildSettings = { parentPid: process.pid, maxMemoryBytes, maxWorkMs }
  const url = new URL(`./${entry.name}${extname(entry.beside)}`, entry.beside)
  const running = fork(fileURLToPath(url), [JSON.stringify({ ...settings, options })], {
    env: {
      ...process.env,
      ...(child.threads !== undefined && { UV_THREADPOOL_SIZE: String(child.threads) }),
    },
    execArgv: child.maxHeapMib === undefined ? [] : [`--max-old-space-size=${child.maxHeapMib}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (running.pid === undefined) {
    running.on('error', () => undefined)
    throw new BusySystem()
  }
  let lastWords = ''
  running.stderr?.setEncoding('utf8').on('data', (words: string) => {
    lastWords = (lastWords + words).slice(-MAX_LAST_WORDS)
  })
  running.on('message', (message) => child.onMessage(message as Message))
  // `close` comes after the error output is complete; `exit` may come before.
  running.on('close', (code, signal) => {
    child.onEnd({ limit: limitIn(lastWords), code, signal, lastWords })
  })
  running.on('error', (error) => {
    lastWords += error.message
  })
  return running
}

const limitIn = (lastWords: string): ChildEnd['limit'] => {
  if (lastWords.includes(marks.time)) return 'time'
  return [marks.memory, ...HEAP_IS_FULL].some((words) => lastWords.includes(words))
    ? 'memory'
    : null
}

/** Kills a child process and waits for its end. */
export const killChild = async (child: ChildProcess | null): Promise<void> => {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const isGone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await isGone
}
