import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import {
  CONVERTED_MANIFEST,
  ConvertedManifest,
  EXPORT_MANIFEST,
  ExportManifest,
} from '#server/core/exports/export-files.ts'

/** Twice the size of a manifest with a hundred thousand boards. */
const MAX_BYTES = 64 * 1024 * 1024

/** Reads the manifest of an export folder. null: it is missing, unreadable, or not a manifest. */
export const readManifest = (root: string): Promise<ExportManifest | null> =>
  readAs(ExportManifest, join(root, EXPORT_MANIFEST))

/** Reads the manifest of a folder with converted files. null: same as `readManifest`. */
export const readConvertedManifest = (root: string): Promise<ConvertedManifest | null> =>
  readAs(ConvertedManifest, join(root, CONVERTED_MANIFEST))

const readAs = async <Schema extends TSchema>(
  schema: Schema,
  path: string,
): Promise<Static<Schema> | null> => {
  const value: unknown = await textOf(path)
    .then((text) => JSON.parse(text))
    .catch(() => null)
  return Value.Check(schema, value) ? value : null
}

const textOf = async (path: string): Promise<string> => {
  const stats = await stat(path)
  return stats.isFile() && stats.size <= MAX_BYTES ? readFile(path, 'utf8') : ''
}
