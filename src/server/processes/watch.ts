import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { Calls, type Handlers, type Message } from './calls.ts'

/** Limits that the watcher of a child process enforces. */
export interface ChildSettings {
  parentPid: number
  /** Resident memory of the process, in bytes. */
  maxMemoryBytes: number
  /** Time for one piece of timed work (`Watch.timed`), in milliseconds. */
  maxWorkMs: number
  /** Time for one piece of asynchronous work (`Watch.timedLater`), in milliseconds. */
  maxLaterMs: number
}

/** Marks that the watcher writes to the error output before it ends the process. */
export const marks = {
  memory: 'tessera: out of memory',
  time: 'tessera: out of time',
} as const

export interface WatchData extends ChildSettings {
  /** Counts starts and ends of timed work: first of synchronous work, then of asynchronous work. */
  work: Int32Array
}

/** A watched child process, as its own code sees it. */
export interface Watch<Options> {
  options: Options
  /** Resolves when the watcher runs. Do not start work that can block the main thread before that. */
  started: Promise<unknown>
  /** Runs synchronous work. If it exceeds the time limit, the process ends. */
  timed<T>(work: () => T): T
  /** Runs asynchronous work, one piece at a time. If it exceeds its time limit, the process ends. */
  timedLater<T>(work: () => Promise<T>): Promise<T>
}

/** Starts a thread that ends this process if the server dies or a limit is exceeded, even if the main thread blocks. */
export const watchThisProcess = <Options>(): Watch<Options> => {
  const settings: ChildSettings & { options: Options } = JSON.parse(process.argv[2] ?? '')
  const work = new Int32Array(new SharedArrayBuffer(8))
  const watcher = new Worker(
    new URL(`./watch-worker${extname(import.meta.url)}`, import.meta.url),
    {
      workerData: { ...settings, work } satisfies WatchData,
      execArgv: [],
    },
  )
  watcher.unref()
  const oneAtATime = pLimit(1)
  // The server closes the channel to end the process. `process.exit` would wait for native threads.
  process.on('disconnect', () => {
    flushCompileCache()
    process.kill(process.pid, 'SIGKILL')
  })
  // Ctrl+C reaches every process of the terminal. The server decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
  return {
    options: settings.options,
    started: once(watcher, 'message'),
    timed: (run) => {
      Atomics.add(work, 0, 1)
      try {
        return run()
      } finally {
        Atomics.add(work, 0, 1)
      }
    },
    timedLater: (run) =>
      oneAtATime(async () => {
        Atomics.add(work, 1, 1)
        try {
          return await run()
        } finally {
          Atomics.add(work, 1, 1)
        }
      }),
  }
}

/**
 * Answers the calls of the server in this child process.
 *
 * @param started - Calls wait for it, because a call could block the main thread before the watcher runs.
 * @returns The methods that the server answers.
 */
export const serveCalls = <Methods, Requests = object>(
  started: Promise<unknown>,
  handlers: Handlers<Methods>,
): Calls<Requests, Methods> => {
  // A closed channel is reported by the `disconnect` event.
  const post = (message: Message) =>
    new Promise<void>((resolve) => process.send?.(message, () => resolve()))
  const calls = new Calls<Requests, Methods>(post, handlers)
  process.on('message', (message: Message) => {
    void started.then(() => calls.receive(message))
  })
  return calls
}
