import { sql } from 'kysely'
import { generatorIds } from '#contract/generators.ts'
import { nameMatcher, nameTokens, plainModelName } from '#contract/search/names.ts'
import { commonSampling } from '#contract/search/samplers.ts'
import type { ChoiceTerm, RangeTerm, SearchTerm, TextTerm } from '#contract/search/search.ts'
import { generatorsThat, typeNames } from '#contract/search/search-keys.ts'
import { signedText, tagMatcher } from '#contract/search/tag-matcher.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import { ALL_KINDS } from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { IdSet, readIds } from '#server/storage/sql/id-set.ts'
import {
  type Column,
  type ColumnName,
  flags,
  mediaTypes,
  shapes,
  TIME_OFFSET,
} from '#server/storage/sql/properties/columns.ts'
import type { NamedProperty } from '#server/storage/sql/properties/properties-of.ts'
import { valueNames } from '#server/storage/sql/properties/write-properties.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { mayMatchTag } from '#server/storage/sql/tags/tags-like.ts'
import { parseQuery } from './parse-query.ts'
import type { SearchSource } from './search-source.ts'

/** Returns the images that match all terms. */
export const evaluateAll = async (
  source: SearchSource,
  terms: readonly SearchTerm[],
): Promise<IdSet> => {
  let found: IdSet | null = null
  for (const term of terms) {
    const set = await evaluate(source, term)
    found = found === null ? set : found.and(set)
  }
  return found ?? everything(source)
}

const evaluate = async (source: SearchSource, term: SearchTerm): Promise<IdSet> => {
  switch (term.type) {
    case 'word': {
      const { words } = parseQuery(term.isPhrase ? `"${term.text}"` : term.text)
      return words.length === 0 ? everything(source) : source.words(words)
    }
    case 'not':
      return (await evaluate(source, term.term)).not(await lastId(source.db))
    case 'all':
      return evaluateAll(source, term.terms)
    case 'any': {
      let found = new IdSet()
      for (const each of term.terms) found = found.or(await evaluate(source, each))
      return found
    }
    case 'text':
      return evaluateText(source, term)
    case 'range':
      return evaluateRange(source, term)
    case 'choice':
      return evaluateChoice(source, term)
  }
}

const everything = async ({ db }: SearchSource): Promise<IdSet> => new IdSet().not(await lastId(db))

/** Returns the ids of the starred images outside the trash. */
export const starredIds = (db: Db): Promise<Uint32Array> =>
  readIds(
    db,
    sql`SELECT id FROM images ${dialectOf(db).indexedBy('all_starred')}
      WHERE kind IN (${sql.join(ALL_KINDS)}) AND starred = 1 AND deleted_at IS NULL`,
  )

