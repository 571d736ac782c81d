import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { LibraryError } from '#server/core/upkeep/library-state.ts'
import { imageFolder, imageFolders } from '#server/storage/disk/image-path.ts'
import { ignoreMissing } from '#server/storage/disk/system-errors.ts'
import { targetFailure } from '#server/storage/disk/target-folder.ts'
import { flushDirectory } from '#server/storage/disk/write-blocks.ts'
import { type BackupSnapshot, imagesIn } from './backup-manifest.ts'
import { copyDatabase } from './copy-database.ts'
import { LibraryCopy } from './library-copy.ts'
import { hashFile, putFile } from './put-file.ts'
import { countFailure, type PutProgress, putImages } from './put-images.ts'

/** In a data folder while a restore into it is not complete. */
const UNFINISHED = 'unfinished-restore.json'

/** How the name of the folder begins that gets the library that was there. */
const SET_ASIDE = 'before-restore-'

/** Files of the process that has the data folder open. */
const isOfLock = (name: string): boolean => /^server\.(?:lock|json)/.test(name)

/** What a restore that is cut off has to remember. */
export interface UnfinishedRestore {
  /** The command that goes on with it. */
  command: string
  /** The database that is restored. */
  database: string
  /** The folder in the data folder that gets the library that was there. null: there was none. */
  setAside: string | null
  /** Whether that library was moved. From then on, the other files are restored ones. */
  isMoved: boolean
}

/** What a data folder says of a restore that was cut off. null: none was. */
export const readUnfinishedRestore = (dataFolder: string): UnfinishedRestore | null => {
  const path = join(dataFolder, UNFINISHED)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as UnfinishedRestore) : null
}

export interface RestoreOptions {
  /** The folder of the backup. */
  root: string
  /** The state that is restored. */
  snapshot: BackupSnapshot
  /** The caller has its lock. */
  dataFolder: string
  /** Whether a library that is there is set aside. */
  replace: boolean
  /** The command that goes on with this restore if it is cut off. */
  command: string
  /** Whether files that are there already are compared by their hash. */
  deep: boolean
  signal?: AbortSignal
  onProgress?: (progress: Readonly<PutProgress>) => void
  clock?: () => number
}

/** What a restore did. */
export interface RestoreResult extends PutProgress {
  /** Where the library that was there is now. null: there was none. */
  setAside: string | null
}

/**
 * Brings a backup back into a data folder. The database comes last, and until then a note keeps every server
 * from opening the folder. A restore that is cut off goes on with the files that are there.
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
    const { setAside } = await makeRoom(options)
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
  const library = new LibraryCopy(database, { readonly: true })
  try {
    const { progress, missing } = await putImages({
      library,
      ...{ from: imagesIn(root), to: imagesIn(dataFolder), temporaries, deep, link: false },
      ...{ damagedReason: 'Its file in the backup is damaged.', signal, onProgress },
    })
    for (const imageName of missing) countFailure(progress, imageName, 'It is not in the backup.')
    return progress
  } finally {
    library.close()
  }
}

/** Leaves a data folder with nothing but what an earlier, cut off run of this restore put there. */
const makeRoom = async (options: RestoreOptions): Promise<UnfinishedRestore> => {
  const { dataFolder, replace, command, snapshot, clock = Date.now } = options
  let note = readUnfinishedRestore(dataFolder)
  if (note !== null && note.database !== snapshot.database && !replace) {
    throw new TargetFolderError(
      `A restore into ${dataFolder} is not finished: ${note.command}. Finish it, or add --replace to set it aside.`,
    )
  }
  if (note?.database !== snapshot.database) {
    const isOccupied = (await occupantsOf(dataFolder)).length > 0
    if (isOccupied && !replace) {
      throw new TargetFolderError(
        `${dataFolder} is not empty. Name a new folder with --data, or add --replace to set aside what is there.`,
      )
    }
    const stamp = new Date(clock()).toISOString().slice(0, 19).replaceAll(':', '-')
    const setAside = isOccupied ? SET_ASIDE + stamp : null
    note = { command, database: snapshot.database, setAside, isMoved: !isOccupied }
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

/** What a restore must not mix with its own files. */
const occupantsOf = async (dataFolder: string): Promise<string[]> =>
  (await readdir(dataFolder)).filter(
    (name) => !isOfLock(name) && !name.startsWith(SET_ASIDE) && !name.startsWith(UNFINISHED),
  )

const writeNote = async (dataFolder: string, note: UnfinishedRestore): Promise<void> => {
  const path = join(dataFolder, UNFINISHED)
  await writeFile(`${path}.new`, `${JSON.stringify(note, null, 2)}\n`, { flush: true })
  await rename(`${path}.new`, path)
  await flushDirectory(dataFolder)
}

/** What became of a data folder that got another database. */
export interface RestoredDatabase {
  /** Where the database that was there is now. null: there was none. */
  setAside: string | null
  /** Files in `images/` without a record, such as images that are newer than the database. */
  unrecorded: number
}

/**
 * Puts the copy of a database, such as an automatic backup, in the place of the one in a data folder, which is set
 * aside. Images stay.
 *
 * @throws {LibraryError} The copy is damaged, or is not the database of a library. Nothing was changed.
 */
export const restoreDatabase = async (
  from: string,
  dataFolder: string,
  { signal, clock = Date.now }: { signal?: AbortSignal; clock?: () => number } = {},
): Promise<RestoredDatabase> => {
  const unfinished = join(dataFolder, 'incoming', 'tessera.db')
  try {
    await mkdir(join(dataFolder, 'incoming'), { recursive: true })
    await copyDatabase({ from, to: unfinished }, { signal })
    const unrecorded = await countUnrecorded(unfinished, dataFolder)
    const stamp = new Date(clock()).toISOString().slice(0, 19).replaceAll(':', '-')
    const setAside = join(dataFolder, SET_ASIDE + stamp)
    // With its log: SQLite would apply that to the new database, and damage it.
    const present = ['tessera.db', 'tessera.db-wal', 'tessera.db-shm'].filter((name) =>
      existsSync(join(dataFolder, name)),
    )
    if (present.length > 0) await mkdir(setAside, { recursive: true })
    for (const name of present) await rename(join(dataFolder, name), join(setAside, name))
    await rename(unfinished, join(dataFolder, 'tessera.db'))
    await flushDirectory(dataFolder)
    return { setAside: present.length > 0 ? setAside : null, unrecorded }
  } catch (error) {
    throw targetFailure(dataFolder, error)
  }
}

/** @throws {LibraryError} The file is not the database of a library. */
const countUnrecorded = async (database: string, dataFolder: string): Promise<number> => {
  const library = new LibraryCopy(database, { readonly: true })
  let count = 0
  try {
    for (const folder of imageFolders) {
      const names = (await readdir(join(imagesIn(dataFolder), folder)).catch(ignoreMissing)) ?? []
      count += library.withoutImage(names.filter((name) => imageFolder(name) === folder)).length
    }
    return count
  } finally {
    library.close()
  }
}
