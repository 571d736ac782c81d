import { mkdir, readdir, rename, rm, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { prepareWriting, targetFailure } from '#server/storage/disk/target-folder.ts'
import { flushFile, hashFile } from '#server/storage/disk/whole-file.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import {
  BACKUP_MANIFEST,
  type BackupManifest,
  type BackupSnapshot,
  databaseNameAt,
  imagesIn,
  readManifest,
  TEMPORARY,
  timeOfDatabase,
} from './backup-manifest.ts'
import { copyDatabase } from './copy-database.ts'
import { LibraryCopy, unnamedFiles } from './library-copy.ts'
import { countFailure, type PutProgress, putImages } from './put-images.ts'

export type BackupStage =
  | { stage: 'database'; share: number }
  | { stage: 'images'; progress: Readonly<PutProgress> }

export interface BackupOptions {
  dataFolder: string
  /** The folder of the backup, as `prepareBackupFolder` returns it. */
  root: string
  version: string
  /** True compares existing files by their hash, not only by their size. */
  deep: boolean
  /** True makes hard links instead of copies, where the file system supports them. */
  link: boolean
  /** Number of databases to keep, including the new one. */
  keep: number
  /** True removes files that no remaining database names. */
  prune: boolean
  signal?: AbortSignal
  onStage?: (stage: BackupStage) => void
}

export interface BackupResult extends PutProgress {
  database: string
  databaseBytes: number
  /** Images that were permanently deleted while the backup ran. The backup does not contain them. */
  deletedMeanwhile: number
  /** Image files that no remaining database names. With `prune` they have been removed. */
  leftOver: number
}

/**
 * Writes a consistent copy of a library into a folder, while a server may be changing the library.
 *
 * The database is copied first. Originals never change, a file is written before its row, and unlinked after it. So
 * every file that the database copy names exists, except those of images that were deleted in the meantime, which
 * are then removed from the copy. The manifest is written last: an interrupted backup does not affect the complete
 * ones in the folder, and the next backup reuses its files.
 *
 * @throws {LibraryError} The library is damaged.
 * @throws {TargetFolderError} The folder has backups of another library, its disk is full, or it is read-only.
 * @throws The reason of `signal`.
 */
export const writeBackup = async (options: BackupOptions): Promise<BackupResult> => {
  const { root, signal } = options
  const temporaries = await makeTemporaries(root)
  try {
    const earlier = await readManifest(root)
    const unfinished = join(temporaries, 'tessera.db')
    await copyLiveDatabase(options, unfinished)
    const copied = await copyImages(options, unfinished, earlier)
    signal?.throwIfAborted()
    const manifest = await completeBackup(options, unfinished, copied, earlier)
    const leftOver = await handleLeftOver(root, manifest.snapshots, options.prune)
    const [{ database, database_bytes: databaseBytes }] = manifest.snapshots as [BackupSnapshot]
    const counts = { databaseBytes, deletedMeanwhile: copied.deleted.size, leftOver }
    return { ...copied.progress, ...counts, database: join(root, database) }
  } catch (error) {
    throw targetFailure(root, error)
  } finally {
    await rm(temporaries, { recursive: true, force: true })
  }
}

const makeTemporaries = async (root: string): Promise<string> => {
  const temporaries = join(root, TEMPORARY)
  await prepareWriting(root, async () => {
    await rm(temporaries, { recursive: true, force: true })
    await mkdir(temporaries)
    await mkdir(imagesIn(root), { recursive: true })
  })
  return temporaries
}

const liveDatabase = ({ dataFolder }: BackupOptions): string => join(dataFolder, 'tessera.db')

