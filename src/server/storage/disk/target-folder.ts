import { opendir, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { makeFolder } from './make-folder.ts'
import { systemCode } from './system-errors.ts'
import { fileReason, isInside } from './system-path.ts'

export interface TargetFolder {
  /** The library. The folder must not be inside it. */
  dataFolder: string
  /** Returns true if an earlier run wrote this folder. */
  isOurs(root: string): Promise<boolean>
  /** Names that an interrupted run leaves behind before `isOurs` is true. */
  leftovers: readonly string[]
  /** Used in the message, for example `an export`. */
  writer: string
}

/**
 * Creates the folder that an export or a backup writes to, unless it exists.
 *
 * @returns Its absolute path, with symbolic links resolved.
 * @throws {TargetFolderError} It has other files, is inside the data folder, or cannot be created or read.
 */
export const prepareTargetFolder = async (
  folder: string,
  { dataFolder, isOurs, leftovers, writer }: TargetFolder,
): Promise<string> => {
  const path = resolve(folder)
  const library = await realpath(dataFolder)
  // Must run before mkdir, which would leave an empty folder in the library.
  if (isInside(library, await existingPath(path))) {
    throw new TargetFolderError(`${path} is in the data folder. Choose another.`)
  }
  try {
    makeFolder(path)
    const root = await realpath(path)
    if ((await isOurs(root)) || (await isEmpty(root, leftovers))) return root
  } catch (cause) {
    throw notWritable(path, cause)
  }
  throw new TargetFolderError(
    `${path} has other files in it. Choose an empty folder, or one that ${writer} made.`,
  )
}

/**
 * Turns an error that would also stop every further file into one with a user-readable message.
 *
 * @param next - The next step if the disk is full.
 */
export const targetFailure = (
  root: string,
  cause: unknown,
  next = 'Free some space there and run the same command again: it continues where it stopped.',
): unknown => {
  const code = systemCode(cause)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new TargetFolderError(`The disk of ${root} is full. ${next}`, { cause })
  }
  return code === 'EROFS' ? notWritable(root, cause) : cause
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'It is a file, not a folder.',
  EROFS: 'Its disk is read-only.',
  EACCES: 'This user may not write there.',
  EPERM: 'This user may not write there.',
  ENOENT: 'No folder can be made there.',
}

const notWritable = (path: string, cause: unknown): TargetFolderError => {
  const reason = reasons[systemCode(cause) ?? ''] ?? fileReason(cause)
  return new TargetFolderError(`${path} cannot be written to. ${reason}`, { cause })
}

/** @throws {TargetFolderError} A first change to the folder failed, for whatever reason. */
export const prepareWriting = async <T>(root: string, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (cause) {
    const failure = targetFailure(root, cause)
    throw failure instanceof TargetFolderError ? failure : notWritable(root, cause)
  }
}

/** Returns the real path of the existing part, followed by the missing part. */
const existingPath = async (path: string): Promise<string> => {
  const parent = resolve(path, '..')
  if (parent === path || (await stat(path).catch(() => null)) !== null) return realpath(path)
  return join(await existingPath(parent), relative(parent, path))
}

const isEmpty = async (folder: string, leftovers: readonly string[]): Promise<boolean> => {
  for await (const { name } of await opendir(folder)) {
    if (!leftovers.includes(name)) return false
  }
  return true
}
