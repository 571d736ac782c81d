import Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { WHAT_TO_DO } from '#server/core/upkeep/library-state.ts'
import { migrate } from './migrate.ts'
import { isFull } from './on-full-disk.ts'

/** Connects and migrates the schema, or only checks it with `compareSchema`. null: no fault. */
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

/** Why a library cannot be opened, except for bugs. Sent between threads. */
export type OpenFault =
  | 'missing'
  | 'empty'
  | 'foreign'
  | 'newer'
  | 'older'
  | 'damaged'
  | 'full'
  | 'read_only'

/** Texts that follow the path of the database in a message. */
export const faultTexts: Readonly<Record<OpenFault, string>> = {
  missing: `is missing, but images/ has files. ${WHAT_TO_DO}`,
  empty: `is empty, but images/ has files. ${WHAT_TO_DO}`,
  foreign: `is the database of another program. ${WHAT_TO_DO}`,
  newer: 'was written by a newer version of Tessera. Update Tessera to open it.',
  older: 'is still in use by an older version of Tessera. Stop that one and try again.',
  damaged:
    'is damaged. Run `tessera doctor` to see what can be repaired, or put a backup of it in its place.',
  full: 'needs space, and the disk is full. Nothing was changed. Free some space there, or choose another folder with --data.',
  read_only: 'cannot be written. Make it writable, or choose another folder with --data.',
}
