import pg from 'pg'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { faultsAsRefusals as postgresFaults } from '#server/storage/postgres/faults.ts'
import { isFull } from '#server/storage/sqlite/on-full-disk.ts'
import { faultsAsRefusals as sqliteFaults } from '#server/storage/sqlite/outcome.ts'

/**
 * Turns errors of both databases into refusals.
 *
 * @throws {LibraryError} PostgreSQL refuses a change, for example of a value that is too long for its indexes.
 */
export const faultsAsRefusals = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await postgresFaults(() => sqliteFaults(work))
  } catch (cause) {
    if (isFull(cause)) throw new Refusal('disk_full', undefined, { cause })
    if (!(cause instanceof pg.DatabaseError)) throw cause
    throw new LibraryError(`PostgreSQL refuses a change: ${cause.message}`, { cause })
  }
}
