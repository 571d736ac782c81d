import { sql } from 'kysely'
import { generatorIds } from '#contract/generators.ts'
import type { Facet, FacetKey, FacetValue } from '#contract/search/facets.ts'
import { nameKey, nameMatcher } from '#contract/search/names.ts'
import { parseSearch } from '#contract/search/parse-search.ts'
import type { SearchTerm } from '#contract/search/search.ts'
import { typeNames } from '#contract/search/search-keys.ts'
import { signedText } from '#contract/search/tag-matcher.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import type { FacetOptions } from '#server/core/images/image-ports.ts'
import {
  type Column,
  flags,
  mediaTypes,
  shapes,
  TIME_OFFSET,
} from '#server/storage/sql/properties/columns.ts'
import { valueNames } from '#server/storage/sql/properties/write-properties.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { countLevels } from '#server/storage/sql/tags/count-levels.ts'
import { mayMatchTag } from '#server/storage/sql/tags/tags-like.ts'
import type { ReadView, ViewReading } from '#server/storage/sql/unit-types.ts'
import { type Calendar, calendarOf, DAY_MS } from './calendar.ts'

/**
 * Counts the values of properties in a view. With `alternatives`, the default, conditions of the search on a property do
 * not limit its own values, so that the alternatives to a chosen value keep their counts.
 */
export const facetsOf: ReadView<'images.facets'> = async (reading, view, options) => {
  const idsByQuery = new Map<string, Uint32Array>()
  const facets: Facet[] = []
  for (const key of options.keys) {
    const query =
      options.alternatives === false ? (view.query ?? '') : queryWithout(view.query ?? '', key)
    const ids = idsByQuery.get(query) ?? (await reading.idsIn({ ...view, query }))
    idsByQuery.set(query, ids)
    facets.push(facetOf(key, await valuesOf(reading, key, ids, options), options))
  }
  return { facets }
}

/** The keys of the conditions on a facet, if not its own one. */
const conditionKeys: Partial<Record<FacetKey, readonly string[]>> = {
  size: ['size', 'width', 'height'],
  month: ['date'],
  board: ['board', 'group'],
  board_id: ['board', 'group'],
  tag_level: ['tag'],
}

/** Returns a search without its conditions on one facet. Words and all others stay as typed. */
export const queryWithout = (query: string, facet: FacetKey): string => {
  const keys = conditionKeys[facet] ?? [facet]
  const isOwn = (term: SearchTerm): boolean => {
    if (term.type === 'not') return isOwn(term.term)
    if ('terms' in term) return term.terms.every(isOwn)
    return 'key' in term && keys.includes(term.key)
  }
  const terms = parseSearch(query).terms
  // The width and the height of `size:1024x768` have the same place.
  const own = terms.filter((term, at) => isOwn(term) && term.start !== terms[at - 1]?.start)
  let rest = query
  for (const { start, end } of own.toReversed()) rest = rest.slice(0, start) + rest.slice(end)
  return own.length === 0 ? query : rest.trim()
}

const facetOf = (
  key: FacetKey,
  counted: readonly FacetValue[],
  { text, limit }: FacetOptions,
): Facet => {
  const found =
    text === undefined
      ? counted.map((value) => ({ ...value, rank: 0 }))
      : ranked(key, counted, text)
  const byCount = (one: FacetValue, other: FacetValue) =>
    other.count - one.count || (one.value < other.value ? -1 : 1)
  const sorted = found.toSorted((one, other) => {
    if (one.rank !== other.rank) return one.rank - other.rank
    return key === 'month' || key === 'rating'
      ? one.value < other.value
        ? 1
        : -1
      : byCount(one, other)
  })
  const values = sorted.slice(0, limit).map(({ value, count }) => ({ value, count }))
  return { key, values, total: found.length }
}

