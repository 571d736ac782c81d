import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import {
  type LibraryMigration,
  type MigrationProgress,
  reportingMigrations,
} from '#server/storage/sql/library-migration.ts'
import { MIGRATION_LOCK } from './advisory-locks.ts'
import { firstLibrary } from './migrations/0001-first-library.ts'
import { severalProcesses } from './migrations/0002-several-processes.ts'
import { orderBuckets } from './migrations/0003-order-buckets.ts'
import { imageChanges } from './migrations/0004-image-changes.ts'
import { boardOrder } from './migrations/0005-board-order.ts'
import { badges } from './migrations/0006-badges.ts'
import { trashOrders } from './migrations/0007-trash-orders.ts'
import { readerVersions } from './migrations/0008-reader-versions.ts'
import { workflows } from './migrations/0009-workflows.ts'
import { libraryChanges } from './migrations/0010-library-changes.ts'
import { videos } from './migrations/0011-videos.ts'
import { sameVideos } from './migrations/0012-same-videos.ts'
import { videoBuckets } from './migrations/0013-video-buckets.ts'
import { durations } from './migrations/0014-durations.ts'
import { videoPosters } from './migrations/0015-video-posters.ts'
import { properties } from './migrations/0016-properties.ts'
import { savedSearches } from './migrations/0017-saved-searches.ts'
import { fingerprints } from './migrations/0018-fingerprints.ts'
import { ratingsAndTags } from './migrations/0019-ratings-and-tags.ts'
import { duplicateResolutions } from './migrations/0020-duplicate-resolutions.ts'
import { signsInTagKeys } from './migrations/0021-signs-in-tag-keys.ts'

/** The schema of the tables, so that a database may contain tables of other programs. */
export const SCHEMA = 'tessera'

/** A released migration must not be edited, moved or renamed: add a new one. */
export const migrations: Readonly<Record<string, LibraryMigration>> = {
  '0001-first-library': firstLibrary,
  '0002-several-processes': severalProcesses,
  '0003-order-buckets': orderBuckets,
  '0004-image-changes': imageChanges,
  '0005-board-order': boardOrder,
  '0006-badges': badges,
  '0007-trash-orders': trashOrders,
  '0008-reader-versions': readerVersions,
  '0009-workflows': workflows,
  '0010-library-changes': libraryChanges,
  '0011-videos': videos,
  '0012-same-videos': sameVideos,
  '0013-video-buckets': videoBuckets,
  '0014-durations': durations,
  '0015-video-posters': videoPosters,
  '0016-properties': properties,
  '0017-saved-searches': savedSearches,
  '0018-fingerprints': fingerprints,
  '0019-ratings-and-tags': ratingsAndTags,
  '0020-duplicate-resolutions': duplicateResolutions,
  '0021-signs-in-tag-keys': signsInTagKeys,
}

/** Compares the schema with the current version without changing it. */
export const compareSchema = async (db: Kysely<unknown>): Promise<'done' | 'older' | 'newer'> => {
  const applied = await appliedMigrations(db)
  if (isNewer(applied)) return 'newer'
  return applied.length < Object.keys(migrations).length ? 'older' : 'done'
}

/** True if a newer version has applied these migrations. */
const isNewer = (applied: readonly string[]): boolean =>
  applied.some((name) => !Object.hasOwn(migrations, name))

const appliedMigrations = async (db: Kysely<unknown>): Promise<string[]> => {
  const { rows: tables } = await sql<{ there: string | null }>`
    SELECT to_regclass(${`${SCHEMA}.kysely_migration`})::text AS there`.execute(db)
  if (tables[0]?.there == null) return []
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM ${sql.id(SCHEMA)}.kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Migrates the schema to the current version. All migrations are applied in one transaction, or none.
 *
 * @param onProgress - Called while an older library is updated.
 * @returns `newer` if a newer version of Tessera has migrated it. Nothing was changed.
 */
export const migrate = async (
  db: Kysely<unknown>,
  onProgress?: (progress: MigrationProgress) => void,
): Promise<'done' | 'newer'> => {
  // Without the lock, processes that start together would fail, in spite of IF NOT EXISTS.
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
    await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(SCHEMA)}`.execute(transaction)
  })
  const applied = await appliedMigrations(db)
  if (isNewer(applied)) return 'newer'
  const steps =
    applied.length === 0 || onProgress === undefined
      ? migrations
      : reportingMigrations(migrations, applied, onProgress)
  const provider = { getMigrations: async () => steps }
  const migrator = new Migrator({ db, provider, migrationTableSchema: SCHEMA })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return 'done'
}
