import { existsSync, mkdirSync, statSync } from 'node:fs'
import { chmod, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from './system-errors.ts'

/**
 * Makes a folder and its parents, unless they exist. The mode is the folder's own.
 *
 * Not with `recursive`: Node 24 then tries for ever where a parent exists and takes no folder, as in `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    if (systemCode(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    makeFolder(dirname(path))
    makeFolder(path, mode)
  }
}

/** Only its owner may read a library. */
export const PRIVATE_FOLDER_MODE = 0o700

/**
 * Sets the umask of this process from the mode of the data folder, so users who cannot read the folder cannot
 * read new files in it. For a folder that does not exist yet, only the owner can. Call it in the main thread.
 */
export function setUmaskFor(dataFolder: string): void {
  const usual = process.umask(0o077)
  process.umask(usual | (0o077 & ~modeOf(dataFolder)))
}

const modeOf = (folder: string): number => {
  try {
    return statSync(folder).mode
  } catch {
    return PRIVATE_FOLDER_MODE // it is missing, or cannot be used, which opening it reports
  }
}

/** Gives a copied file the mode that its folder suggests: `copyFile` keeps the mode of the original. */
export const setModeByFolder = async (path: string): Promise<void> => {
  const { mode } = await stat(dirname(path))
  await chmod(path, mode & 0o666).catch(() => undefined) // some file systems have no modes
}
