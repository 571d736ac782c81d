import { existsSync, mkdirSync, statSync } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ignoreMissing, systemCode } from './system-errors.ts'

/**
 * Creates a folder and its parents, unless they exist. `mode` applies only to the folder itself. The `recursive`
 * option is avoided: Node 24 loops forever where a parent exists but cannot contain folders, as in `/proc`.
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

/** Runs `write`. If its folder is missing, creates the folder and runs `write` again. */
export const inFolder = async <T>(folder: string, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    ignoreMissing(error)
    await mkdir(folder, { recursive: true })
    return write()
  }
}

/** Only the owner may read a library. */
export const PRIVATE_FOLDER_MODE = 0o700

/**
 * Users who cannot read the data folder must not read new files in it. If the folder does not exist yet, only the
 * owner can read new files. Must be called in the main thread.
 */
export function setUmaskFor(dataFolder: string): void {
  const usual = process.umask(0o077)
  process.umask(usual | (0o077 & ~modeOf(dataFolder)))
}

const modeOf = (folder: string): number => {
  try {
    return statSync(folder).mode
  } catch {
    return PRIVATE_FOLDER_MODE // the folder is missing or unusable; opening it later reports the error
  }
}

/** Sets the mode of a copied file from the mode of its folder, because `copyFile` copies the mode of the original. */
export const setModeByFolder = async (path: string): Promise<void> => {
  const { mode } = await stat(dirname(path))
  await chmod(path, mode & 0o666).catch(() => undefined) // some file systems have no modes
}
