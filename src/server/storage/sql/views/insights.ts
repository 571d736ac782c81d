import { MAX_READ_PROMPTS } from '#contract/limits.ts'
import type {
  BoardStorage,
  ImageInsights,
  SeedInsight,
  StorageInsight,
  TypeStorage,
  WordInsight,
} from '#contract/search/insights.ts'
import { typeNames } from '#contract/search/search-keys.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { filterIds } from '#server/storage/sql/id-set.ts'
import { type Column, flags, mediaTypes } from '#server/storage/sql/properties/columns.ts'
import { promptWords } from '#server/storage/sql/search/prompt-words.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { ReadView, ViewReading } from '#server/storage/sql/unit-types.ts'

/** Sums up the images of a view. */
export const insightsOf: ReadView<'images.insights'> = async (reading, view, { keys, limit }) => {
  const ids = await reading.idsIn(view)
  const insights: ImageInsights = {}
  if (keys.includes('storage')) insights.storage = await storageOf(reading, ids, limit)
  if (keys.includes('words')) insights.words = await wordsOf(reading, ids, limit)
  if (keys.includes('seeds')) insights.seeds = await seedsOf(reading, ids, limit)
  return insights
}

interface Sum {
  count: number
  bytes: number
}

const storageOf = async (
  { db, column }: ViewReading,
  ids: Uint32Array,
  limit: number,
): Promise<StorageInsight> => {
  const bytes = await column('bytes')
  const names = new Map(
    (await db.selectFrom('boards').select(['id', 'board_id', 'board_name']).execute()).map(
      ({ id, ...board }) => [id, board],
    ),
  )
  const boards = [...sumsOf(await column('board'), bytes, ids)].flatMap(
    ([code, sum]): BoardStorage[] => {
      const board = names.get(code)
      return board === undefined ? [] : [{ ...board, ...sum }]
    },
  )
  const byType = new Map<string, TypeStorage>()
  for (const [code, { count, bytes: size }] of sumsOf(await column('type'), bytes, ids)) {
    const type = typeNames[mediaTypes[code] ?? '']
    if (type === undefined) continue
    const before = byType.get(type) ?? { type, count: 0, bytes: 0 }
    byType.set(type, { type, count: before.count + count, bytes: before.bytes + size })
  }
  return {
    boards: boards.sort(bySize(({ board_name }) => board_name)).slice(0, limit),
    board_total: boards.length,
    types: [...byType.values()].sort(bySize(({ type }) => type)),
  }
}

const bySize =
  <Value extends Sum>(nameOf: (value: Value) => string) =>
  (one: Value, other: Value): number =>
    other.bytes - one.bytes || (nameOf(one) < nameOf(other) ? -1 : 1)

const sumsOf = (codes: Column, bytes: Column, ids: Uint32Array): Map<number, Sum> => {
  let most = 0
  for (let at = 0; at < ids.length; at += 1) most = Math.max(most, codes[ids[at] ?? 0] ?? 0)
  const counts = new Float64Array(most + 1)
  const sizes = new Float64Array(most + 1)
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    const code = codes[id] ?? 0
    counts[code] = (counts[code] ?? 0) + 1
    sizes[code] = (sizes[code] ?? 0) + Math.max(0, (bytes[id] ?? 0) - 1)
  }
  const sums = new Map<number, Sum>()
  for (let code = 1; code <= most; code += 1) {
    const count = counts[code] ?? 0
    if (count > 0) sums.set(code - 1, { count, bytes: sizes[code] ?? 0 })
  }
  return sums
}

/** The prompts of a query at a time. */
const PROMPTS_PER_READ = 2_000

const wordsOf = async (
  { db, column }: ViewReading,
  ids: Uint32Array,
  limit: number,
): Promise<WordInsight> => {
  const flagged = await column('flags')
  const prompted = filterIds(ids, (id) => (((flagged[id] ?? 1) - 1) & flags.prompt) !== 0)
  const read = sampleOf(prompted, MAX_READ_PROMPTS)
  const counts = new Map<string, number>()
  for (let at = 0; at < read.length; at += PROMPTS_PER_READ)
    for (const prompt of await promptsOf(db, read.subarray(at, at + PROMPTS_PER_READ)))
      for (const word of promptWords(prompt)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return {
    ...mostFrequent(counts, limit),
    prompt_count: prompted.length,
    read_count: read.length,
  }
}

/** Returns some of the ids, in even distances. */
const sampleOf = (ids: Uint32Array, size: number): Uint32Array => {
  if (ids.length <= size) return ids
  return Uint32Array.from(
    { length: size },
    (_, at) => ids[Math.floor((at * ids.length) / size)] ?? 0,
  )
}

const promptsOf = async (db: Db, ids: Uint32Array): Promise<string[]> => {
  const rows = await db
    .selectFrom('image_metadata')
    .select(dialectOf(db).promptText.as('prompt'))
    .where(isOneOf(db, 'image', [...ids]))
    .execute()
  return rows.flatMap(({ prompt }) => prompt ?? [])
}

const seedsOf = async (
  { db, column }: ViewReading,
  ids: Uint32Array,
  limit: number,
): Promise<SeedInsight> => {
  const seeds = await column('seed')
  const sorted = new Float64Array(ids.length)
  for (let at = 0; at < ids.length; at += 1) sorted[at] = seeds[ids[at] ?? 0] ?? 0
  sorted.sort()
  const counts = new Map<number, number>()
  for (let at = 0; at < sorted.length; ) {
    const seed = sorted[at] ?? 0
    let end = at + 1
    while (end < sorted.length && sorted[end] === seed) end += 1
    if (seed > 0 && end - at > 1) counts.set(seed, end - at)
    at = end
  }
  const { values, total } = mostFrequent(counts, limit)
  const texts = await seedTexts(db, seeds, ids, new Set(values.map(({ value }) => value)))
  return {
    values: values.map(({ value, count }) => ({ value: texts.get(value) ?? '', count })),
    total,
  }
}

/** Returns all digits of seeds. */
const seedTexts = async (
  db: Db,
  seeds: Column,
  ids: Uint32Array,
  wanted: ReadonlySet<number>,
): Promise<Map<number, string>> => {
  const imageOf = new Map<number, number>()
  for (let at = 0; at < ids.length && imageOf.size < wanted.size; at += 1) {
    const id = ids[at] ?? 0
    const seed = seeds[id] ?? 0
    if (wanted.has(seed) && !imageOf.has(seed)) imageOf.set(seed, id)
  }
  const rows = await db
    .selectFrom('image_properties')
    .select(['image', 'seed'])
    .where(isOneOf(db, 'image', [...imageOf.values()]))
    .execute()
  return new Map(rows.map(({ image, seed }) => [seeds[image] ?? 0, seed ?? '']))
}

const mostFrequent = <Value extends string | number>(
  counts: ReadonlyMap<Value, number>,
  limit: number,
): { values: { value: Value; count: number }[]; total: number } => {
  const sorted = [...counts].sort(
    ([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1),
  )
  const values = sorted.slice(0, limit).map(([value, count]) => ({ value, count }))
  return { values, total: counts.size }
}
