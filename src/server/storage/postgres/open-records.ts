import { type CompiledQuery, Kysely, sql } from 'kysely'
import pLimit from 'p-limit'
import pg from 'pg'
import type {
  ChangeOrigin,
  LibraryChange,
  LoggedChange,
} from '#server/core/changes/change-ports.ts'
import type { Clock } from '#server/core/clock.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { PendingFiles } from '#server/core/intake/file-ports.ts'
import type { ProcessorRecords } from '#server/core/queue/queue-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import {
  DatabaseHeldError,
  LibraryError,
  type LibraryState,
} from '#server/core/upkeep/library-state.ts'
import type { ProcessLocks } from '#server/core/upkeep/process-locks.ts'
import { ChangeListeners } from '#server/storage/sql/changes/change-listeners.ts'
import { logChange } from '#server/storage/sql/changes/change-log.ts'
import { groupCalls } from '#server/storage/sql/group-calls.ts'
import { getImageRecords } from '#server/storage/sql/images/image-records.ts'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import type { ColumnName } from '#server/storage/sql/properties/columns.ts'
import { recordsOf } from '#server/storage/sql/records-of.ts'
import { IN_NO_LIST, remoteUnits } from '#server/storage/sql/remote-units.ts'
import type { Db, Tables } from '#server/storage/sql/tables.ts'
import { unitKinds, unitNamed } from '#server/storage/sql/units.ts'
import { RatioCache } from '#server/storage/sql/views/ratios.ts'
import { QUEUE_LOCK, WRITER_LOCK } from './advisory-locks.ts'
import { checkDatabase, repairSchema } from './check-database.ts'
import { columnOf, lorasOf, tagsOf } from './columns-of.ts'
import { faultsAsRefusals, openError } from './faults.ts'
import { MAX_RARE_MATCHES } from './matching-ids.ts'
import { compareSchema, migrate, SCHEMA } from './migrate.ts'
import { idsIn, openView } from './open-view.ts'
import { BUCKET_IMAGES } from './order-buckets.ts'
import { databaseNow, pendingFilesOf } from './pending-files.ts'
import { LibraryDialect, replacingNul } from './postgres-dialect.ts'
import { type ProcessLock, takeProcessLock } from './process-lock.ts'
import { processLocksOf } from './process-locks-of.ts'
import { processorsOf, resetProcessors } from './queue-claims.ts'
import { Results, revisionOf } from './results.ts'

/** As PostgreSQL numbers its versions. */
const OLDEST_VERSION = 150_000

/**
 * Changes of images and of the queue that may wait for their lock on a connection. Further ones wait without one, so
 * that connections remain for reads and renewals.
 */
const CONNECTIONS_TO_CHANGE = { images: 3, queue: 2 }

/** How long a request waits for a connection. */
const CONNECT_MS = 5_000

const SETTINGS = [
  `-c search_path=${SCHEMA}`,
  // Cached plans of triggers and foreign keys would read whole tables after these have grown.
  '-c plan_cache_mode=force_custom_plan',
  // Compiling a search took a tenth of its time.
  '-c jit=off',
  // Ends the transaction of a process that hangs, because the changes of all others wait for it.
  '-c idle_in_transaction_session_timeout=10s',
].join(' ')

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(type as number, format as 'text'),
}

export interface PostgresRecords extends Records {
  processors: ProcessorRecords
  locks: ProcessLocks
  /** Numbers of connections, for metrics. */
  connections(): { used: number; idle: number; waiting: number }
  /** For a migration, which copies whole tables. */
  db: Db
  /** For a store of files that is not compared with the records. */
  pending: PendingFiles
}

/**
 * Opens the records of a library in PostgreSQL and migrates its schema. Each method of the ports is one transaction.
 *
 * @throws {LibraryError} The database cannot be reached or used. The message names the reason and a remedy.
 */
