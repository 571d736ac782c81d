import { readFile, stat } from 'node:fs/promises'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

/** A manifest of a hundred thousand boards is half as large. */
const MAX_BYTES = 64 * 1024 * 1024

/** Reads a JSON file of a known form. null: it is not there, cannot be read, or says something else. */
export const readJson = async <Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema> | null> => {
  const value: unknown = await textOf(path)
    .then((text) => JSON.parse(text))
    .catch(() => null)
  return Value.Check(schema, value) ? (value as Static<Schema>) : null
}

const textOf = async (path: string): Promise<string> => {
  const stats = await stat(path)
  return stats.isFile() && stats.size <= MAX_BYTES ? readFile(path, 'utf8') : ''
}
