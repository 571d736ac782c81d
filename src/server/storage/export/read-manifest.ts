import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
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
export const readManifest = async (root: string): Promise<ExportManifest | null> => {
  const value = await readJson(join(root, EXPORT_MANIFEST))
  return Value.Check(ExportManifest, value) ? value : null
}

/** Reads the manifest of a folder with converted files. null: same as `readManifest`. */
export const readConvertedManifest = async (root: string): Promise<ConvertedManifest | null> => {
  const value = await readJson(join(root, CONVERTED_MANIFEST))
  return Value.Check(ConvertedManifest, value) ? value : null
}

/** Returns the value of a JSON file. null: it cannot be read, or its text is not JSON. */
const readJson = (path: string): Promise<unknown> =>
  textOf(path)
    .then((text): unknown => JSON.parse(text))
    .catch(() => null)

const textOf = async (path: string): Promise<string> => {
  const stats = await stat(path)
  return stats.isFile() && stats.size <= MAX_BYTES ? readFile(path, 'utf8') : ''
}
