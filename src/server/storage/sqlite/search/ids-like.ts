import { sql } from 'kysely'
import type { Ids } from '#server/storage/sqlite/cache/id-set.ts'
import type { IdRange } from '#server/storage/sqlite/cache/read-cache.ts'

/** The characters of a `created_at`. It has no more than four digits in a row. */
const DATE_LIKE = /^(?!.*\d{5})[\d\s:.%_-]+$/

/** An additional condition on a column of IDs. */
export const inRange = (column: string, range: IdRange | null) =>
  range === null ? sql`true` : sql`${sql.ref(column)} BETWEEN ${range.first} AND ${range.last}`

/**
 * IDs of the images whose metadata text or `created_at` contains a term (wire 2.4). `%` and `_` are wildcards;
 * the case of ASCII letters does not matter. The text is the response of `GET .../metadata`.
 */
export const idsLike = (term: string, range: IdRange | null): Ids => {
  const pattern = `%${term}%`
  const inMetadata = sql<{ id: number }>`
    SELECT image AS id FROM image_metadata
    WHERE coalesce(invokeai, normal) LIKE ${pattern} AND ${inRange('image', range)}`
  if (!DATE_LIKE.test(term)) return inMetadata
  return sql`SELECT id FROM (${inMetadata} UNION SELECT id FROM images
    WHERE strftime('%Y-%m-%d %H:%M:%f', created_at / 1000.0, 'unixepoch') LIKE ${pattern}
      AND ${inRange('images.id', range)})`
}

/**
 * IDs of the images whose metadata text or file name contains each of these texts, also inside a word. It reads
 * the text of every image.
 */
export const idsContaining = (texts: readonly string[], range: IdRange | null): Ids => {
  const isContained = texts.map((text) => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(coalesce(invokeai, normal) LIKE ${pattern} ESCAPE '\\'
      OR file_name LIKE ${pattern} ESCAPE '\\')`
  })
  return sql`SELECT images.id FROM images LEFT JOIN image_metadata ON image = images.id
    WHERE ${sql.join(isContained, sql` AND `)} AND ${inRange('images.id', range)}`
}
