import { sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import type { Anchors } from '#server/storage/sqlite/cache/anchors.ts'
import type { IdSet } from '#server/storage/sqlite/cache/id-set.ts'
import { boundList } from '#server/storage/sqlite/images/named-images.ts'
import { NAMES_PER_PART } from '#server/storage/sqlite/packed-names.ts'
import { matchingIdsOf } from '#server/storage/sqlite/search/matching-ids.ts'
import { searchesOf } from '#server/storage/sqlite/search/search-of.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Reading } from '#server/storage/sqlite/unit-types.ts'
import type { Calendar } from './calendar.ts'
import { countDays, type DayCounts } from './count-days.ts'
import { type OpenedView, selectOrderKeys } from './opened-view.ts'
import { isBefore, isIndexStarred, type Order, type OrderKey, orderOf } from './order.ts'
import { acrossSegments, rangesOf, segmentsOf, unstarredRanges } from './segments.ts'
import {
  bytesOf,
  type Count,
  countSelection,
  isFiltered,
  type Selection,
  selectionOf,
  starredOf,
  totalOf,
} from './selection.ts'
import { sliceSegment } from './slice-segment.ts'
import { countWalk, isAtKey, walkIds, walkNames } from './walk-index.ts'

export const openView = async (reading: Reading, view: View): Promise<OpenedView> => {
  const { db, cache } = reading
  const order = orderOf(view)
  const emptyView = { ...computedView(db, order, new Uint32Array()), totalBytes: 0 }
  const selection = await selectionOf(db, view)
  if (selection === null) return emptyView
  const counts = await countSelection(db, selection)
  if (counts.length === 0) return emptyView

  await cache.sync(db)
  const inMemory = async (key: unknown, find: () => Promise<IdSet[]>) => {
    const resultKey = JSON.stringify([selection, order, key])
    const work = async () => matchingIdsOf(reading, { selection, order }, await find())
    return computedView(db, order, await cache.result(resultKey, work))
  }

  let found: OpenedView = emptyView
  for (const [at, find] of searchesOf(reading, view).entries()) {
    if (find === null) return openWhole(reading, selection, order, counts, inMemory)
    found = await inMemory([view.searchTerm, view.query, at], find)
    if (found.total > 0) return found
  }
  return found
}

const openWhole = async (
  { db, cache }: Reading,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
  inMemory: (key: unknown, find: () => Promise<IdSet[]>) => Promise<OpenedView>,
): Promise<OpenedView> => {
  if (!isFiltered(selection))
    return indexedView(db, selection, order, counts, () => cache.anchors(db))
  const indexed = indexedView(db, selection, order, counts, null)
  const whole = await countSelection(db, { ...selection, categories: null, origin: null })
  return filteredView(indexed, totalOf(whole), () => inMemory('all', async () => []))
}

/** Number of index rows that are read in less than a millisecond. */
const SHORT_WALK = 10_000

/**
 * Returns a view whose filter skips rows of its index. If reaching a position would skip too many rows, the ids of
 * the view are computed and cached instead.
 *
 * @param whole - Number of rows without the filter.
 */
const filteredView = (
  indexed: OpenedView,
  whole: number,
  compute: () => Promise<OpenedView>,
): OpenedView => {
  const rowsForEach = whole / indexed.total
  const isShort = (offset: number, limit: number) => {
    if (limit < 0) return true
    const nearer = Math.min(offset, Math.max(0, indexed.total - offset - limit))
    return (nearer + limit) * rowsForEach <= SHORT_WALK
  }
  return {
    ...indexed,
    slice: async (offset, limit) =>
      (isShort(offset, limit) ? indexed : await compute()).slice(offset, limit),
    idsAfter: async (key, limit) =>
      (isShort(0, limit) ? indexed : await compute()).idsAfter(key, limit),
  }
}

/**
 * Returns a view that is read from its index. Totals come from the counters.
 *
 * @param getAnchors - Known positions in unfiltered views; null for a filtered one.
 */
const indexedView = (
  db: Db,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
  getAnchors: (() => Promise<Anchors>) | null,
): OpenedView => {
  const total = totalOf(counts)
  const segments = segmentsOf(counts, order)
  const forwards = { selection, walk: { ...order, isBackwards: false } }
  const whole = { ...forwards, ranges: rangesOf(counts, order) }

  return {
    total,
    totalBytes: bytesOf(counts),
    countStarred: async () => starredOf(counts),
    slice: (offset, limit) =>
      acrossSegments(segments, { offset, limit }, async (segment, from, size) =>
        sliceSegment({ db, selection, order, segment, anchors: await getAnchors?.() }, from, size),
      ),
    names: async function* (offset, limit) {
      const windows = await acrossSegments(
        segments,
        { offset, limit },
        async ({ ranges }, from, size) => [{ ranges, limit: size, offset: from }],
      )
      for (const window of windows) yield* walkNames(db, { ...forwards, ...window })
    },
    idsAfter: (key, limit) => walkIds(db, { ...whole, limit, after: key }),
    positionOf: async (key) => {
      // Compares all columns of the index, so that it finds the single row.
      const isHere = isAtKey(key, order, isIndexStarred(order))
      if ((await countWalk(db, { ...whole, where: [isHere] })) === 0) return null
      return total - 1 - (await countWalk(db, { ...whole, after: key }))
    },
    countDays: (calendar) => {
      const ranges = order.starredFirst ? unstarredRanges(counts) : whole.ranges
      return countDays(db, { ...whole, ranges }, calendar)
    },
  }
}

/** Returns a view with computed ids, in its order. */
const computedView = (db: Db, order: Order, ids: Uint32Array): OpenedView => {
  const slice = (offset: number, limit: number) => [
    ...ids.subarray(offset, limit < 0 ? ids.length : offset + limit),
  ]

  /** Returns the number of images before the first one for which `isReached` is true. */
  const countBefore = async (isReached: (key: OrderKey) => boolean): Promise<number> => {
    let from = 0
    let to = ids.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isReached(await keyOf(db, order, ids[middle]))) to = middle
      else from = middle + 1
    }
    return from
  }

  const countStarred = () => countBefore(({ starred }) => starred === 0)

  return {
    total: ids.length,
    totalBytes: null,
    countStarred,
    slice: async (offset, limit) => slice(offset, limit),
    names: async function* (offset, limit) {
      const end = limit < 0 ? ids.length : Math.min(ids.length, offset + limit)
      for (let from = offset; from < end; from += NAMES_PER_PART)
        yield await namesOfIds(db, slice(from, Math.min(NAMES_PER_PART, end - from)))
    },
    idsAfter: async (key, limit) =>
      slice(await countBefore((other) => isBefore(key, other, order)), limit),
    positionOf: async ({ id }) => {
      const position = ids.indexOf(id)
      return position < 0 ? null : position
    },
    countDays: async (calendar) => {
      const starredCount = order.starredFirst ? await countStarred() : 0
      return countDaysOfIds(db, order, ids.subarray(starredCount), calendar)
    },
  }
}

