import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/image-ports.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { idsLike } from './ids-like.ts'
import { idsMatching } from './ids-matching.ts'

/** A view without a search; a search that nothing can match; or a query for the ids that match. */
export type Search = 'none' | 'nothing' | { ids: RawBuilder<{ id: number }> }

/** What a view searches for: the wire's `search_term`, full-text words, or both at once. */
export const searchOf = async (db: Db, { searchTerm, query }: View): Promise<Search> => {
  const parts: RawBuilder<{ id: number }>[] = []
  if (searchTerm !== undefined && searchTerm !== '') parts.push(idsLike(searchTerm))
  if (query !== undefined && query.trim() !== '') {
    const matching = await idsMatching(db, query)
    if (matching === null) return 'nothing'
    parts.push(matching)
  }
  return parts.length === 0 ? 'none' : { ids: sql`${sql.join(parts, sql` INTERSECT `)}` }
}
