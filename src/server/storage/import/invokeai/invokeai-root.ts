import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readMovedFolders } from './moved-folders.ts'

/** Folders of an InvokeAI installation: below its root, or as set in its `invokeai.yaml`. */
export interface InvokeaiRoot {
  /** Absolute, with symbolic links resolved, like all paths here. */
  folder: string
  databasePath: string
  outputsFolder: string
  imagesFolder: string
  /** null: InvokeAI before 6.14, which has no videos. */
  videosFolder: string | null
}

/**
 * Finds the InvokeAI root of a folder: the root itself, or a folder of its library (`databases`, `outputs`,
 * `outputs/images`, wherever they were moved to). A folder above a root contains other files and does not count.
 *
 * @param folder - Absolute; may be a symbolic link.
 */
export const findInvokeaiRoot = async (folder: string): Promise<InvokeaiRoot | null> => {
  const given = await realpath(folder).catch(() => null)
  if (given === null) return null
  const root = await rootAt(given)
  if (root !== null) return root
  // For a link, both its own parents and those of its target are checked.
  const above = new Set([...foldersAbove(resolve(folder)), ...foldersAbove(given)])
  for (const candidate of [...above, ...usualRoots()]) {
    const found = await rootAt(candidate)
    if (found !== null && partsOf(found).includes(given)) return found
  }
  return null
}

const partsOf = ({
  databasePath,
  outputsFolder,
  imagesFolder,
  videosFolder,
}: InvokeaiRoot): string[] => [
  dirname(databasePath),
  outputsFolder,
  imagesFolder,
  ...(videosFolder === null ? [] : [videosFolder]),
]

const foldersAbove = (folder: string): string[] => {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

/** InvokeAI looks for its root here. A library folder that was moved does not refer to its root. */
const usualRoots = (): string[] => [
  ...(process.env.INVOKEAI_ROOT ? [resolve(process.env.INVOKEAI_ROOT)] : []),
  join(homedir(), 'invokeai'),
]

const rootAt = async (folder: string): Promise<InvokeaiRoot | null> => {
  const moved = await readMovedFolders(folder)
  // If `invokeai.yaml` names a missing folder, the whole root was moved or the file belongs to another one.
  const databases = [moved.databases, join(folder, 'databases')]
  const outputs = [moved.outputs, join(folder, 'outputs')]
  const databasePath = await firstPath(databases, 'invokeai.db', (stats) => stats.isFile())
  if (databasePath === null) return null
  const imagesFolder = await firstPath(outputs, 'images', (stats) => stats.isDirectory())
  if (imagesFolder === null) return null
  const outputsFolder = dirname(imagesFolder)
  const videosFolder = await firstPath([outputsFolder], 'videos', (stats) => stats.isDirectory())
  return {
    folder: await realpath(folder),
    databasePath,
    outputsFolder,
    imagesFolder: await realpath(imagesFolder),
    videosFolder: videosFolder === null ? null : await realpath(videosFolder),
  }
}

/** Returns the first existing path of this name and kind, with links to its folder resolved. */
const firstPath = async (
  folders: readonly (string | null)[],
  name: string,
  isKind: (stats: Stats) => boolean,
): Promise<string | null> => {
  for (const folder of folders) {
    if (folder === null) continue
    try {
      const path = join(await realpath(folder), name)
      if (isKind(await stat(path))) return path
    } catch {
      // A missing or unreadable folder is skipped.
    }
  }
  return null
}