const keyOf = (db: Db, order: Order, id: number | undefined): Promise<OrderKey> =>
  selectOrderKeys(db, order)
    .where('id', '=', id ?? -1)
    .executeTakeFirstOrThrow()

const namesOfIds = async (db: Db, ids: readonly number[]): Promise<string> => {
  const { rows } = await sql<{ names: string }>`
    SELECT json_group_array(image_name) AS names
    FROM (SELECT image_name FROM json_each(${JSON.stringify(ids)}) AS given
      CROSS JOIN images ON images.id = given.value ORDER BY given.key)`.execute(db)
  return rows[0]?.names ?? '[]'
}

/** Counts the days of sorted images. Only runs with ends on different days are halved: 10,000 rows for a million. */
const countDaysOfIds = async (db: Db, order: Order, ids: Uint32Array, calendar: Calendar) => {
  const counts: DayCounts = new Map()
  let runs = ids.length === 0 ? [] : [{ first: 0, last: ids.length - 1 }]
  while (runs.length > 0) {
    const ends = runs.flatMap(({ first, last }) => [ids[first] ?? -1, ids[last] ?? -1])
    const days = await daysOfIds(db, order, ends, calendar)
    const halves: typeof runs = []
    for (const { first, last } of runs) {
      const day = days.get(ids[first] ?? -1)
      if (day !== undefined && day === days.get(ids[last] ?? -1)) {
        counts.set(day, (counts.get(day) ?? 0) + last - first + 1)
      } else if (first < last) {
        const middle = (first + last) >>> 1
        halves.push({ first, last: middle }, { first: middle + 1, last })
      }
    }
    runs = halves
  }
  return counts
}

const daysOfIds = async (db: Db, order: Order, ids: readonly number[], { dayOf }: Calendar) => {
  const keys = await selectOrderKeys(db, order).where('id', 'in', boundList(ids)).execute()
  return new Map(keys.map(({ id, value }) => [id, dayOf(Number(value))]))
}
