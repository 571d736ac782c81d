import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import Sqlite from 'better-sqlite3'
import { serveCalls, watchThisProcess } from '#server/processes/watch.ts'
import type { CopyMethods, CopyTask } from './copy-database.ts'

/** Entry point of the process that copies a database. */

/** 8 MiB. Progress is sent between two steps. */
const PAGES_PER_STEP = 2000

const { options, started } = watchThisProcess<CopyTask>()
// The server and the user's programs get the CPU first.
setPriority(constants.priority.PRIORITY_LOW)

const copy = async ({ from, to }: CopyTask, report: (share: number) => Promise<void>) => {
  rmSync(to, { force: true })
  const source = new Sqlite(from, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    // One read transaction for all steps. Without it, SQLite restarts the copy whenever the server writes.
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_schema').get()
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        void report(totalPages === 0 ? 0 : 1 - remainingPages / totalPages)
        return PAGES_PER_STEP
      },
    })
  } finally {
    source.close()
  }
}

/** Throws SQLite's error if the copy is damaged, because pages are copied without checks. */
const check = (path: string): void => {
  const database = new Sqlite(path)
  try {
    // Makes the copy a single file without a write-ahead log, which can be opened on a read-only disk.
    database.pragma('journal_mode = DELETE')
    const result = database.pragma('quick_check(1)', { simple: true })
    if (result !== 'ok') throw new Sqlite.SqliteError(String(result), 'SQLITE_CORRUPT')
  } finally {
    database.close()
  }
}

serveCalls<CopyMethods>(started, {
  copy: async (_, { report }) => {
    await copy(options, report)
    await report(1)
    check(options.to)
  },
})