export const openPostgresRecords = async (options: {
  /** `postgres://user:password@host/database`. */
  url: string
  /** Default: the clock of the database, because the clocks of processes may differ. */
  clock?: Clock
  /** True: other processes that share the database may open it too. Default: false. */
  isShared?: boolean
  /** True: only reads, next to processes that may use the database. Takes no lock. Default: false. */
  isReader?: boolean
  /** Refuses changes of a read-only library, whose schema is not migrated. */
  state?: LibraryState
  /** Names the origin of each change for the log of changes. */
  origin?: ChangeOrigin
  /** True: opens a database with a part of a library, to which the rest is copied. Default: false. */
  isMigration?: boolean
  /** Called while an older library is updated. */
  onMigration?: ((progress: MigrationProgress) => void) | undefined
  /** Number of images of a new bucket of `order_buckets`, for tests. */
  bucketImages?: number
  /** Number of images up to which a search sorts those that match, for tests. */
  maxRareMatches?: number
  /** Called with each statement, for tests of query plans. */
  onQuery?: (query: CompiledQuery) => void
}): Promise<PostgresRecords> => {
  const { clock, isShared = false, isReader = false } = options
  const { bucketImages = BUCKET_IMAGES, maxRareMatches = MAX_RARE_MATCHES } = options
  const url = new URL(options.url)
  const pool = new pg.Pool({
    connectionString: options.url,
    types,
    options: `${SETTINGS} -c tessera.bucket_images=${bucketImages}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  })
  // A connection that fails while it is idle is replaced by a new one.
  pool.on('error', () => {})
  // Without a listener, a connection that fails while it is in use would end the process. Its query fails too.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({
    dialect: new LibraryDialect({ pool }),
    plugins: [replacingNul],
    log: ({ query }) => options.onQuery?.(query),
  })
  let lock: ProcessLock | null = null
  try {
    const isReadOnly = options.state?.fault === 'started_read_only'
    if (!isReader) {
      lock = await takeProcessLock(options.url, { isShared: isShared || isReadOnly })
      if (lock === null)
        throw new DatabaseHeldError(
          `Another Tessera uses the database at ${url.host}. To let several processes use it, give each --redis.`,
        )
    }
    await open(db as Kysely<unknown>, { url, isReadOnly, onMigration: options.onMigration })
    if (!options.isMigration) await refuseUnfinished(db, url)
    if (!isShared && !isReadOnly && !isReader) await resetProcessors(db as Kysely<unknown>)
  } catch (error) {
    await db.destroy()
    await lock?.release()
    throw error instanceof LibraryError ? error : openError(url, error)
  }
  const results = new Results()
  const ratios = new RatioCache()
  const changed = new ChangeListeners()

  /** Takes locks, in this order, and returns the time after that. */
  const begin = async (on: Db, locks: readonly number[] = []): Promise<number> => {
    const taken = locks.map((key) => sql`pg_advisory_xact_lock(${key})`)
    const { rows } = await sql<{ now: number }>`
      SELECT ${sql.join([...taken, sql`${databaseNow} AS now`])}`.execute(on)
    return clock?.() ?? rows[0]?.now ?? 0
  }

  const limits = {
    images: pLimit(CONNECTIONS_TO_CHANGE.images),
    queue: pLimit(CONNECTIONS_TO_CHANGE.queue),
  }
  const write = (unit: string, run: Run) => {
    const locks = locksOf(unit)
    const work = () =>
      db.transaction().execute(async (transaction) => {
        const result = await run(transaction, await begin(transaction, locks))
        if (!IN_NO_LIST.test(unit))
          await sql`UPDATE library_revision SET n = n + 1`.execute(transaction)
        return result
      })
    if (locks.length === 0) return work()
    return limits[unit.startsWith('queue.') ? 'queue' : 'images'](work)
  }

  const units = remoteUnits(unitKinds, async (unit, kind, args) => {
    const { run } = unitNamed(unit)
    const origin = options.origin?.current() ?? null
    let logged: LoggedChange | null = null
    const work: Run = async (transaction, now) => {
      const remember = results.rememberIn(transaction)
      const source = { db: transaction, remember, bucketImages, maxRareMatches }
      const openViewOf = (view: View) => openView(source, view)
      const reading = {
        db: transaction,
        transfer: [],
        openView: openViewOf,
        idsIn: (view: View) => idsIn(source, view),
        ratios: (ids: Uint32Array) => ratios.of(transaction, ids),
        column: (name: ColumnName) => columnOf(transaction, remember, name),
        loras: () => lorasOf(transaction, remember),
        tags: () => tagsOf(transaction, remember),
        remember,
      }
      let change: LibraryChange = {}
      const noteChange = (noted: LibraryChange) => {
        change = noted
      }
      const context = { ...reading, now, repairSchema: () => repairSchema(transaction), noteChange }
      const result = await run(context, ...args)
      logged = await logChange(transaction, change, { now, origin })
      return result
    }
    const isChange = kind === 'write'
    if (isChange) options.state?.assertWritable()
    const result = await faultsAsRefusals(
      () => (isChange ? write(unit, work) : readState(db, work)),
      { isChange },
    )
    if (logged !== null) changed.emit(logged)
    return result
  })
  const records = recordsOf(units, units, options.origin)
  // Both take one statement and no transaction. Calls that arrive during one share the next.
  const getImage = groupCalls((names: readonly string[]) =>
    faultsAsRefusals(() => getImageRecords(db, names)),
  )
  const getRevision = groupCalls(async (calls: readonly undefined[]) => {
    const revision = await faultsAsRefusals(() => revisionOf(db))
    return calls.map(() => revision)
  })
  return {
    ...records,
    images: { ...records.images, get: getImage },
    changes: { ...records.changes, listen: changed.listen },
    db,
    processors: processorsOf(db),
    locks: processLocksOf(options.url),
    pending: pendingFilesOf(db),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    upkeep: {
      ...records.upkeep,
      revision: () => getRevision(undefined),
      now: () => faultsAsRefusals(() => begin(db)),
      checkDatabase: async (depth) =>
        depth === 'quick' ? [] : faultsAsRefusals(() => readState(db, checkDatabase)),
      checkDisk: async () => {
        await sql`UPDATE library_revision SET n = n`.execute(db)
      },
      // The database is not in the data folder.
      reopen: async () => {},
    },
    close: async () => {
      await db.destroy()
      await lock?.release()
    },
  }
}

/**
 * Returns the locks of a unit that writes. A renewal needs none and must not wait. Units of the queue read counters
 * and statuses before they change them, so they run one at a time too.
 */
const locksOf = (unit: string): number[] => {
  if (unit === 'queue.renew') return []
  if (unit.startsWith('queue.')) return [QUEUE_LOCK]
  return unit === 'upkeep.repairDatabase' ? [WRITER_LOCK, QUEUE_LOCK] : [WRITER_LOCK]
}

/** A table that exists while `tessera migrate` copies a library into the database. */
export const UNFINISHED = 'unfinished_migration'

const refuseUnfinished = async (db: Db, url: URL): Promise<void> => {
  const { rows } = await sql<{ table: string | null }>`
    SELECT to_regclass(${UNFINISHED})::text AS table`.execute(db)
  if (rows[0]?.table == null) return
  throw new LibraryError(
    `The database at ${url.host} has a part of a library. Run the same \`tessera migrate\` again to finish it, or give --database another one.`,
  )
}

/** @param now - Milliseconds since 1970. 0 for units that only read. */
type Run = (db: Db, now: number) => Promise<unknown>

/** Runs in a transaction that sees one state of the library. */
const readState = <Result>(
  db: Db,
  run: (db: Db, now: number) => Promise<Result>,
): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => run(transaction, 0))

