import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Value from 'typebox/value'
import { EXPORT_MANIFEST, ExportManifest } from '#server/core/exports/export-files.ts'

/** Twice the size of a manifest with a hundred thousand boards. */
const MAX_BYTES = 64 * 1024 * 1024

/** Reads the manifest of an export folder. null: it is missing, unreadable, or not a manifest. */
export const readManifest = async (root: string): Promise<ExportManifest | null> => {
  const value: unknown = await textOf(join(root, EXPORT_MANIFEST))
    .then((text) => JSON.parse(text))
    .catch(() => null)
  return Value.Check(ExportManifest, value) ? value : null
}

const textOf = async (path: string): Promise<string> => {
  const stats = await stat(path)
  return stats.isFile() && stats.size <= MAX_BYTES ? readFile(path, 'utf8') : ''
}
