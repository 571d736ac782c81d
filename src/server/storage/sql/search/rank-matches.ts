import { IdSet, joinIds } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Order } from '#server/storage/sql/views/order.ts'
import { starredIds } from './evaluate-search.ts'

/** Ranking more matches would take longer than people wait. The newest come first then. */
export const MAX_RANKED = 50_000

/** The weights of a word in the texts of an image. */
export const textWeights = { prompt: 1, file_name: 0.7, parameters: 0.4, negative_prompt: 0.1 }

/** The order in which the ids of a view are found before they are ranked. */
export const newestFirst: Order = { by: 'created_at', starredFirst: false, dir: 'DESC' }

/**
 * Sorts the ids of a view by how well they match.
 *
 * @param ids - The newest first.
 * @param best - Ids of matches, the best first, also of other views. null: all match equally well.
 */
export const rankIds = async (
  db: Db,
  ids: Uint32Array,
  best: Uint32Array | null,
  { dir, starredFirst }: Order,
): Promise<Uint32Array> => {
  const ranked =
    best === null ? ids : joinIds([new IdSet(ids).choose(best), new IdSet(best).leaveOut(ids)])
  const sorted = dir === 'DESC' ? ranked : ranked.toReversed()
  if (!starredFirst) return sorted
  const starred = new IdSet(await starredIds(db))
  return joinIds([starred.choose(sorted), starred.leaveOut(sorted)])
}
