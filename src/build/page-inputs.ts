import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files and folders from which the page is built. */
export const PAGE_INPUTS = [
  'docs',
  'index.html',
  'package.json',
  'package-lock.json',
  'public',
  'src/build/build-page.ts',
  'src/build/client-package/contract-modules.ts',
  'src/build/client-package/contract-without-schemas.ts',
  'src/build/help-pages.ts',
  'src/build/page-chunks.ts',
  'src/build/page-extras.ts',
  'src/client',
  'src/contract',
  'src/gallery',
  'tailwind.config.ts',
  'vite.config.ts',
]

/**
 * Hashes all sources of the built page. Only contents count, not times: checking out another branch and
 * returning touches every file and changes none.
 */
export const hashPageInputs = (root: string): Promise<string> => hashInputs(root, PAGE_INPUTS)

/** Hashes files and folders of the project, except tests. */
export async function hashInputs(root: string, inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files = (await Promise.all(inputs.map((input) => listFiles(root, input)))).flat()
  for (const file of files.filter((file) => !/\.test\.tsx?$/.test(file)).sort()) {
    const bytes = await readFile(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

/** Returns the file itself, all files in a folder at any depth, or nothing if the path does not exist. */
async function listFiles(root: string, input: string): Promise<string[]> {
  try {
    const entries = await readdir(join(root, input), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ENOTDIR') return [input]
    if (error.code === 'ENOENT') return []
    throw error
  }
}
