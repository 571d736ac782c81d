import Sqlite from 'better-sqlite3'

/**
 * Locks a file for this process, and creates it if it does not exist. This is an SQLite lock: the operating system
 * releases it when the process ends, even by SIGKILL, so that no stale lock remains.
 *
 * @returns A function that releases the lock. null: another process holds it.
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
