import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { ignoreMissing } from '#server/storage/disk/system-errors.ts'
import { targetFailure } from '#server/storage/disk/target-folder.ts'
import { hashFile } from '#server/storage/disk/whole-file.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import { type BackupSnapshot, imagesIn } from './backup-manifest.ts'
import { copyDatabase } from './copy-database.ts'
import { LibraryCopy, unnamedFiles } from './library-copy.ts'
import { countFailure, type PutProgress, putFile, putImages } from './put-images.ts'

/** Exists in a data folder while a restore into it is incomplete. */
const UNFINISHED = 'unfinished-restore.json'

/** Prefix of the folder that the previous library is moved to. */
const SET_ASIDE = 'before-restore-'

/** True for files of the process that has the data folder open. */
const isLockFile = (name: string): boolean => /^server\.(?:lock|json)/.test(name)

/** The note that an interrupted restore leaves. */
export interface UnfinishedRestore {
  /** The command that continues the restore. */
  command: string
  /** The database to restore. */
  database: string
  /** The folder in the data folder that the previous library is moved to. null: there was no library. */
  setAside: string | null
  /** True after the previous library was moved. From then on, all other files are restored ones. */
  isMoved: boolean
}

export const readUnfinishedRestore = (dataFolder: string): UnfinishedRestore | null => {
  const path = join(dataFolder, UNFINISHED)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as UnfinishedRestore) : null
}

/**
 * The content of a data folder before a restore: nothing, files of an interrupted run of this restore or of another
 * one, the complete library of this backup, or anything else.
 */
export type RestoreTarget = 'empty' | 'interrupted' | 'interrupted_other' | 'complete' | 'occupied'

export const restoreTargetOf = async (
  dataFolder: string,
  snapshot: BackupSnapshot,
): Promise<RestoreTarget> => {
  const note = readUnfinishedRestore(dataFolder)
  if (note !== null) {
    return note.database === snapshot.database ? 'interrupted' : 'interrupted_other'
  }
  const names = await occupantsOf(dataFolder)
  if (names.length === 0) return 'empty'
  // With a log, the database has changes that its file does not have.
  if (names.some((name) => /^tessera\.db-(?:wal|journal)$/.test(name))) return 'occupied'
  const hash = await hashFile(join(dataFolder, 'tessera.db')).catch(ignoreMissing)
  return hash === snapshot.database_sha256 ? 'complete' : 'occupied'
}

export interface RestoreOptions {
  /** The folder of the backup. */
  root: string
  snapshot: BackupSnapshot
  /** The caller holds its lock. */
  dataFolder: string
  /** True sets an existing library aside. */
  replace: boolean
  /** The command that continues this restore if it is interrupted. */
  command: string
  /** True compares existing files by their hash. */
  deep: boolean
  signal?: AbortSignal
  /** Called once, before anything changes. */
  onTarget?: (target: RestoreTarget) => void
  onProgress?: (progress: Readonly<PutProgress>) => void
}

export interface RestoreResult extends PutProgress {
  /** The new path of the previous library. null: there was no library. */
  setAside: string | null
}

