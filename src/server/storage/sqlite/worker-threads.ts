import { extname } from 'node:path'
import { Piscina } from 'piscina'
import { Refusal } from '#server/core/refusal.ts'
import type { Outcome } from './outcome.ts'
import type { Task, WorkerOptions } from './records-worker.ts'

/** `.ts` in a clone, `.js` where it was built: the entry lies beside this file under the same extension. */
const entry = new URL(`./records-worker${extname(import.meta.url)}`, import.meta.url)

/** New objects of one thread, in MB. */
const MAX_YOUNG_MB = 6

/** Threads with a connection each, and a queue that refuses rather than grow. */
export class WorkerThreads {
  readonly #pool: Piscina<Task, Outcome>
  #isClosed = false

  /** @param options - `startsIdle`: no thread starts before the first task. Default: one does. */
  constructor(
    options: WorkerOptions & { threads: number; maxQueued: number; startsIdle?: boolean },
  ) {
    const { path, role, threads, maxQueued, startsIdle = false } = options
    this.#pool = new Piscina({
      filename: entry.href,
      // Further threads start when there is work for them, and stay.
      minThreads: startsIdle ? 0 : 1,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: maxQueued,
      // The default lets each thread collect 48 MB of garbage before it is looked at.
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
      workerData: { path, role } satisfies WorkerOptions,
    })
  }

  /**
   * Runs a task on a free thread.
   *
   * @throws {Refusal} What the task refused; `busy`, when the queue is full; `stopping`, after `close`.
   */
  async run(task: Task): Promise<unknown> {
    if (this.#isClosed) throw new Refusal('stopping')
    if (this.#pool.queueSize >= this.#pool.options.maxQueue) throw new Refusal('busy')
    const outcome = await this.#pool.run(task, { name: 'runTask' })
    if ('refusal' in outcome) throw new Refusal(outcome.refusal)
    return outcome.value
  }

  /** Ends the threads. A running task is rejected; a statement that SQLite is running ends first. */
  async stop(): Promise<void> {
    this.#isClosed = true
    await this.#pool.destroy()
  }

  /** Waits for running tasks, then ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.close()
  }
}