const lastId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(id) AS last FROM images`.execute(db)
  return rows[0]?.last ?? 0
}

const evaluateText = async (source: SearchSource, term: TextTerm): Promise<IdSet> => {
  const { db } = source
  switch (term.key) {
    case 'model':
    case 'sampler':
    case 'scheduler':
    case 'camera':
    case 'lens':
      return withCodes(await source.column(term.key), await valuesLike(db, term.key, term))
    case 'lora': {
      const values = await valuesLike(db, 'lora', term)
      return source.matches(
        `loras ${values}`,
        (restrict) => sql`
        SELECT DISTINCT image AS id FROM image_loras
        WHERE ${isOneOf(db, 'lora', values)} AND ${restrict('image')}`,
      )
    }
    case 'tag':
      return withTags(await source.tags(), await tagsLike(db, term))
    case 'generator': {
      const codes = generatorsThat(nameMatcher(term.text, term)).map((id) =>
        generatorIds.indexOf(id),
      )
      return withCodes(await source.column('generator'), codes)
    }
    case 'seed': {
      const seed = BigInt(term.text).toString()
      return source.matches(
        `seed ${seed}`,
        (restrict) => sql`
        SELECT image AS id FROM image_properties
        WHERE seed = ${seed} AND ${restrict('image')}`,
      )
    }
    case 'board':
    case 'group':
      return withCodes(await source.column('board'), await boardsLike(db, term))
    case 'like':
    case 'color':
      return new IdSet(await source.like({ ...term, key: term.key }))
    case 'prompt':
      return inText(source, 'prompt', term)
    case 'negative':
      return inText(source, 'negative_prompt', term)
    case 'name':
      return inText(source, 'file_name', term)
  }
}

const inText = async (
  { texts }: SearchSource,
  text: 'prompt' | 'negative_prompt' | 'file_name',
  term: TextTerm,
): Promise<IdSet> => {
  // A closed phrase matches no longer words.
  const { words } = parseQuery(term.isExact ? `"${term.text}"` : term.text)
  if (words.length === 0) return new IdSet()
  return texts({ in: text, of: { and: words.map(({ plain }) => plain) } })
}

/** Returns the ids of the names that match a condition. */
const valuesLike = async (
  db: Db,
  property: NamedProperty,
  term: Pick<TextTerm, 'text' | 'isExact'>,
): Promise<number[]> => {
  const matches = nameMatcher(commonSpelling(property, term), term)
  return (await valueNames(db, property)).filter(({ value }) => matches(value)).map(({ id }) => id)
}

/** Names are stored in their common spelling. Parts of a name have none. */
const commonSpelling = (
  property: NamedProperty,
  { text, isExact }: Pick<TextTerm, 'text' | 'isExact'>,
): string => {
  switch (property) {
    case 'model':
    case 'lora':
      return isExact ? plainModelName(text) : text
    case 'sampler':
      return commonSampling({ sampler: text, scheduler: null }).sampler ?? text
    case 'scheduler':
      return commonSampling({ sampler: null, scheduler: text }).scheduler ?? text
    default:
      return text
  }
}

/** Returns the boards whose name, or one of whose groups, matches. `Clients/Acme` is in the group `Clients`. */
const boardsLike = async (db: Db, term: TextTerm): Promise<number[]> => {
  const matches = nameMatcher(term.text, term)
  const boards = await db
    .selectFrom('boards')
    .select(['id', 'board_name'])
    .where('id', '!=', UNCATEGORIZED)
    .where('deleted_at', 'is', null)
    .execute()
  const namesOf = (name: string): string[] => {
    if (term.key === 'board') return [name]
    const parts = name.split('/').map((part) => part.trim())
    return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'))
  }
  return boards.filter(({ board_name }) => namesOf(board_name).some(matches)).map(({ id }) => id)
}

/**
 * Returns the ids of the tags whose words and signs match. The words of `people/anna` are those of both levels.
 * `tag=people/` also finds the tags below `people`. null: all tags.
 */
const tagsLike = async (db: Db, term: Pick<TextTerm, 'text' | 'isExact'> | null) => {
  const isExact = term === null || term.isExact || !hasWordsOrSigns(term.text)
  const isLike =
    term === null ? sql`TRUE` : isExact ? hasTagKey(tagKey(term.text)) : mayMatchTag(term.text)
  const matches = isExact ? () => true : tagMatcher(term.text)
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM tags WHERE gone_by IS NULL AND ${isLike}`.execute(db)
  return rows.filter(({ name }) => matches(name)).map(({ id }) => id)
}

const hasWordsOrSigns = (text: string): boolean =>
  nameTokens(text).length > 0 || signedText(text) !== null

const hasTagKey = (key: string) =>
  key.length > 1 && key.endsWith('/')
    ? // `0` comes after `/`.
      sql`(name_key = ${key.slice(0, -1)} OR (name_key > ${key} AND name_key < ${`${key.slice(0, -1)}0`}))`
    : sql`name_key = ${key}`

/** The factor from the unit of a search to that of the column. */
const factors: Partial<Record<ColumnName, number>> = { cfg: 1000, duration: 1000 }

const evaluateRange = async (source: SearchSource, term: RangeTerm): Promise<IdSet> => {
  const { key, min, max } = term
  const offset = key === 'date' || key === 'added' ? TIME_OFFSET : 0
  const storedOf = (value: number) => rounded(value * (factors[key] ?? 1)) + offset
  const from = min === null ? 0 : storedOf(min)
  const to = max === null ? Number.MAX_SAFE_INTEGER : storedOf(max)
  const first = term.isMinExcluded && min !== null ? Math.floor(from) + 1 : Math.ceil(from)
  const last = term.isMaxExcluded && max !== null ? Math.ceil(to) - 1 : Math.floor(to)
  return within(await source.column(key), first, last)
}

