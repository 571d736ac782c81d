import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import {
  type LibraryMigration,
  type MigrationProgress,
  reportingMigrations,
} from '#server/storage/sql/library-migration.ts'
import { firstLibrary } from './migrations/0001-first-library.ts'
import { orders } from './migrations/0002-orders.ts'
import { queue } from './migrations/0003-queue.ts'
import { clientState } from './migrations/0004-client-state.ts'
import { imports } from './migrations/0005-imports.ts'
import { importsUnderWay } from './migrations/0006-imports-under-way.ts'
import { upkeepTimes } from './migrations/0007-upkeep-times.ts'
import { imageChanges } from './migrations/0008-image-changes.ts'
import { previousPlaces } from './migrations/0009-previous-places.ts'
import { promptStarts } from './migrations/0010-prompt-starts.ts'
import { countedBytes } from './migrations/0011-counted-bytes.ts'
import { boardOrder } from './migrations/0012-board-order.ts'
import { badges } from './migrations/0013-badges.ts'
import { trashOrders } from './migrations/0014-trash-orders.ts'
import { readerVersions } from './migrations/0015-reader-versions.ts'
import { workflows } from './migrations/0016-workflows.ts'
import { libraryChanges } from './migrations/0017-library-changes.ts'
import { videos } from './migrations/0018-videos.ts'
import { sameVideos } from './migrations/0019-same-videos.ts'
import { durations } from './migrations/0020-durations.ts'
import { videoPosters } from './migrations/0021-video-posters.ts'
import { properties } from './migrations/0022-properties.ts'
import { savedSearches } from './migrations/0023-saved-searches.ts'
import { fingerprints } from './migrations/0024-fingerprints.ts'
import { ratingsAndTags } from './migrations/0025-ratings-and-tags.ts'
import { duplicateResolutions } from './migrations/0026-duplicate-resolutions.ts'
import { signsInTagKeys } from './migrations/0027-signs-in-tag-keys.ts'
import { SELECT_FOREIGN_TABLE } from './open-database.ts'

/**
 * The migrations by the names that libraries record. A released migration must not be edited, moved or renamed: add a
 * new one. Kysely runs them in the order of these names. Files 0002 to 0011 are recorded under dates. A new file, such
 * as `0012-ratings.ts`, is recorded as `m0012-ratings`, because `m` sorts after the dates (see
 * docs/decisions/0031-numbered-migrations.md).
 */
const migrations: Readonly<Record<string, LibraryMigration>> = {
  '0001-first-library': firstLibrary,
  '2026-11-22-orders': orders,
  '2026-11-22-queue': queue,
  '2026-11-22-state-of-clients': clientState,
  '2026-11-23-imports': imports,
  '2026-11-24-imports-under-way': importsUnderWay,
  '2026-11-27-upkeep-times': upkeepTimes,
  '2026-11-28-image-changes': imageChanges,
  '2026-11-29-previous-places': previousPlaces,
  '2026-11-29-prompt-starts': promptStarts,
  '2026-11-30-counted-bytes': countedBytes,
  'm0012-board-order': boardOrder,
  'm0013-badges': badges,
  'm0014-trash-orders': trashOrders,
  'm0015-reader-versions': readerVersions,
  'm0016-workflows': workflows,
  'm0017-library-changes': libraryChanges,
  'm0018-videos': videos,
  'm0019-same-videos': sameVideos,
  'm0020-durations': durations,
  'm0021-video-posters': videoPosters,
  'm0022-properties': properties,
  'm0023-saved-searches': savedSearches,
  'm0024-fingerprints': fingerprints,
  'm0025-ratings-and-tags': ratingsAndTags,
  'm0026-duplicate-resolutions': duplicateResolutions,
  'm0027-signs-in-tag-keys': signsInTagKeys,
}

interface MigrateOptions {
  /** False leaves an empty database empty. Default: true. */
  mayCreate?: boolean
  /** The last migration to apply. Default: the newest one. */
  upTo?: string
  /** Runs before the schema of an existing library changes. If it fails, nothing is changed. */
  backUp?: () => Promise<void>
  /** Called while an older library is updated. */
  onProgress?: (progress: MigrationProgress) => void
}

/**
 * Migrates the schema to the current version. Each migration is applied completely or not at all.
 *
 * @returns `done`, or why nothing was changed.
 */
export const migrate = async (
  db: Kysely<unknown>,
  { mayCreate = true, upTo, backUp, onProgress }: MigrateOptions = {},
): Promise<'done' | 'newer' | 'foreign' | 'empty'> => {
  const schema = await compareSchema(db)
  if (schema === 'newer' || schema === 'foreign') return schema
  const applied = await appliedMigrations(db)
  const isEmpty = applied.length === 0
  if (isEmpty && !mayCreate) return 'empty'
  if (!isEmpty && schema === 'older') await backUp?.()
  const steps =
    isEmpty || onProgress === undefined
      ? migrations
      : reportingMigrations(migrations, applied, onProgress)
  const provider = { getMigrations: async () => steps }
  const migrator = new Migrator({ db, provider })
  const { error } = await (upTo === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(upTo))
  if (error) throw error
  return 'done'
}

/** Compares the schema with the current version without changing it. */
export const compareSchema = async (
  db: Kysely<unknown>,
): Promise<'done' | 'older' | 'newer' | 'foreign'> => {
  const applied = await appliedMigrations(db)
  if (isNewer(applied)) return 'newer'
  const { rows: foreignTables } = await sql.raw(SELECT_FOREIGN_TABLE).execute(db)
  if (foreignTables.length > 0) return 'foreign'
  return applied.length < Object.keys(migrations).length ? 'older' : 'done'
}

/** True if a newer version has applied these migrations. */
export const isNewer = (applied: readonly string[]): boolean =>
  applied.some((name) => !Object.hasOwn(migrations, name))

const appliedMigrations = async (db: Kysely<unknown>): Promise<string[]> => {
  const { rows: tables } = await sql`
    SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}
