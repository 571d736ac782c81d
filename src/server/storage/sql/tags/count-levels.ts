import type { FacetValue } from '#contract/search/facets.ts'
import { tagLevels } from '#contract/search/tag-names.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { compareNames } from './tag-names-of.ts'

interface Level {
  name: string
  count: number
  /** The image that was counted last. */
  last: number
}

/**
 * Counts the images of each level of tags, such as `people` of `people/anna`: those with the tag itself or with tags
 * below it. An image with several of them counts once.
 *
 * @param pairs - Pairs of image and tag, in any order.
 */
export const countLevels = async (
  db: Db,
  pairs: Uint32Array,
  ids: Uint32Array,
): Promise<FacetValue[]> => {
  const { levels, levelsOf } = await readLevels(db)
  const { tags, ends } = byImage(pairs)
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    const end = ends[id] ?? 0
    for (let index = ends[id - 1] ?? 0; index < end; index += 1)
      for (const level of levelsOf.get(tags[index] ?? 0) ?? []) {
        if (level.last === id) continue
        level.last = id
        level.count += 1
      }
  }
  return levels.flatMap(({ name, count }) => (count === 0 ? [] : [{ value: name, count }]))
}

const readLevels = async (db: Db) => {
  const tags = await db
    .selectFrom('tags')
    .select(['id', 'name', 'name_key'])
    .where('gone_by', 'is', null)
    .execute()
  const levels = new Map<string, Level>()
  const levelsOf = new Map<number, readonly Level[]>()
  // A tag comes before those below it, so that its level has its spelling.
  for (const { id, name, name_key } of tags.sort((a, b) => compareNames(a.name, b.name))) {
    const names = tagLevels(name)
    const own = name_key.split('/').map((_, at, keys) => {
      const key = keys.slice(0, at + 1).join('/')
      const level = levels.get(key) ?? { name: names.slice(0, at + 1).join('/'), count: 0, last: 0 }
      levels.set(key, level)
      return level
    })
    levelsOf.set(id, own)
  }
  return { levels: [...levels.values()], levelsOf }
}

/** Returns the tags in the order of their images. Those of an image end at `ends[image]` and begin where the ones before end. */
const byImage = (pairs: Uint32Array) => {
  let last = 0
  for (let at = 0; at < pairs.length; at += 2) last = Math.max(last, pairs[at] ?? 0)
  const ends = new Uint32Array(last + 1)
  for (let at = 0; at < pairs.length; at += 2) {
    const image = (pairs[at] ?? 0) + 1
    if (image <= last) ends[image] = (ends[image] ?? 0) + 1
  }
  for (let image = 1; image <= last; image += 1)
    ends[image] = (ends[image] ?? 0) + (ends[image - 1] ?? 0)
  const tags = new Uint32Array(pairs.length / 2)
  for (let at = 0; at < pairs.length; at += 2) {
    const image = pairs[at] ?? 0
    const index = ends[image] ?? 0
    tags[index] = pairs[at + 1] ?? 0
    ends[image] = index + 1
  }
  return { tags, ends }
}
