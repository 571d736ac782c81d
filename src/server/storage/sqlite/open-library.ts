import type { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { isFull } from './on-full-disk.ts'
import { DAMAGE, isSqliteError } from './outcome.ts'

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
    if (isSqliteError(error, DAMAGE)) return 'damaged'
    if (isSqliteError(error, /^SQLITE_(READONLY|CANTOPEN)/)) return 'read_only'
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
