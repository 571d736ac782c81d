import { extname } from 'node:path'
import { Piscina } from 'piscina'
import { Refusal } from '#server/core/refusal.ts'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import type { Outcome } from './outcome.ts'
import type { Task, WorkerOptions } from './records-worker.ts'

/** `.ts` in a clone, `.js` in a build. */
const entry = new URL(`./records-worker${extname(import.meta.url)}`, import.meta.url)

/** Size of a thread's young generation (new objects), in MB. */
const MAX_YOUNG_MB = 6

/** A thread with a connection, and a task queue of limited length. */
export class WorkerThread {
  readonly #pool: Piscina<Task, Outcome>
  #isClosed = false

  /** @param options - `startsIdle`: true does not start the thread before the first task. Default: false. */
  constructor(
    options: WorkerOptions & {
      maxQueued: number
      startsIdle?: boolean
      onMigration?: ((progress: MigrationProgress) => void) | undefined
    },
  ) {
    const { path, role, maxQueued, startsIdle = false, onMigration } = options
    this.#pool = new Piscina({
      filename: entry.href,
      minThreads: startsIdle ? 0 : 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: maxQueued,
      // By default, each thread collects up to 48 MB of garbage before a collection.
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
      workerData: { path, role } satisfies WorkerOptions,
    })
    this.#pool.on('message', ({ migrating }: { migrating?: MigrationProgress }) => {
      if (migrating !== undefined) onMigration?.(migrating)
    })
  }

  /** @throws {Refusal} The refusal of the task; `busy` if the queue is full; `stopping` after `close`. */
  async run(task: Task): Promise<unknown> {
    if (this.#isClosed) throw new Refusal('stopping')
    if (this.#pool.queueSize >= this.#pool.options.maxQueue) throw new Refusal('busy')
    const outcome = await this.#pool.run(task, { name: 'runTask' })
    if ('refusal' in outcome) throw new Refusal(outcome.refusal)
    return outcome.value
  }

  /** Waits for running tasks, then ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.close()
  }
}
