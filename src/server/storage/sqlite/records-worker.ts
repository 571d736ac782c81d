import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import type { LibraryChange, LoggedChange } from '#server/core/changes/change-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { logChange } from '#server/storage/sql/changes/change-log.ts'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import type { UnitKinds } from '#server/storage/sql/remote-units.ts'
import type { Tables } from '#server/storage/sql/tables.ts'
import { unitKinds, unitNamed } from '#server/storage/sql/units.ts'
import { ReadCache } from '#server/storage/sqlite/cache/read-cache.ts'
import { isSound, repairSchema } from '#server/storage/sqlite/upkeep/check-database.ts'
import { viewReadingOf } from '#server/storage/sqlite/views/open-view.ts'
import { compareSchema, migrate } from './migrate.ts'
import { onFullDisk, ReserveFile } from './on-full-disk.ts'
import { openDatabase } from './open-database.ts'
import { type OpenFault, openLibrary } from './open-library.ts'
import { faultsAsRefusals, type Outcome, outcomeOf } from './outcome.ts'

export interface WorkerOptions {
  path: string
  role: 'reader' | 'writer'
}

export interface UnitTask {
  unit: string
  args: readonly unknown[]
  /** Current time, in milliseconds since 1970. */
  now: number
  /** The source of the work, for the log of changes. */
  origin?: string | null
}

/** The result of a unit of work that writes, and its entry in the log of changes. */
export interface Written {
  result: unknown
  logged: LoggedChange | null
}

interface OpenTask {
  mayCreate: boolean
  mayBeDamaged: boolean
}

/** A unit of work, or a lifecycle task of the connection. */
export type Task =
  | UnitTask
  | ({ lifecycle: 'open' } & OpenTask)
  | { lifecycle: 'checkDisk' }
  | { lifecycle: 'close' }

const options: WorkerOptions = workerData

let connection: Kysely<Tables> | null = null
let cache = new ReadCache()
const reserve = new ReserveFile(`${options.path}-reserve`)

const connect = () => {
  if (connection !== null) return connection
  if (!existsSync(dirname(options.path))) throw new Refusal('library_away')
  connection = openDatabase(options.path, { readonly: options.role === 'reader' })
  return connection
}

/** Runs a task on this thread's connection. A unit of work is one transaction. */
export const runTask = async (task: Task): Promise<unknown> => {
  const transfer: ArrayBuffer[] = []
  const outcome = await outcomeOf(() => {
    if ('lifecycle' in task) {
      if (task.lifecycle === 'open') return open(task)
      return task.lifecycle === 'close' ? close() : checkDisk()
    }
    return faultsAsRefusals(() => runUnit(task, transfer), options.path)
  })
  return transfer.length === 0 ? outcome : moveBuffers(outcome, transfer)
}

const moveBuffers = async (outcome: Outcome, transfer: ArrayBuffer[]) => {
  // Imported on demand, because only the thread for long reads needs it.
  const { move, transferableSymbol, valueSymbol } = await import('piscina')
  const moved: unknown = { [transferableSymbol]: transfer, [valueSymbol]: outcome }
  return move(moved as Parameters<typeof move>[0])
}

export type OpenResult = { fault: OpenFault } | { kinds: UnitKinds }

const open = async (task: OpenTask): Promise<OpenResult> => {
  const fault = await connectAndMigrate(task)
  return fault === null ? { kinds: unitKinds } : { fault }
}

/** On a full disk, releases the reserve to open the library, because images can be deleted only in an open library. */
const connectAndMigrate = async ({ mayCreate, mayBeDamaged }: OpenTask) => {
  if (options.role === 'reader') return openLibrary(connect, compareSchema)
  const settle = async (db: Kysely<unknown>) => {
    const backUp = () => backUpBeforeMigration(mayBeDamaged)
    const onProgress = (migrating: MigrationProgress) => parentPort?.postMessage({ migrating })
    const outcome = await migrate(db, { mayCreate, backUp, onProgress })
    if (outcome !== 'done' || mayBeDamaged) return outcome
    return (await isSound(connect())) ? 'done' : 'damaged'
  }
  const openWriter = () => openLibrary(connect, settle)
  const fault = await openWriter()
  if (fault === null) reserve.take()
  if (fault !== 'full') return fault
  reserve.release()
  return openWriter()
}

/** Skips the backup if there is no space: a library on a full disk must open, so that images can be deleted. */
const backUpBeforeMigration = async (mayBeDamaged: boolean): Promise<void> => {
  // Imported on demand: backups load 370 modules, which each thread would otherwise keep in memory.
  const { makeAutomaticBackup } = await import('#server/storage/backup/automatic-backups.ts')
  const { DamagedDatabaseError } = await import('#server/storage/backup/copy-database.ts')
  try {
    await makeAutomaticBackup(dirname(options.path), Date.now())
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    if (cause instanceof DamagedDatabaseError) {
      if (mayBeDamaged) return
      throw new Sqlite.SqliteError(message, 'SQLITE_CORRUPT')
    }
    throw new Error(
      `${options.path} is from an older version of Tessera. It was not updated, because it could not be copied to backups/ first: ${message}`,
      { cause },
    )
  }
}

const close = async () => {
  await connection?.destroy()
  connection = null
  cache = new ReadCache()
}

/** Uses a new connection, because the memory of the old one cannot be trusted after a failed flush. */
const checkDisk = async () => {
  await close()
  const probe = `${options.path}-probe`
  try {
    writeFileSync(probe, Buffer.alloc(65_536), { flush: true })
  } finally {
    rmSync(probe, { force: true })
  }
  // Connecting would make an empty database where the folder of a drive is left without the drive.
  if (!existsSync(options.path)) throw new Refusal('library_away')
  const fault = await openLibrary(connect)
  if (fault !== null) throw new Error(fault)
  await sql`UPDATE kysely_migration_lock SET is_locked = is_locked`.execute(connect())
}

const runUnit = ({ unit, args, now, origin = null }: UnitTask, transfer: ArrayBuffer[]) => {
  const { kind, run } = unitNamed(unit)
  let change: LibraryChange = {}
  const work = (db: Kysely<Tables>) =>
    run(
      {
        ...viewReadingOf({ db, cache }, transfer),
        now,
        repairSchema: () => repairSchema(db),
        noteChange: (noted) => {
          change = noted
        },
      },
      ...args,
    )
  if (kind === 'read') return connect().transaction().execute(work)
  return onFullDisk(unit, reserve, () =>
    connect()
      .transaction()
      .execute(async (db): Promise<Written> => {
        const result = await work(db)
        const logged = await logChange(db, change, { now, origin })
        await trimImageChanges(db, logged)
        return { result, logged }
      }),
  )
}

/** Readers that are further behind read everything again. */
const MAX_IMAGE_CHANGES = 50_000

/** Entries are deleted in parts: a deletion in each unit of work would write one more page of the database. */
const TRIMMED_AT_ONCE = 1_000

/** The number of changes since the last deletion. The first change after a start deletes, because the count is lost. */
let untrimmed = TRIMMED_AT_ONCE

const trimImageChanges = async (db: Kysely<Tables>, logged: LoggedChange | null) => {
  if (logged === null) return
  // An entry without images is about boards or about everything, such as a repair.
  untrimmed += logged.images || TRIMMED_AT_ONCE
  if (untrimmed < TRIMMED_AT_ONCE) return
  untrimmed = 0
  await sql`
    DELETE FROM image_changes
    WHERE seq <= (SELECT max(seq) FROM image_changes) - ${MAX_IMAGE_CHANGES}`.execute(db)
}
