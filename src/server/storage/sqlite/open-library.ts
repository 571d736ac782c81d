import Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { isFull } from './on-full-disk.ts'
import type { OpenFault } from './open-fault.ts'

/** Connects and brings the schema up to date, or with `compareSchema` checks that it is. null: no fault. */
export const openLibrary = async (
  connect: () => unknown,
  settle: (db: Kysely<unknown>) => Promise<'done' | OpenFault> = migrate,
): Promise<OpenFault | null> => {
  try {
    const outcome = await settle(connect() as Kysely<unknown>)
    return outcome === 'done' ? null : outcome
  } catch (error) {
    if (isFull(error)) return 'full'
    const code = error instanceof Sqlite.SqliteError ? error.code : ''
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return 'damaged'
    if (/^SQLITE_(READONLY|CANTOPEN)/.test(code)) return 'read_only'
    throw error
  }
}
