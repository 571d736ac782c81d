import { extname } from 'node:path'
import { Piscina } from 'piscina'
import type { HashedModel, ReadModel } from './model-worker.ts'

/** `.ts` in a clone, `.js` where it was built: the entry lies beside this file under the same extension. */
const entry = new URL(`./model-worker${extname(import.meta.url)}`, import.meta.url)

/** A thread ends when it had nothing to do for so long. */
const IDLE_MS = 10_000

/** More than any header takes that the readers let pass: a thread that runs out of it ends the server. */
const MAX_HEAP_MIB = 1024

/** So many headers are read at once: it is work for the processor, and the server has other work. */
const HEADER_THREADS = 2

const openThreads = (maxThreads: number) =>
  new Piscina<string, unknown>({
    filename: entry.href,
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  })

/** Reads files away from the event loop: some threads for headers, and one that hashes whole files. */
export class ModelThreads {
  readonly #headers = openThreads(HEADER_THREADS)
  readonly #hashes = openThreads(1)

  /** null: there is no such file. */
  read(path: string): Promise<ReadModel | null> {
    return this.#headers.run(path, { name: 'readModel' }) as Promise<ReadModel | null>
  }

  /** null: there is no such file. */
  hash(path: string): Promise<HashedModel | null> {
    return this.#hashes.run(path, { name: 'hashModel' }) as Promise<HashedModel | null>
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.#headers.destroy(), this.#hashes.destroy()])
  }
}