/**
 * Restores a backup into a data folder. The database comes last, and until then a note prevents every server from
 * opening the folder. An interrupted restore continues with the files that already exist. A library that this backup
 * has restored completely is compared again, and gets the files that it lacks.
 *
 * @throws {LibraryError} The database of the backup is damaged or missing.
 * @throws {TargetFolderError} The data folder has files and `replace` is false, or its disk is full.
 * @throws The reason of `signal`.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<RestoreResult> => {
  const { root, snapshot, dataFolder } = options
  const source = join(root, snapshot.database)
  const hash = await hashFile(source).catch(ignoreMissing)
  if (hash !== snapshot.database_sha256) {
    throw new LibraryError(`${source} is ${hash === undefined ? 'missing' : 'damaged'}.`)
  }
  try {
    const { setAside } = await setAsideLibrary(options)
    const temporaries = join(dataFolder, 'incoming')
    await mkdir(temporaries, { recursive: true })
    await mkdir(imagesIn(dataFolder), { recursive: true })
    const progress = await restoreImages(options, source, temporaries)
    options.signal?.throwIfAborted()
    const expected = { bytes: snapshot.database_bytes, hash: snapshot.database_sha256 }
    const unfinished = join(temporaries, snapshot.database)
    const result = await putFile(source, join(dataFolder, 'tessera.db'), expected, {
      ...{ unfinished, deep: true, link: false },
    })
    if (result === 'missing' || result === 'damaged') {
      throw new LibraryError(`${source} is ${result}.`)
    }
    await flushDirectory(dataFolder)
    await rm(join(dataFolder, UNFINISHED))
    await flushDirectory(dataFolder)
    return { ...progress, setAside: setAside === null ? null : join(dataFolder, setAside) }
  } catch (error) {
    throw targetFailure(dataFolder, error)
  }
}

const restoreImages = async (
  { root, dataFolder, deep, signal, onProgress }: RestoreOptions,
  database: string,
  temporaries: string,
): Promise<PutProgress> => {
  using library = new LibraryCopy(database, { readonly: true })
  const { progress, missing } = await putImages({
    library,
    ...{ from: imagesIn(root), to: imagesIn(dataFolder), temporaries, deep, link: false },
    ...{ damagedReason: 'Its file in the backup is damaged.', signal, onProgress },
  })
  for (const imageName of missing) countFailure(progress, imageName, 'It is not in the backup.')
  return progress
}

/** Empties a data folder, except for files of an earlier run of this restore. */
const setAsideLibrary = async (options: RestoreOptions): Promise<UnfinishedRestore> => {
  const { dataFolder, replace, command, snapshot } = options
  const target = await restoreTargetOf(dataFolder, snapshot)
  options.onTarget?.(target)
  let note = readUnfinishedRestore(dataFolder)
  if (note !== null && target === 'interrupted_other' && !replace) {
    throw new TargetFolderError(
      `A restore into ${dataFolder} is not finished: ${note.command}. Finish it, or add --replace to set it aside.`,
    )
  }
  if (note === null || target === 'interrupted_other') {
    if (target === 'occupied' && !replace) {
      throw new TargetFolderError(
        `${dataFolder} is not empty. Name a new folder with --data, or add --replace to set aside what is there.`,
      )
    }
    const isKept = target === 'complete' && !replace
    const isMoved = isKept || (await occupantsOf(dataFolder)).length === 0
    const setAside = isMoved ? null : setAsideName()
    note = { command, database: snapshot.database, setAside, isMoved }
    await writeNote(dataFolder, note)
  }
  if (!note.isMoved && note.setAside !== null) {
    await mkdir(join(dataFolder, note.setAside), { recursive: true })
    for (const name of await occupantsOf(dataFolder)) {
      await rename(join(dataFolder, name), join(dataFolder, note.setAside, name))
    }
    await flushDirectory(dataFolder)
    note = { ...note, isMoved: true }
    await writeNote(dataFolder, note)
  }
  return note
}

const setAsideName = (): string =>
  SET_ASIDE + new Date().toISOString().slice(0, 19).replaceAll(':', '-')

/** Lists files that must not be mixed with the restored ones. */
const occupantsOf = async (dataFolder: string): Promise<string[]> =>
  (await readdir(dataFolder)).filter(
    (name) => !isLockFile(name) && !name.startsWith(SET_ASIDE) && !name.startsWith(UNFINISHED),
  )

const writeNote = async (dataFolder: string, note: UnfinishedRestore): Promise<void> => {
  const path = join(dataFolder, UNFINISHED)
  await writeFile(`${path}.new`, `${JSON.stringify(note, null, 2)}\n`, { flush: true })
  await rename(`${path}.new`, path)
  await flushDirectory(dataFolder)
}

export interface RestoredDatabase {
  /** The new path of the previous database. null: there was no database. */
  setAside: string | null
  /** Files in `images/` without a record, such as images that are newer than the database. */
  unrecorded: number
}

/**
 * Replaces the database with a copy, such as an automatic backup. The previous one is set aside; the images stay.
 *
 * @throws {LibraryError} The copy is damaged, or is not the database of a library. Nothing was changed.
 */
export const restoreDatabase = async (
  from: string,
  dataFolder: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<RestoredDatabase> => {
  const unfinished = join(dataFolder, 'incoming', 'tessera.db')
  try {
    await mkdir(join(dataFolder, 'incoming'), { recursive: true })
    await copyDatabase({ from, to: unfinished }, { signal })
    const unrecorded = await countUnrecorded(unfinished, dataFolder)
    return { setAside: await putInPlace(unfinished, dataFolder), unrecorded }
  } catch (error) {
    throw targetFailure(dataFolder, error)
  }
}

/** Renames a database to that of the library. Returns the folder of the previous one; null: there was none. */
export const putInPlace = async (database: string, dataFolder: string): Promise<string | null> => {
  const setAside = join(dataFolder, setAsideName())
  // The log must move too: SQLite would apply it to the new database and damage it.
  const present = ['tessera.db', 'tessera.db-wal', 'tessera.db-shm'].filter((name) =>
    existsSync(join(dataFolder, name)),
  )
  if (present.length > 0) await mkdir(setAside, { recursive: true })
  for (const name of present) await rename(join(dataFolder, name), join(setAside, name))
  await rename(database, join(dataFolder, 'tessera.db'))
  await flushDirectory(dataFolder)
  return present.length > 0 ? setAside : null
}

/** @throws {LibraryError} The file is not the database of a library. */
const countUnrecorded = async (database: string, dataFolder: string): Promise<number> => {
  using library = new LibraryCopy(database, { readonly: true })
  return (await Array.fromAsync(unnamedFiles(dataFolder, [library]))).flat().length
}
