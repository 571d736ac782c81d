import { mkdir, opendir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ExportFolderError } from '#server/core/export-folder-error.ts'
import { fileReason } from '#server/storage/disk/file-reason.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { readManifest } from './read-manifest.ts'

/**
 * Makes the folder of an export, unless it is there.
 *
 * @returns Its path, absolute and with symbolic links resolved.
 * @throws {ExportFolderError} It holds something else, lies in the data folder, or cannot be made or read.
 */
export const prepareExportFolder = async (folder: string, dataFolder: string): Promise<string> => {
  const path = resolve(folder)
  const library = await realpath(dataFolder)
  // Before it is made: nothing of ours may stand in the library, not even empty.
  if (isInside(library, await existingPath(path))) {
    throw new ExportFolderError(`${path} lies in the data folder. Choose another.`)
  }
  try {
    await mkdir(path, { recursive: true })
    const root = await realpath(path)
    const isOurs = (await readManifest(root)) !== null
    if (isOurs || (await isEmpty(root))) return root
  } catch (cause) {
    const reason =
      systemCode(cause) === 'EEXIST' ? 'It is a file, not a folder.' : fileReason(cause)
    throw new ExportFolderError(`${path} cannot be written to. ${reason}`, { cause })
  }
  throw new ExportFolderError(
    `${path} holds something else. Choose an empty folder, or one that an export made.`,
  )
}

/** The true path of as much of it as is there. */
const existingPath = async (path: string): Promise<string> => {
  const parent = resolve(path, '..')
  if (parent === path || (await stat(path).catch(() => null)) !== null) return realpath(path)
  return join(await existingPath(parent), relative(parent, path))
}

const isInside = (outer: string, inner: string): boolean => {
  const way = relative(outer, inner)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The leftovers of an export that was cut off before it could say what it is count as nothing. */
const isEmpty = async (folder: string): Promise<boolean> => {
  for await (const { name } of await opendir(folder)) {
    if (name !== '.tessera-export') return false
  }
  return true
}