/** Values with a word that begins with the text come before those that only contain it. Tags contain signs as written. */
const ranked = (key: FacetKey, values: readonly FacetValue[], text: string) => {
  const begins = nameMatcher(text, { isExact: false })
  const part = nameKey(text)
  const signed = key === 'tag' || key === 'tag_level' ? signedText(text) : null
  return values.flatMap((each) => {
    if (signed !== null) return tagKey(each.value).includes(signed) ? [{ ...each, rank: 0 }] : []
    // Most values do not contain the text, which needs half the work to find.
    if (!nameKey(each.value).includes(part)) return []
    return [{ ...each, rank: part === '' || begins(each.value) ? 0 : 1 }]
  })
}

const valuesOf = async (
  reading: ViewReading,
  key: FacetKey,
  ids: Uint32Array,
  { text, timeZone }: FacetOptions,
): Promise<FacetValue[]> => {
  const { db, column } = reading
  switch (key) {
    case 'model':
    case 'sampler':
    case 'scheduler':
    case 'camera':
    case 'lens':
      return named(countCodes(await column(key), ids), await namesOf(db, key))
    case 'lora':
      return named(countPairs(await reading.loras(), ids), await namesOf(db, key))
    case 'generator':
      return named(countCodes(await column(key), ids), (code) => generatorIds[code])
    case 'type':
      return merged(countCodes(await column(key), ids), (code) => typeNames[mediaTypes[code] ?? ''])
    case 'shape':
      return named(countCodes(await column(key), ids), (code) => shapes[code])
    case 'kind':
      return merged(countCodes(await column('flags'), ids), (code) =>
        (code & flags.video) === 0 ? 'image' : 'video',
      )
    case 'rating':
      return named(countCodes(await column(key), ids), String)
    case 'tag':
      return named(countPairs(await reading.tags(), ids), await tagNames(db, text))
    case 'tag_level':
      return countLevels(db, await reading.tags(), ids)
    case 'board':
      return merged(countCodes(await column('board'), ids), await boardNames(db))
    case 'board_id':
      return named(countCodes(await column('board'), ids), await boardIds(db))
    case 'size':
      return countSizes(await column('width'), await column('height'), ids)
    case 'month':
      return countMonths(await column('date'), ids, calendarOf(timeZone))
  }
}

type NameOf = (code: number) => string | undefined

const namesOf = async (db: Db, property: Parameters<typeof valueNames>[1]): Promise<NameOf> => {
  const names = new Map((await valueNames(db, property)).map(({ id, value }) => [id, value]))
  return (code) => names.get(code)
}

