import { sql } from 'kysely'
import pLimit from 'p-limit'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { type CopyOriginal, copyThumbnails, type ImageToCopy, imageOf } from './copy-files.ts'
import { copyImageRows, copyTable } from './copy-images.ts'
import { faultsAsRefusals } from './faults.ts'
import {
  type CopiedColumns,
  copiedColumns,
  imagesTable,
  imageTagsTable,
  lastKey,
  pagesOf,
  type Row,
  tablesBeforeImages,
} from './library-rows.ts'
import type { Side } from './sides.ts'
import {
  addFailures,
  createMark,
  finishMigration,
  isMarkedWith,
  libraryIdOf,
  listFailures,
  removeFailure,
  startFromEmpty,
  targetStateOf,
} from './unfinished-migration.ts'

/** Originals that are copied at the same time. */
const CONCURRENCY = 8

/** Failures listed by name; the count includes all. */
const MAX_NAMED = 1000

export interface MigrationProgress {
  images: number
  bytes: number
  /** Images processed so far, with their bytes. */
  done: number
  doneBytes: number
  /** Images that an earlier run copied. */
  there: number
  failed: number
  failures: { imageName: string; reason: string }[]
}

export interface Migration {
  source: Side
  target: Side
  copyOriginal: CopyOriginal
  thumbnailSizes?: readonly number[]
  /** True: ends the migration although some originals cannot be copied. */
  skipsFailed: boolean
  signal: AbortSignal
  onProgress(progress: Readonly<MigrationProgress>): void
}

export interface MigrationResult extends MigrationProgress {
  /** False: some originals could not be copied. The target cannot be opened until they are copied or skipped. */
  isFinished: boolean
  /** True: the target had the whole library already. */
  wasThere: boolean
}

/**
 * Copies a library. The target stays marked until everything is copied, and an interrupted run can be continued. Rows
 * are copied in the order of their keys, those of images after their files, so the last row of the target tells where
 * to continue.
 *
 * @throws {LibraryError} The target has another library, or the source was changed meanwhile.
 * @throws {Refusal} The database or the store failed.
 * @throws The reason of `signal`.
 */
export const migrateLibrary = (migration: Migration): Promise<MigrationResult> =>
  faultsAsRefusals(() => migrateRest(migration))

const migrateRest = async (migration: Migration): Promise<MigrationResult> => {
  const { source, target, signal } = migration
  const libraryId = await libraryIdOf(source.db)
  const state = await targetStateOf(target.db, libraryId)
  const progress = await progressOf(source.db)
  if (state === 'complete') return { ...progress, isFinished: true, wasThere: true }
  if (state === 'other' || target.isReadOnly) {
    throw new LibraryError(
      `${capitalized(target.name)} has another library, or a part of one. Choose an empty place.`,
    )
  }
  const mark = { library: libraryId, state: await source.fingerprint() }
  const isChanged = state === 'unfinished' && !(await isMarkedWith(target.db, mark))
  if (state === 'empty') await createMark(target.db)
  if (state === 'empty' || isChanged) await startFromEmpty(target.db, mark)
  const columns = await copiedColumns(source.db, target.db)
  for (const table of tablesBeforeImages)
    await copyTable(source.db, target.db, table, columns, signal)
  const work = { ...migration, columns, progress, mayBeThere: isChanged }
  await retryFailures(work)
  await copyImages(work)
  await copyTable(source.db, target.db, imageTagsTable, columns, signal)
  if ((await source.fingerprint()) !== mark.state) {
    throw new LibraryError(
      `${capitalized(source.name)} was changed while it was copied. Run the same command again: it copies the records again, and new files.`,
    )
  }
  const isFinished = progress.failed === 0 || migration.skipsFailed
  if (isFinished) await finishMigration(source, target)
  return { ...progress, isFinished, wasThere: false }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const progressOf = async (db: Db): Promise<MigrationProgress> => {
  const { rows } = await sql<{ images: number; bytes: number }>`
    SELECT count(*) AS images, coalesce(sum(file_size), 0) AS bytes FROM images`.execute(db)
  const { images = 0, bytes = 0 } = rows[0] ?? {}
  return { images, bytes, done: 0, doneBytes: 0, there: 0, failed: 0, failures: [] }
}

const countFailure = (progress: MigrationProgress, imageName: string, reason: string): void => {
  progress.failed++
  if (progress.failures.length < MAX_NAMED) progress.failures.push({ imageName, reason })
}

interface Work extends Migration {
  columns: CopiedColumns
  progress: MigrationProgress
  /** True: the library was changed after an earlier run, which may have copied any file. */
  mayBeThere: boolean
}

/** Copies the files of some images. Returns the names of those whose originals cannot be copied. */
const copyFiles = async (
  { source, target, copyOriginal, thumbnailSizes = THUMBNAIL_SIZES, progress, ...work }: Work,
  images: readonly ImageToCopy[],
): Promise<string[]> => {
  const failed: string[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, work.signal])
  const copy = async (image: ImageToCopy): Promise<void> => {
    if (signal.aborted) return
    try {
      const reason = await copyOriginal(image, { signal, mayBeThere: work.mayBeThere })
      if (reason !== null) {
        failed.push(image.imageName)
        countFailure(progress, image.imageName, reason)
      }
      await copyThumbnails(image.imageName, thumbnailSizes, source.thumbnails, target.thumbnails)
    } catch (error) {
      stop.abort(error)
    }
    progress.done++
    progress.doneBytes += image.bytes
    work.onProgress(progress)
  }
  await pLimit(CONCURRENCY).map(images, copy)
  signal.throwIfAborted()
  return failed
}

/** Copies the originals that an earlier run could not copy. Their rows are there. */
const retryFailures = async (work: Work): Promise<void> => {
  const names = work.columns.get('images') ?? []
  for (const imageName of await listFailures(work.target.db)) {
    const { rows } = await sql<Row>`
      SELECT ${sql.join(names.map((name) => sql.ref(name)))} FROM images
      WHERE image_name = ${imageName}`.execute(work.source.db)
    const failed = await copyFiles(work, rows.map(imageOf))
    if (failed.length === 0) await removeFailure(work.target.db, imageName)
  }
}

/** Copies images in order of id. While the rows of a page are written, the files of the next one are copied. */
const copyImages = async (work: Work): Promise<void> => {
  const { source, target, columns, progress } = work
  const after = await lastKey(target.db, imagesTable)
  await countThere(target.db, progress)
  let writing: Promise<void> = Promise.resolve()
  const writeRows = (rows: readonly Row[], failed: readonly string[]) =>
    target.db.transaction().execute(async (db) => {
      await copyImageRows(source.db, db, rows, columns)
      await addFailures(db, failed)
    })
  const pages = pagesOf(source.db, imagesTable, columns.get('images') ?? [], { after })
  try {
    for await (const rows of pages) {
      const failed = await copyFiles(work, rows.map(imageOf))
      await writing
      writing = writeRows(rows, failed)
      writing.catch(() => {}) // awaited after the files of the next page
    }
  } finally {
    await writing
  }
}

/** Counts the images that an earlier run copied, without those whose originals were tried again. */
const countThere = async (target: Db, progress: MigrationProgress): Promise<void> => {
  const { images, bytes } = await progressOf(target)
  progress.there = images - progress.done
  progress.done = images
  progress.doneBytes = bytes
}
