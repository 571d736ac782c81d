import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { folderOfName, timeOfName } from '#server/core/name-table.ts'
import type { Upkeep } from '#server/core/record-ports.ts'
import { LibraryError, WHAT_TO_DO } from './library-state.ts'

/**
 * Maximum number of folders in which one crash leaves files without a record. Files of one commit share a folder, so
 * this is the number of commits that one crash can interrupt.
 */
const MAX_FOLDERS_OF_A_CRASH = 16

/** The same limit for files with InvokeAI names, which share no folder: the size of the largest import commit. */
const MAX_FOREIGN_NAMES_OF_A_CRASH = 32

/** Largest share of all files that upkeep sets aside. */
const MAX_SHARE_SET_ASIDE = 0.01

export interface Comparison {
  /** Number of records with a file. */
  matched: number
  /** Records without a file. */
  missing: string[]
  /** Files without a record. */
  strays: string[]
}

interface OwnDatabaseParts {
  files: Pick<ImageFiles, 'stat'>
  upkeep: Pick<Upkeep, 'madeAt'>
}

/**
 * Refuses a database in which most files have no record. A crash leaves only few such files; the wrong database has records of few
 * files.
 *
 * @throws {LibraryError}
 */
export const assertOwnDatabase = async (
  comparison: Comparison,
  parts: OwnDatabaseParts,
): Promise<void> => {
  const { matched, strays } = comparison
  if (strays.length === 0 || !(await isForeign(comparison, parts))) return
  const all = matched + strays.length
  throw new LibraryError(
    `${strays.length} of ${all} files in images/ have no record in tessera.db, so it is probably the database of another library or an old one. ${WHAT_TO_DO}`,
  )
}

const isForeign = async (
  { matched, missing, strays }: Comparison,
  { files, upkeep }: OwnDatabaseParts,
): Promise<boolean> => {
  if (matched > 0) {
    const share = strays.length / (matched + strays.length)
    return !isOneCrash(strays) && share > MAX_SHARE_SET_ASIDE
  }
  if (missing.length > 0 || !isOneCrash(strays)) return true
  // The library is empty. A crash may have interrupted its first upload, but older files do not belong to it.
  const madeAt = await upkeep.madeAt()
  for (const imageName of strays) {
    const namedAt = timeOfName(imageName)
    if (namedAt < madeAt) return true
    if (!Number.isNaN(namedAt)) continue
    const found = await files.stat(imageName)
    if (found !== null && found.changedAt < madeAt) return true
  }
  return false
}

/** True if a single crash can have left all of these files. */
const isOneCrash = (strays: readonly string[]): boolean => {
  const own = strays.filter((imageName) => !Number.isNaN(timeOfName(imageName)))
  const folders = new Set(own.map(folderOfName))
  const foreignNames = strays.length - own.length
  return folders.size <= MAX_FOLDERS_OF_A_CRASH && foreignNames <= MAX_FOREIGN_NAMES_OF_A_CRASH
}

export const hasRecord = async (
  upkeep: Pick<Upkeep, 'allNames'>,
  imageName: string,
): Promise<boolean> => {
  const [next] = await upkeep.allNames(imageName.slice(0, -1), 1)
  return next === imageName
}
