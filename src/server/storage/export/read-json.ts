import { readFile } from 'node:fs/promises'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

/** Reads a JSON file of a known form. null: it is not there, cannot be read, or says something else. */
export const readJson = async <Schema extends TSchema>(
  path: string,
  schema: Schema,
): Promise<Static<Schema> | null> => {
  const value: unknown = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text))
    .catch(() => null)
  return Value.Check(schema, value) ? (value as Static<Schema>) : null
}
