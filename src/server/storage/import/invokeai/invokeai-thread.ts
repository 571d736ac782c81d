import { extname } from 'node:path'
import { Piscina } from 'piscina'
import { Refusal } from '#server/core/refusal.ts'
import type { InvokeaiTables } from './invokeai-tables.ts'
import type { Answer, DatabaseFault, Question } from './invokeai-worker.ts'

/** `.ts` in a clone, `.js` where it was built: the entry lies beside this file under the same extension. */
const entry = new URL(`./invokeai-worker${extname(import.meta.url)}`, import.meta.url)

const reasons: Record<DatabaseFault, string> = {
  locked: 'is locked by another program. Stop InvokeAI, or try again in a moment.',
  damaged: 'is damaged. Start InvokeAI once, or put a copy from its backups in its place.',
  unreadable: 'cannot be read. See who may read the file, and whether the disk has room.',
  unknown_tables: 'does not have the tables of an InvokeAI from 3.4 to 6.x.',
}

/** InvokeAI's tables, read in a thread of their own so that the event loop stays free. */
export class InvokeaiThread {
  readonly #databasePath: string
  readonly #thread: Piscina<Question | undefined, Answer>

  constructor(databasePath: string) {
    this.#databasePath = databasePath
    this.#thread = new Piscina({
      filename: entry.href,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      workerData: databasePath,
    })
  }

  /** @throws {Refusal} `folder_unreadable`: the database is locked, damaged, or not InvokeAI's. */
  async ask<Name extends keyof InvokeaiTables>(
    name: Name,
    ...args: Parameters<InvokeaiTables[Name]>
  ): Promise<ReturnType<InvokeaiTables[Name]>> {
    const answer = await this.#thread.run({ name, args } as Question, { name: 'answer' })
    if ('value' in answer) return answer.value as ReturnType<InvokeaiTables[Name]>
    throw new Refusal(
      'folder_unreadable',
      `InvokeAI's database ${this.#databasePath} ${reasons[answer.fault]}`,
    )
  }

  async close(): Promise<void> {
    await this.#thread.run(undefined, { name: 'close' })
    await this.#thread.close()
  }
}
