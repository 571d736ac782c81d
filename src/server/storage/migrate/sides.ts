import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import { faultsAsRefusals } from '#server/storage/postgres/faults.ts'
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { Bucket } from '#server/storage/s3/bucket.ts'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { openS3ThumbnailFiles } from '#server/storage/s3/s3-thumbnail-files.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { openExports } from '#server/storage/sqlite/open-records.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'
import {
  type CopyOriginal,
  copyToBucket,
  copyToFolder,
  hashInBucket,
  hashInFolder,
} from './copy-files.ts'
import { type CopiedTable, copiedTables } from './library-rows.ts'
import { hasUnfinishedMigration, UNFINISHED_DATABASE } from './unfinished-folder.ts'
import { type Identities, libraryIdOf, targetStateOf } from './unfinished-migration.ts'

/** One of the two places of a library. */
export interface Side {
  /** For messages. */
  name: string
  db: Db
  identities: Identities
  thumbnails: ThumbnailFiles
  /** True: it has a complete library, which is only read. */
  isReadOnly: boolean
  /** Returns the SHA-256 of an original, hexadecimal; null: it is missing. */
  hashOf(imageName: string): Promise<string | null>
  /** Returns the number of images in the search index. */
  countSearched(): Promise<number>
  /** Returns a text that is different after any change of images, boards, the queue or the state of clients. */
  fingerprint(): Promise<string>
  close(): Promise<void>
}

/** A data folder. The caller holds its lock, or its server is read-only. */
export interface FolderSide extends Side {
  dataFolder: string
}

export interface EnginesSide extends Side {
  bucket: Bucket
}

/** @throws {LibraryError} The database is damaged, or has another version. */
export const openFolder = async (dataFolder: string): Promise<FolderSide> => {
  // Checks the database and its version, with a message for the user.
  await (await openExports(dataFolder)).close()
  const path = join(dataFolder, 'tessera.db')
  const db = openDatabase(path, { readonly: true })
  // One state of the library for all reads.
  await sql`BEGIN`.execute(db)
  return folderSide(dataFolder, db, { path, isReadOnly: true })
}

/**
 * Opens an empty folder, or one with an unfinished migration.
 *
 * @throws {LibraryError} The folder has something else.
 */
export const openNewFolder = async (dataFolder: string): Promise<FolderSide> => {
  const path = join(dataFolder, UNFINISHED_DATABASE)
  if (!hasUnfinishedMigration(dataFolder)) await assertEmpty(dataFolder)
  await mkdir(join(dataFolder, 'images'), { recursive: true })
  const db = openDatabase(path, { readonly: false })
  await migrate(db as unknown as Kysely<unknown>)
  return folderSide(dataFolder, db, { path, isReadOnly: false })
}

const assertEmpty = async (dataFolder: string): Promise<void> => {
  const names = await readdir(dataFolder)
  if (names.every((name) => /^server\.(?:lock|json)/.test(name))) return
  throw new LibraryError(`${dataFolder} is not empty. Give a new or empty folder with --to.`)
}

const folderSide = async (
  dataFolder: string,
  db: Db,
  { path, isReadOnly }: { path: string; isReadOnly: boolean },
): Promise<FolderSide> => ({
  name: dataFolder,
  dataFolder,
  db,
  isReadOnly,
  identities: sqliteIdentities,
  thumbnails: await openThumbnailFiles(dataFolder),
  hashOf: (imageName) => hashInFolder(dataFolder, imageName),
  countSearched: () => numberOf(db, sql`SELECT count(*) AS n FROM images_fts_docsize`),
  fingerprint: async () => {
    // `db` has one state of the library for all reads.
    const fresh = openDatabase(path, { readonly: true })
    try {
      return await fingerprintOf(fresh, sql`SELECT coalesce(max(seq), 0) AS n FROM image_changes`)
    } finally {
      await fresh.destroy()
    }
  },
  close: () => db.destroy(),
})

/** Makes the library of a finished migration the one of its folder. */
export const publishFolder = async ({ dataFolder, db }: FolderSide): Promise<void> => {
  await db.destroy() // writes the log back into the database
  await flushDirectory(join(dataFolder, 'images'))
  await rename(join(dataFolder, UNFINISHED_DATABASE), join(dataFolder, 'tessera.db'))
  await flushDirectory(dataFolder)
}

const numberOf = async (db: Db, query: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await query.execute(db)).rows[0]?.n ?? 0

