import Sqlite from 'better-sqlite3'

/**
 * Locks a file for this process, and makes it if it does not exist. The lock is SQLite's: the operating system
 * releases it when the process ends, also by SIGKILL, so no stale lock is ever left.
 *
 * @returns Releases the lock. null: another process has it.
 * @throws {Sqlite.SqliteError} The file cannot be written.
 */
export const lockFile = (path: string): (() => void) | null => {
  let database: Sqlite.Database | undefined
  try {
    database = new Sqlite(path, { timeout: 0 })
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    const locked = database
    return () => void locked.close()
  } catch (error) {
    database?.close()
    const isBusy = error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
    if (isBusy) return null
    throw error
  }
}
