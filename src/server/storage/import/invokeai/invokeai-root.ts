import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Where InvokeAI keeps what we read, below its root. */
export interface InvokeaiRoot {
  /** Absolute, with symbolic links resolved. */
  folder: string
  databasePath: string
  imagesFolder: string
}

/**
 * The InvokeAI root that a person means by a folder: the root itself, or one of those in it that hold the
 * library (`databases`, `outputs`, `outputs/images`). A folder above a root is not one: other things lie there.
 *
 * @returns null: it is no such folder, or is not there.
 */
export const findInvokeaiRoot = async (folder: string): Promise<InvokeaiRoot | null> => {
  const given = await realpath(folder).catch(() => null)
  if (given === null) return null
  for (const candidate of candidatesOf(given)) {
    const root = await rootAt(candidate)
    if (root !== null) return root
  }
  return null
}

/** Whether a folder is, or belongs to, the root of an InvokeAI. */
export const looksLikeInvokeaiRoot = async (folder: string): Promise<boolean> =>
  (await findInvokeaiRoot(folder)) !== null

const candidatesOf = (given: string): string[] => {
  const above = dirname(given)
  const name = basename(given)
  if (name === 'databases' || name === 'outputs') return [given, above]
  return name === 'images' && basename(above) === 'outputs' ? [given, dirname(above)] : [given]
}

const rootAt = async (folder: string): Promise<InvokeaiRoot | null> => {
  const databasePath = join(folder, 'databases', 'invokeai.db')
  const imagesFolder = join(folder, 'outputs', 'images')
  const [database, images] = await Promise.all([statOf(databasePath), statOf(imagesFolder)])
  if (!database?.isFile() || !images?.isDirectory()) return null
  return { folder, databasePath, imagesFolder: await realpath(imagesFolder) }
}

const statOf = (path: string) => stat(path).catch(() => null)
