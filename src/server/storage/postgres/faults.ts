import pg from 'pg'
import type { RefusalCode } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'

/** The server stops, starts or is a standby, the connection was lost, or all connections are taken. */
const DOWN = /^(?:08...|57P0[123]|53300|25006)$/

/** Codes of errors of the network. */
const NETWORK = /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET|ADDR|AI_|NOTFOUND))/

/** Errors of `pg` that have no code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

const LOST_CHANGE =
  'The database does not answer. This change may or may not have been made; everything confirmed earlier is safe. Try again in a moment.'

const refusalsByCode: Readonly<Record<string, RefusalCode>> = {
  53100: 'disk_full',
  XX001: 'library_damaged',
  XX002: 'library_damaged',
}

/** Code of the trigger that refuses the row of a file that was set aside: see migration 0002. */
const SET_ASIDE = 'TS001'

const TOO_LATE =
  'The server was paused for too long during this upload. Nothing was added. Upload the file again.'

/**
 * Turns errors of the server and the connection into refusals.
 *
 * @param isChange - True: the work writes. After a lost connection it may or may not have been committed.
 * @throws {Refusal} `database_down`, `disk_full`, `library_damaged`, `busy`.
 */
export const faultsAsRefusals = async <T>(
  work: () => Promise<T>,
  { isChange = false } = {},
): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    const code = cause instanceof pg.DatabaseError ? refusalsByCode[cause.code ?? ''] : undefined
    if (code !== undefined) throw new Refusal(code, undefined, { cause })
    if (cause instanceof pg.DatabaseError && cause.code === SET_ASIDE)
      throw new Refusal('busy', TOO_LATE, { cause })
    if (isDown(cause))
      throw new Refusal('database_down', isChange ? LOST_CHANGE : undefined, { cause })
    throw cause
  }
}

const isDown = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return DOWN.test(error.code ?? '')
  if (NETWORK.test(systemCode(error) ?? '')) return true
  return error instanceof Error && LOST.test(error.message)
}

/** Returns the reason why a database cannot be opened, with a remedy. Never contains the password. */
export const openError = (url: URL, cause: unknown): LibraryError => {
  const user = decodeURIComponent(url.username) || 'the current user'
  const database = decodeURIComponent(url.pathname.slice(1)) || user
  const reasons: Readonly<Record<string, string>> = {
    '28P01': `does not accept the password of ${user}. Correct --database.`,
    28000: `does not let ${user} in. Correct --database, or allow it in pg_hba.conf.`,
    '3D000': `has no database “${database}”. Create it: createdb ${database}`,
    42501: `does not let ${user} create tables. Allow it: GRANT CREATE ON DATABASE ${database} TO ${user}`,
    25006: 'is a standby and accepts no changes. Give --database the primary.',
    ECONNREFUSED: 'does not answer. Start PostgreSQL, or correct --database.',
    ENOTFOUND: 'is unknown. Correct the host in --database.',
  }
  const code = cause instanceof pg.DatabaseError ? cause.code : systemCode(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  const reason = reasons[code ?? ''] ?? `cannot be used: ${message}`
  return new LibraryError(`PostgreSQL at ${url.host} ${reason}`, { cause })
}