/** Reads only the names that may match a text, because there can be many. */
const tagNames = async (db: Db, text = ''): Promise<NameOf> => {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM tags WHERE gone_by IS NULL AND ${mayMatchTag(text)}`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return (code) => names.get(code)
}

const boardNames = async (db: Db): Promise<NameOf> => {
  const boards = await db.selectFrom('boards').select(['id', 'board_name']).execute()
  const names = new Map(boards.map(({ id, board_name }) => [id, board_name]))
  names.delete(UNCATEGORIZED)
  return (code) => names.get(code)
}

const boardIds = async (db: Db): Promise<NameOf> => {
  const boards = await db.selectFrom('boards').select(['id', 'board_id']).execute()
  const ids = new Map(boards.map(({ id, board_id }) => [id, board_id]))
  return (code) => ids.get(code)
}

const countCodes = (column: Column, ids: Uint32Array): Map<number, number> => {
  const counts = new Map<number, number>()
  const byCode = new Uint32Array(mostIn(column, ids) + 1)
  for (let at = 0; at < ids.length; at += 1) {
    const code = column[ids[at] ?? 0] ?? 0
    byCode[code] = (byCode[code] ?? 0) + 1
  }
  for (let code = 1; code < byCode.length; code += 1) {
    const count = byCode[code] ?? 0
    if (count > 0) counts.set(code - 1, count)
  }
  return counts
}

/** Returns a number that no value of the images exceeds. */
const mostIn = (column: Column, ids: Uint32Array): number => {
  if (column.BYTES_PER_ELEMENT <= 2) return 2 ** (8 * column.BYTES_PER_ELEMENT) - 1
  let most = 0
  for (let at = 0; at < ids.length; at += 1) most = Math.max(most, column[ids[at] ?? 0] ?? 0)
  return most
}

/** Counts the values of some images. `pairs` has an image and a value, one after the other. */
export const countPairs = (pairs: Uint32Array, ids: Uint32Array): Map<number, number> => {
  let lastImage = 0
  let lastValue = 0
  for (let at = 0; at < pairs.length; at += 2) {
    lastImage = Math.max(lastImage, pairs[at] ?? 0)
    lastValue = Math.max(lastValue, pairs[at + 1] ?? 0)
  }
  const isWanted = new Uint8Array(lastImage + 1)
  for (let at = 0; at < ids.length; at += 1) isWanted[ids[at] ?? 0] = 1
  const byValue = new Uint32Array(lastValue + 1)
  for (let at = 0; at < pairs.length; at += 2) {
    const value = pairs[at + 1] ?? 0
    byValue[value] = (byValue[value] ?? 0) + (isWanted[pairs[at] ?? 0] ?? 0)
  }
  const counts = new Map<number, number>()
  for (let value = 0; value <= lastValue; value += 1) {
    const count = byValue[value] ?? 0
    if (count > 0) counts.set(value, count)
  }
  return counts
}

const named = (counts: ReadonlyMap<number, number>, nameOf: NameOf): FacetValue[] =>
  [...counts].flatMap(([code, count]) => {
    const value = nameOf(code)
    return value === undefined ? [] : [{ value, count }]
  })

/** Like `named`, if several codes can have one name. */
const merged = (counts: ReadonlyMap<number, number>, nameOf: NameOf): FacetValue[] => {
  const sums = new Map<string, number>()
  for (const { value, count } of named(counts, nameOf))
    sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums].map(([value, count]) => ({ value, count }))
}

/** More than the largest width or height of an image. */
const SIDE = 2 ** 20

const countSizes = (widths: Column, heights: Column, ids: Uint32Array): FacetValue[] => {
  const counts = new Map<number, number>()
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    const size = (widths[id] ?? 0) * SIDE + (heights[id] ?? 0)
    counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  return named(counts, (size) => `${Math.floor(size / SIDE) - 1}x${(size % SIDE) - 1}`)
}

const countMonths = (dates: Column, ids: Uint32Array, calendar: Calendar): FacetValue[] => {
  const monthAt = monthsOf(calendar)
  let month: Month = { name: '', start: 0, end: 0, count: 0 }
  const months = new Set<Month>()
  for (let at = 0; at < ids.length; at += 1) {
    const time = (dates[ids[at] ?? 0] ?? 1) - 1 - TIME_OFFSET
    // Images that were added together are usually of the same month.
    if (time < month.start || time >= month.end) {
      month = monthAt(time)
      months.add(month)
    }
    month.count += 1
  }
  return [...months].map(({ name, count }) => ({ value: name, count }))
}

interface Month {
  name: string
  /** Milliseconds since 1970. `end` is exclusive. */
  start: number
  end: number
  count: number
}

/** Returns a function that finds the month of a time. */
const monthsOf = ({ startOf, dayOf }: Calendar): ((time: number) => Month) => {
  const byName = new Map<string, Month>()
  const byDay = new Map<number, Month>()
  const find = (time: number): Month => {
    const day = new Date(dayOf(time) * DAY_MS)
    const name = day.toISOString().slice(0, -17)
    const known = byName.get(name)
    if (known !== undefined) return known
    const startOfMonth = (offset: number) =>
      startOf(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + offset, 1) / DAY_MS)
    const month = { name, start: startOfMonth(0), end: startOfMonth(1), count: 0 }
    byName.set(name, month)
    return month
  }
  return (time) => {
    const utcDay = Math.floor(time / DAY_MS)
    const month = byDay.get(utcDay) ?? find(utcDay * DAY_MS)
    byDay.set(utcDay, month)
    // A day of the time zone begins before or after the one in UTC.
    if (time < month.start) return find(month.start - 1)
    return time < month.end ? month : find(month.end)
  }
}
