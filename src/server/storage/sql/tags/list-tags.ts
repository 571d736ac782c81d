import type { ReadView } from '#server/storage/sql/unit-types.ts'
import { countPairs } from '#server/storage/sql/views/facets.ts'
import { compareNames } from './tag-names-of.ts'

/** The images and videos that galleries show. */
const shown = {
  kind: 'all',
  isIntermediate: false,
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
} as const

export const listTags: ReadView<'tags.list'> = async (reading) => {
  const tags = await reading.db
    .selectFrom('tags')
    .select(['id', 'name', 'color', 'used_at'])
    .where('gone_by', 'is', null)
    .execute()
  if (tags.length === 0) return []
  const counts = countPairs(await reading.tags(), await reading.idsIn(shown))
  return tags
    .map(({ id, ...tag }) => ({ ...tag, count: counts.get(id) ?? 0 }))
    .filter(({ count, color }) => count > 0 || color !== null)
    .sort((one, other) => compareNames(one.name, other.name))
}
