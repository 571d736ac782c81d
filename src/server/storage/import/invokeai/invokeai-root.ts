import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readMovedFolders } from './moved-folders.ts'

/** Where InvokeAI keeps what we read: below its root, or where its `invokeai.yaml` says. */
export interface InvokeaiRoot {
  /** Absolute, with symbolic links resolved, as all of them. */
  folder: string
  databasePath: string
  outputsFolder: string
  imagesFolder: string
}

/**
 * The InvokeAI root that a person means by a folder: the root itself, or one of those that hold its library
 * (`databases`, `outputs`, `outputs/images`, wherever they were moved to). A folder above a root is not one:
 * other things lie there.
 *
 * @param folder - Absolute; links may lead to it.
 * @returns null: it is no such folder, or is not there.
 */
export const findInvokeaiRoot = async (folder: string): Promise<InvokeaiRoot | null> => {
  const given = await realpath(folder).catch(() => null)
  if (given === null) return null
  const root = await rootAt(given)
  if (root !== null) return root
  // Of a link both the place where it stands and the one that it leads to.
  const above = new Set([...foldersAbove(resolve(folder)), ...foldersAbove(given)])
  for (const candidate of [...above, ...usualRoots()]) {
    const found = await rootAt(candidate)
    if (found !== null && partsOf(found).includes(given)) return found
  }
  return null
}

/** Whether a folder is, or belongs to, the root of an InvokeAI. */
export const looksLikeInvokeaiRoot = async (folder: string): Promise<boolean> =>
  (await findInvokeaiRoot(folder)) !== null

const partsOf = ({ databasePath, outputsFolder, imagesFolder }: InvokeaiRoot): string[] => [
  dirname(databasePath),
  outputsFolder,
  imagesFolder,
]

const foldersAbove = (folder: string): string[] => {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

/** Where InvokeAI looks for its root: a folder that was moved away from it does not say where that is. */
const usualRoots = (): string[] => [
  ...(process.env.INVOKEAI_ROOT ? [resolve(process.env.INVOKEAI_ROOT)] : []),
  join(homedir(), 'invokeai'),
]

const rootAt = async (folder: string): Promise<InvokeaiRoot | null> => {
  const moved = await readMovedFolders(folder)
  // Where the file speaks of a place that is gone, the root was moved as a whole, or the file was not written for it.
  const databases = [moved.databases, join(folder, 'databases')]
  const outputs = [moved.outputs, join(folder, 'outputs')]
  const databasePath = await firstPath(databases, 'invokeai.db', (stats) => stats.isFile())
  if (databasePath === null) return null
  const imagesFolder = await firstPath(outputs, 'images', (stats) => stats.isDirectory())
  if (imagesFolder === null) return null
  return {
    folder: await realpath(folder),
    databasePath,
    outputsFolder: dirname(imagesFolder),
    imagesFolder: await realpath(imagesFolder),
  }
}

/** The first of these folders that holds something of a name and kind, with links to the folder resolved. */
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
      // It is not there, or may not be looked at: as good as no folder.
    }
  }
  return null
}
