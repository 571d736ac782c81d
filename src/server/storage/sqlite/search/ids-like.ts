import { type RawBuilder, sql } from 'kysely'

/** What a created_at can contain. No run of its digits is longer than four. */
const DATE_LIKE = /^(?!.*\d{5})[\d\s:.%_-]+$/

/**
 * Ids of images whose metadata text or created_at contains a term (wire 2.4), `%` and `_` being wildcards
 * and ASCII letters the same in both cases. The text is the one that `GET .../metadata` answers.
 */
export const idsLike = (term: string): RawBuilder<{ id: number }> => {
  const pattern = `%${term}%`
  const inMetadata = sql<{ id: number }>`
    SELECT image AS id FROM image_metadata WHERE coalesce(invokeai, normal) LIKE ${pattern}`
  if (!DATE_LIKE.test(term)) return inMetadata
  return sql`SELECT id FROM (${inMetadata} UNION SELECT id FROM images
    WHERE strftime('%Y-%m-%d %H:%M:%f', created_at / 1000.0, 'unixepoch') LIKE ${pattern})`
}
