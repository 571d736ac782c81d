import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'

/** A JSON array of the names of the tags of a row of `images`. SQLite reads the tables of a CROSS JOIN in this order. */
export const tagNamesOfImage = (db: Db): RawBuilder<string> => sql`(
  SELECT ${dialectOf(db).jsonArray('tags.name')}
  FROM image_tags CROSS JOIN tags
  WHERE image_tags.image = images.id AND tags.id = image_tags.tag AND tags.gone_by IS NULL)`

/** Parses the names of `tagNamesOfImage`, in their order. */
export const tagsIn = (json: string): string[] =>
  json === '[]' ? [] : (JSON.parse(json) as string[]).sort(compareNames)

/** Sorts names of tags, without regard to case. */
export const compareNames = (one: string, other: string): number => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return a < b ? -1 : Number(a > b)
}
