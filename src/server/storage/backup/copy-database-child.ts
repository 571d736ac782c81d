import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import Sqlite from 'better-sqlite3'
import type { CopyMessage, CopyTask } from './copy-database.ts'

/** Entry point of the process that copies a database. It ends when the copy is done or its channel closes. */

/** 8 MiB. Progress messages and the end of the channel are handled between two steps. */
const PAGES_PER_STEP = 2000

// The server and the user's programs get the CPU first.
setPriority(constants.priority.PRIORITY_LOW)
process.on('disconnect', () => process.exit(1))
// Ctrl+C reaches every process of the terminal. Only the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)

const send = (message: CopyMessage): Promise<void> =>
  new Promise((resolve) => process.send?.(message, () => resolve()))

const copy = async ({ from, to }: CopyTask): Promise<void> => {
  rmSync(to, { force: true })
  const source = new Sqlite(from, { readonly: true, fileMustExist: true, timeout: 10_000 })
  try {
    // One read transaction for all steps. Without it, SQLite restarts the copy whenever the server writes.
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_schema').get()
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        void send({ share: totalPages === 0 ? 0 : 1 - remainingPages / totalPages })
        return PAGES_PER_STEP
      },
    })
  } finally {
    source.close()
  }
}

/**
 * Throws SQLite's error if the copy is damaged. Pages are copied without checks, so a copy has every fault of its
 * source.
 */
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

const task: CopyTask = JSON.parse(process.argv[2] ?? '')
try {
  await copy(task)
  await send({ share: 1 })
  check(task.to)
  await send('done')
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  await send({ fault: { code, message: error instanceof Error ? error.message : String(error) } })
}
process.disconnect()