interface OpenOptions {
  url: URL
  isReadOnly: boolean
  onMigration: ((progress: MigrationProgress) => void) | undefined
}

const open = async (
  db: Kysely<unknown>,
  { url, isReadOnly, onMigration }: OpenOptions,
): Promise<void> => {
  const { rows } = await sql<{ version: number; encoding: string }>`
    SELECT current_setting('server_version_num')::int AS version,
      current_setting('server_encoding') AS encoding`.execute(db)
  const [{ version = 0, encoding = '' } = {}] = rows
  if (version < OLDEST_VERSION)
    throw new LibraryError(`PostgreSQL at ${url.host} is too old. Tessera needs version 15.`)
  if (encoding !== 'UTF8')
    throw new LibraryError(
      `The database at ${url.host} has the encoding ${encoding}. Create one with UTF8: createdb --encoding UTF8`,
    )
  const schema = await (isReadOnly ? compareSchema(db) : migrate(db, onMigration))
  if (schema === 'older')
    throw new LibraryError(
      `The database at ${url.host} has no library of this version of Tessera. Start once without --read-only to create or update it.`,
    )
  if (schema === 'newer')
    throw new LibraryError(
      `The database at ${url.host} was written by a newer version of Tessera. Update Tessera to open it.`,
    )
}
