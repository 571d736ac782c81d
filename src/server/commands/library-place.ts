import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { ImageFiles, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { databaseFlag, databaseUrlOf, filesFlag } from '#server/start/flags.ts'
import { openFileStore } from '#server/start/open-file-store.ts'
import { StartError } from '#server/start/start-error.ts'

/** The database and the bucket of a library. */
export interface Engines {
  databaseUrl: string
  files: string
}

/** Adds the flags of a library in PostgreSQL and S3 to a command. */
export const addEnginesFlags = (command: Command): Command =>
  command
    .addOption(databaseFlag('PostgreSQL database of the library, instead of --data'))
    .addOption(filesFlag('S3 bucket of the library, with --database'))

/**
 * Returns the database and the bucket that the flags name. null: the library is in the data folder.
 *
 * @throws {StartError} One of the two is missing, or the URL of the database is invalid.
 */
export function enginesOf(command: Command): Engines | null {
  const { database, files } = command.opts<{ database?: string; files?: string }>()
  const databaseUrl = databaseUrlOf(database)
  if (databaseUrl === null && files === undefined) return null
  if (databaseUrl !== null && files !== undefined) return { databaseUrl, files }
  throw new StartError('--database and --files need each other (see --help).', 2)
}

/** Refuses a command that works with a data folder only. */
export function assertNoEngines(command: Command): void {
  if (enginesOf(command) === null) return
  throw new StartError(
    `${command.name()} works with a data folder only. Back up the database with pg_dump and the bucket with its versioning (see docs/scale.md), or copy both to a folder: tessera migrate --to FOLDER.`,
    2,
  )
}

export interface EnginesLibrary {
  records: Records
  files: ImageFiles
  thumbnails: ThumbnailFiles
  /** For files that are read from S3. */
  temporaryFolder: string
  close(): Promise<void>
}

/**
 * Opens a library in PostgreSQL and S3 for a command.
 *
 * @param options - `isReader`: only reads, while servers may use it.
 * @throws {LibraryError} The database cannot be used.
 * @throws {StartError} The bucket cannot be used.
 */
export async function openEnginesLibrary(
  { databaseUrl, files: url }: Engines,
  { isReader }: { isReader: boolean },
): Promise<EnginesLibrary> {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'tessera-'))
  const opened: (() => unknown)[] = [() => rm(temporaryFolder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of opened.toReversed()) await end()
  }
  try {
    const { openPostgresRecords } = await import('#server/storage/postgres/open-records.ts')
    const records = await openPostgresRecords({ url: databaseUrl, isReader })
    opened.push(() => records.close())
    const ignore = () => {}
    const store = await openFileStore({
      ...{ dataFolder: temporaryFolder, url, pending: records.pending },
      ...{ onDiskError: ignore, onFailure: ignore },
    })
    opened.push(() => store.close())
    return { records, files: store.files, thumbnails: store.thumbnails, temporaryFolder, close }
  } catch (error) {
    await close()
    throw error
  }
}