const copyLiveDatabase = async (options: BackupOptions, to: string): Promise<void> => {
  const { root, signal, onStage } = options
  const from = liveDatabase(options)
  const { bavail, bsize } = await statfs(root)
  const { size } = await stat(from)
  if (size > bavail * bsize) {
    const cause = Object.assign(new Error('The database alone is larger.'), { code: 'ENOSPC' })
    throw targetFailure(root, cause)
  }
  const onProgress = (share: number) => onStage?.({ stage: 'database', share })
  await copyDatabase({ from, to }, { signal, onProgress })
}

/** Copies images, and removes those that were deleted in the meantime from the copied database. */
const copyImages = async (
  options: BackupOptions,
  database: string,
  earlier: BackupManifest | null,
) => {
  const { dataFolder, root, onStage } = options
  using library = new LibraryCopy(database, { readonly: false })
  const libraryId = library.libraryId()
  if (earlier !== null && earlier.library !== libraryId) {
    throw new TargetFolderError(`${root} has backups of another library. Choose another folder.`)
  }
  const { progress, missing } = await putImages({
    ...options,
    library,
    from: imagesIn(dataFolder),
    to: imagesIn(root),
    temporaries: join(root, TEMPORARY),
    damagedReason: 'Its file in the library is damaged: it is not the one that was taken in.',
    onProgress: (now) => onStage?.({ stage: 'images', progress: now }),
  })
  const deleted = deletedSince(liveDatabase(options), missing)
  library.remove([...deleted])
  for (const imageName of missing) {
    if (!deleted.has(imageName))
      countFailure(progress, imageName, 'Its file is missing in the library.')
  }
  return { libraryId, progress, totals: library.totals(), deleted }
}

/** Returns those of the images that the library no longer has. */
const deletedSince = (live: string, imageNames: readonly string[]): Set<string> => {
  if (imageNames.length === 0) return new Set()
  using library = new LibraryCopy(live, { readonly: true })
  return new Set(library.withoutImage(imageNames))
}

/** Renames the database to its final name, writes the manifest, and removes the databases that it no longer names. */
const completeBackup = async (
  { root, version, keep }: BackupOptions,
  unfinished: string,
  { libraryId, totals }: Awaited<ReturnType<typeof copyImages>>,
  earlier: BackupManifest | null,
): Promise<BackupManifest> => {
  const snapshots = earlier?.snapshots ?? []
  // Names sort by time. The maximum makes them unique even if the clock was set back.
  const time = Math.max(Date.now(), Date.parse(snapshots[0]?.created_at ?? '1970-01-01') + 1)
  const snapshot: BackupSnapshot = {
    database: databaseNameAt(time),
    created_at: new Date(time).toISOString(),
    tessera_version: version,
    images: totals.images,
    image_bytes: totals.bytes,
    database_bytes: (await stat(unfinished)).size,
    database_sha256: await hashFile(unfinished),
  }
  await flushFile(unfinished)
  await rename(unfinished, join(root, snapshot.database))
  const manifest: BackupManifest = {
    tessera_backup: 1,
    library: libraryId,
    snapshots: [snapshot, ...snapshots].slice(0, keep),
  }
  const text = join(root, TEMPORARY, BACKUP_MANIFEST)
  await writeFile(text, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  await flushDirectory(root)
  await rename(text, join(root, BACKUP_MANIFEST))
  await flushDirectory(root)
  const named = new Set(manifest.snapshots.map(({ database }) => database))
  for (const name of await readdir(root)) {
    if (timeOfDatabase(name) !== null && !named.has(name)) await unlink(join(root, name))
  }
  return manifest
}

/** Counts the files that no remaining database names, and removes them with `prune`. */
const handleLeftOver = async (
  root: string,
  snapshots: readonly BackupSnapshot[],
  prune: boolean,
): Promise<number> => {
  using stack = new DisposableStack()
  const libraries = snapshots.map(({ database }) =>
    stack.use(new LibraryCopy(join(root, database), { readonly: true })),
  )
  let count = 0
  for await (const paths of unnamedFiles(root, libraries)) {
    count += paths.length
    if (prune) for (const path of paths) await unlink(path)
  }
  return count
}
