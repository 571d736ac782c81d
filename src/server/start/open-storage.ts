import type { FastifyBaseLogger } from 'fastify'
import type { ChangeOrigin } from '#server/core/changes/change-ports.ts'
import { OriginalCheck } from '#server/core/images/original-check.ts'
import { LibraryError, LibraryState } from '#server/core/upkeep/library-state.ts'
import type { Probe } from '#server/core/upkeep/readiness.ts'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'
import { restoreHint } from '#server/storage/backup/automatic-backups.ts'
import { openZipArchives } from '#server/storage/disk/zip-archives.ts'
import { openCodecProcesses, openFileIntake } from '#server/storage/intake/open-file-intake.ts'
import type { PostgresRecords } from '#server/storage/postgres/open-records.ts'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import type { DataFolderLock } from './data-folder-lock.ts'
import { openFileStore } from './open-file-store.ts'
import type { ServerOptions } from './server-options.ts'
import { StartError } from './start-error.ts'
import { faultLines, migrationLine } from './upkeep-lines.ts'

/** Parts with threads, processes or connections, which are closed if the start fails. */
export type Opened = { close(): unknown }[]

interface StorageOptions extends ServerOptions {
  maxPixels: number
  /** Names the origin of each change for the log of changes. */
  origin: ChangeOrigin
  onFailure(error: unknown): void
}

/**
 * Opens the records and files of a library, where the options say, and the processes that decode files.
 *
 * @throws {StartError} A place cannot be used. What was opened before is in `opened`.
 */
export async function openStorage(options: StorageOptions, lock: DataFolderLock, opened: Opened) {
  const { dataFolder, clock = Date.now, logger, readOnly: isReadOnly = false, onFailure } = options
  const state = openState(dataFolder, isReadOnly, logger ?? null)
  const onMigration = (progress: MigrationProgress) => logger?.info(migrationLine(progress))
  const database = await openDatabase(options, state, onMigration)
  if (database !== null) opened.push(database)
  const store = await openFileStore({
    dataFolder,
    url: options.files ?? null,
    pending: database?.pending,
    isReadOnly,
    hasLinks: options.filesRedirect ?? false,
    onDiskError: () => state.fail('disk_error'),
    onFailure: (error) => logger?.error({ err: error }, 'a request to the file store failed'),
  })
  opened.push(store)
  if (database !== null) lock.markDatabase()
  const { files, thumbnails, downloads } = store
  const mayCreate = database === null && !(await files.hasAny())
  const records =
    database ??
    (await openRecords({
      ...{ dataFolder, clock, mayCreate, isReadOnly, state, origin: options.origin },
      onMigration,
    }))
  if (database === null) opened.push(records)
  const originals = new OriginalCheck(files)
  const zips = await openZipArchives({ dataFolder, files, downloads, check: originals })
  setUpSharp()
  const intakeSettings = { dataFolder, maxPixels: options.maxPixels, onFailure }
  const codec = openCodecProcesses(intakeSettings)
  const intake = openFileIntake(intakeSettings)
  opened.push(codec, intake)
  const checkDatabase = async () => {
    state.assertThere()
    await records.upkeep.getTimes()
  }
  const probes: Probe[] = [
    { name: 'database', check: checkDatabase },
    ...(store.probe === null ? [] : [store.probe]),
  ]
  return {
    ...{ state, database, store, records, intake, probes },
    /** The ports that the services of core need. */
    ports: { ...records, files, originals, thumbnails, zips, codec, clock, onFailure },
  }
}

function openState(
  dataFolder: string,
  isStartedReadOnly: boolean,
  logger: FastifyBaseLogger | null,
): LibraryState {
  const state = new LibraryState({ isStartedReadOnly })
  state.onFault((fault) => {
    logger?.error(faultLines[fault])
    const hint = fault === 'damaged' ? restoreHint(dataFolder) : null
    if (hint !== null) logger?.error(hint)
  })
  return state
}

/** Opens the records in PostgreSQL. Loads its client only then. null: they are in the data folder. */
async function openDatabase(
  { databaseUrl = null, redisUrl = null, clock, origin }: StorageOptions,
  state: LibraryState,
  onMigration: (progress: MigrationProgress) => void,
): Promise<PostgresRecords | null> {
  if (databaseUrl === null) return null
  const { openPostgresRecords } = await import('#server/storage/postgres/open-records.ts')
  const isShared = redisUrl !== null
  const database = { url: databaseUrl, state, origin, isShared, onMigration }
  return openPostgresRecords({ ...database, ...(clock && { clock }) }).catch((error: unknown) => {
    throw error instanceof LibraryError ? new StartError(error.message, 1, { cause: error }) : error
  })
}