const FINGERPRINTED = [
  ...['images', 'boards', 'queue_items', 'client_state', 'workflows', 'saved_searches'],
]

/** @param log - Counts changes, but not those of every table. */
const fingerprintOf = async (db: Db, log: ReturnType<typeof sql<{ n: number }>>) => {
  const parts = [await numberOf(db, log)]
  for (const table of FINGERPRINTED) {
    const { rows } = await sql<{ n: number; last: number }>`
      SELECT count(*) AS n, coalesce(max(updated_at), 0) AS last
      FROM ${sql.table(table)}`.execute(db)
    parts.push(rows[0]?.n ?? 0, rows[0]?.last ?? 0)
  }
  return parts.join(' ')
}

/** Only tables with AUTOINCREMENT have an entry. */
const sqliteIdentities: Identities = {
  get: async (db, { table }) =>
    numberOf(db, sql`SELECT seq AS n FROM sqlite_sequence WHERE name = ${table}`),
  set: async (db, { table }, id) => {
    await sql`UPDATE sqlite_sequence SET seq = ${id} WHERE name = ${table}`.execute(db)
    await sql`
      INSERT INTO sqlite_sequence (name, seq) SELECT name, ${id} FROM sqlite_schema
      WHERE name = ${table} AND sql LIKE '%AUTOINCREMENT%'
        AND name NOT IN (SELECT name FROM sqlite_sequence)`.execute(db)
  },
}

const sequenceOf = ({ table, key }: CopiedTable) => sql`pg_get_serial_sequence(${table}, ${key})`

const postgresIdentities: Identities = {
  get: (db, table) =>
    numberOf(db, sql`SELECT coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0) AS n`),
  set: async (db, table, id) => {
    await sql`SELECT setval(${sequenceOf(table)}, ${Math.max(id, 1)}, ${id > 0})`.execute(db)
  },
}

/**
 * Opens the records in PostgreSQL and the bucket of a library. No other process can use the database until `close`.
 *
 * @throws {LibraryError} The database cannot be used, or another process uses it.
 * @throws {FilesStoreError} The bucket cannot be used.
 */
export const openEngines = async (urls: {
  databaseUrl: string
  files: string
}): Promise<EnginesSide> => {
  const { databaseUrl, files } = urls
  const bucket = new Bucket(parseFilesUrl(files))
  const opened: (() => unknown)[] = [() => bucket.close()]
  const close = async () => {
    for (const end of opened.toReversed()) await end()
  }
  try {
    await bucket.probe()
    const records = await openPostgresRecords({
      ...{ url: databaseUrl, isMigration: true },
    })
    opened.push(() => records.close())
    const { db } = records
    return {
      name: `the database at ${new URL(databaseUrl).host}`,
      bucket,
      db,
      isReadOnly: false,
      identities: postgresIdentities,
      thumbnails: openS3ThumbnailFiles(bucket),
      hashOf: (imageName) => hashInBucket(bucket, imageName),
      countSearched: () => numberOf(db, sql`SELECT count(*) AS n FROM image_search`),
      fingerprint: () => fingerprintOf(db, sql`SELECT n FROM library_revision`),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws {LibraryError} The libraries are different ones, or one is the copy of an unfinished migration. */
export const assertSameLibrary = async (source: Side, target: Side): Promise<void> => {
  const libraryId = await libraryIdOf(source.db)
  const state = await targetStateOf(target.db, libraryId)
  if (state === 'unfinished') {
    throw new LibraryError(
      'The migration is not finished. Run the same command without --verify first.',
    )
  }
  if (state === 'complete') return
  throw new LibraryError(`${source.name} and ${target.name} have different libraries.`)
}

/** Updates what PostgreSQL knows about new rows, so that the first queries are fast. */
export const analyze = ({ db }: EnginesSide): Promise<void> =>
  faultsAsRefusals(async () => {
    const tables = [...copiedTables.map(({ table }) => table), 'image_search']
    await sql`VACUUM (ANALYZE) ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
  })

/** Returns how originals get from one side to the other. */
export const copyingToBucket = (from: FolderSide, to: EnginesSide): CopyOriginal =>
  copyToBucket(from.dataFolder, to.bucket)

export const copyingToFolder = async (from: EnginesSide, to: FolderSide): Promise<CopyOriginal> =>
  copyToFolder(from.bucket, await openImageFiles({ dataFolder: to.dataFolder }))