/** Removes the errors of binary fractions. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

const evaluateChoice = async (source: SearchSource, term: ChoiceTerm): Promise<IdSet> => {
  const { db } = source
  const flagged = async (flag: number) => withFlag(await source.column('flags'), flag)
  switch (`${term.key}:${term.choice}`) {
    case 'is:starred':
      return new IdSet(await starredIds(db))
    case 'is:animated':
      return flagged(flags.animated)
    case 'kind:video':
      return flagged(flags.video)
    case 'kind:image':
      return (await flagged(flags.video)).not(await lastId(db))
    case 'has:prompt':
      return flagged(flags.prompt)
    case 'has:workflow':
      return flagged(flags.workflow)
    case 'has:sound':
      return flagged(flags.sound)
    case 'has:model':
    case 'has:camera':
      return within(await source.column(term.choice as 'model'), 0, Number.MAX_SAFE_INTEGER)
    case 'has:board':
      return within(await source.column('board'), UNCATEGORIZED + 1, Number.MAX_SAFE_INTEGER)
    case 'has:tag':
      return withTags(await source.tags(), await tagsLike(db, null))
    case 'has:lora':
      return source.matches(
        'any lora',
        (restrict) => sql`
        SELECT DISTINCT image AS id FROM image_loras WHERE ${restrict('image')}`,
      )
    case 'has:seed':
      return source.matches(
        'any seed',
        (restrict) => sql`
        SELECT image AS id FROM image_properties
        WHERE seed IS NOT NULL AND ${restrict('image')}`,
      )
  }
  if (term.key === 'shape')
    return withCodes(await source.column('shape'), [shapes.indexOf(term.choice as 'square')])
  const codes = mediaTypes.flatMap((mediaType, code) =>
    typeNames[mediaType] === term.choice ? [code] : [],
  )
  return withCodes(await source.column('type'), codes)
}

/** Returns the images whose values are from `first` to `last`. Columns contain each value plus 1. */
const within = (column: Column, first: number, last: number): IdSet => {
  const bits = new Uint32Array((column.length >>> 5) + 1)
  const [from, to] = [Math.max(first + 1, 1), last + 1]
  for (let id = 0; id < column.length; id += 1) {
    const value = column[id] ?? 0
    if (value >= from && value <= to) bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31))
  }
  return IdSet.ofBits(bits)
}

const withCodes = (column: Column, codes: readonly number[]): IdSet => {
  const isWanted = new Uint8Array(codes.reduce((most, code) => Math.max(most, code), 0) + 2)
  for (const code of codes) isWanted[code + 1] = 1
  const bits = new Uint32Array((column.length >>> 5) + 1)
  for (let id = 0; id < column.length; id += 1)
    if (isWanted[column[id] ?? 0] === 1) bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31))
  return IdSet.ofBits(bits)
}

/** Returns the images that have one of the tags. */
const withTags = (pairs: Uint32Array, tags: readonly number[]): IdSet => {
  const isWanted = new Uint8Array(tags.reduce((most, tag) => Math.max(most, tag), 0) + 1)
  for (const tag of tags) isWanted[tag] = 1
  let last = 0
  for (let at = 0; at < pairs.length; at += 2) last = Math.max(last, pairs[at] ?? 0)
  const bits = new Uint32Array((last >>> 5) + 1)
  for (let at = 0; at < pairs.length; at += 2) {
    const image = pairs[at] ?? 0
    if (isWanted[pairs[at + 1] ?? 0] === 1)
      bits[image >>> 5] = (bits[image >>> 5] ?? 0) | (1 << (image & 31))
  }
  return IdSet.ofBits(bits)
}

const withFlag = (column: Column, flag: number): IdSet => {
  const bits = new Uint32Array((column.length >>> 5) + 1)
  for (let id = 0; id < column.length; id += 1) {
    const value = column[id] ?? 0
    if (value > 0 && ((value - 1) & flag) !== 0)
      bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31))
  }
  return IdSet.ofBits(bits)
}
