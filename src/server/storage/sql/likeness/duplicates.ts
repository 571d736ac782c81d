import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type {
  DismissedGroup,
  DuplicateGroup,
  ResolvedGroup,
  ResolveResult,
} from '#contract/likeness/duplicates.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { FINGERPRINT_WORDS } from '#server/core/likeness/fingerprint.ts'
import { type Candidate, suggestKept } from '#server/core/likeness/suggest-kept.ts'
import { membersOf } from '#server/storage/likeness/join-groups.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { filterIds, IdSet } from '#server/storage/sql/id-set.ts'
import { listRecordsByIds } from '#server/storage/sql/images/image-records.ts'
import {
  boardIdsOf,
  isLive,
  type NamedImage,
  namedImages,
} from '#server/storage/sql/images/named-images.ts'
import { setRating, setStarred } from '#server/storage/sql/images/update-images.ts'
import { flags, mediaTypes } from '#server/storage/sql/properties/columns.ts'
import { starredIds } from '#server/storage/sql/search/evaluate-search.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { applyTags } from '#server/storage/sql/tags/apply-tags.ts'
import { trashImages } from '#server/storage/sql/trash/write-trash.ts'
import type { Read, ReadView, ViewReading, Write } from '#server/storage/sql/unit-types.ts'

/** The rows of the index of bytes. */
const IN_INDEX = sql`deleted_at IS NULL AND kind IN (0, 2)`
const PREFIX = sql`substr(content_hash, 1, 8)`

export const sameBytes: Read<'duplicates.sameBytes'> = async (db) => {
  const index = dialectOf(db).indexedBy('same_bytes')
  const { rows } = await sql<{ id: number; content_hash: Uint8Array }>`
    SELECT id, content_hash FROM images ${index} WHERE ${IN_INDEX} AND ${PREFIX} IN (
      SELECT ${PREFIX} FROM images ${index} WHERE ${IN_INDEX}
      GROUP BY ${PREFIX} HAVING count(*) > 1)`.execute(db)
  rows.sort((one, other) => one.id - other.id)
  const groups = Map.groupBy(rows, ({ content_hash }) => Buffer.from(content_hash).toString('hex'))
  const ids = [...groups.values()].flatMap((members) =>
    members.length < 2 ? [] : [members.length, ...members.map(({ id }) => id)],
  )
  return Uint32Array.from(ids)
}

/** All images and videos of galleries. */
const WHOLE: View = {
  ...{ orderBy: 'created_at', orderDir: 'DESC', starredFirst: false },
  ...{ kind: 'all', isIntermediate: false },
}

export const pictures: ReadView<'duplicates.pictures'> = async (reading) => {
  const { column, transfer } = reading
  const hashes = [await column('hash_high'), await column('hash_low')]
  const colors = [
    await column('colors_top'),
    await column('colors_middle'),
    await column('colors_bottom'),
  ]
  const columns = [...hashes, ...colors]
  const [widths, heights] = [await column('width'), await column('height')]
  const lengths = await column('duration')
  const [first = new Uint32Array()] = columns
  const all = (await reading.idsIn(WHOLE)).slice().sort()
  const ids = filterIds(all, (id) => (first[id] ?? 0) > 0)
  const words = new Uint32Array(ids.length * FINGERPRINT_WORDS)
  const ratios = new Int16Array(ids.length)
  const durations = new Uint32Array(ids.length)
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    for (let word = 0; word < FINGERPRINT_WORDS; word += 1)
      words[at * FINGERPRINT_WORDS + word] = (columns[word]?.[id] ?? 1) - 1
    ratios[at] = Math.round(1000 * Math.log2(((widths[id] ?? 2) - 1) / ((heights[id] ?? 2) - 1)))
    durations[at] = lengths[id] ?? 0
  }
  for (const { buffer } of [ids, words, ratios, durations]) transfer.push(buffer as ArrayBuffer)
  return { ids, words, ratios, durations }
}

interface Group {
  ids: readonly number[]
  kept: number
  reason: DuplicateGroup['reason']
  bytes: number
}

export const duplicatesPage: ReadView<'duplicates.page'> = async (
  reading,
  view,
  idGroups,
  { offset, limit },
) => {
  const isShown = new IdSet(await reading.idsIn(view))
  const isDismissed = await dismissedIn(reading.db)
  const candidateOf = await candidatesIn(reading)
  const groups: Group[] = []
  let imageCount = 0
  for (const members of membersOf(idGroups)) {
    const ids = [...members].filter((id) => isShown.has(id))
    if (ids.length < 2 || isDismissed(ids)) continue
    const candidates = ids.map(candidateOf)
    const { kept, reason } = suggestKept(candidates)
    const bytes = candidates.reduce((sum, each) => sum + each.bytes, -kept.bytes)
    groups.push({ ids, kept: kept.id, reason, bytes })
    imageCount += ids.length
  }
  groups.sort((one, other) => other.bytes - one.bytes || one.kept - other.kept)
  const page = groups.slice(offset, offset + limit)
  const records = await listRecordsByIds(
    reading.db,
    page.flatMap(({ ids }) => ids),
  )
  let read = 0
  const items = page.map(({ ids, kept, reason, bytes }): DuplicateGroup => {
    const images = records.slice(read, read + ids.length)
    read += ids.length
    const [keep] = images.splice(ids.indexOf(kept), 1)
    if (keep === undefined) throw new Error('A duplicate has no record.')
    images.sort((one, other) => (other.file_size ?? 0) - (one.file_size ?? 0))
    return { images: [keep, ...images], keep: keep.image_name, reason, bytes }
  })
  return {
    items,
    total: groups.length,
    image_count: imageCount,
    bytes: groups.reduce((sum, group) => sum + group.bytes, 0),
  }
}

/** Generators save PNG. JPEG comes from cameras, and the others mostly from conversions. */
const formats: Readonly<Record<string, number>> = {
  'image/png': 2,
  'image/tiff': 2,
  'image/jpeg': 1,
}

const candidatesIn = async ({ db, column }: ViewReading): Promise<(id: number) => Candidate> => {
  const [widths, heights] = [await column('width'), await column('height')]
  const [types, bytes] = [await column('type'), await column('bytes')]
  const [generators, marks] = [await column('generator'), await column('flags')]
  const boards = await column('board')
  const starred = new IdSet(await starredIds(db))
  return (id) => {
    const mark = (marks[id] ?? 1) - 1
    const kinds = [(generators[id] ?? 0) > 0, mark & flags.prompt, mark & flags.workflow]
    return {
      id,
      pixels: ((widths[id] ?? 1) - 1) * ((heights[id] ?? 1) - 1),
      metadata: kinds.filter(Boolean).length,
      format: formats[mediaTypes[(types[id] ?? 0) - 1] ?? ''] ?? 0,
      isStarred: starred.has(id),
      isOnBoard: (boards[id] ?? 1) - 1 !== UNCATEGORIZED,
      bytes: (bytes[id] ?? 1) - 1,
    }
  }
}

/** Returns whether all images of a group are in one dismissed set. */
const dismissedIn = async (db: Db): Promise<(ids: readonly number[]) => boolean> => {
  const sets = await db.selectFrom('dismissed_duplicates').select('image_names').execute()
  const names = sets.map(({ image_names }): string[] => JSON.parse(image_names))
  const rows = await db
    .selectFrom('images')
    .select(['id', 'image_name'])
    .where(isOneOf(db, 'image_name', [...new Set(names.flat())]))
    .execute()
  const idOf = new Map(rows.map(({ id, image_name }) => [image_name, id]))
  const setsById = new Map<number, Set<number>>()
  for (const [at, members] of names.entries())
    for (const name of members) {
      const id = idOf.get(name)
      if (id !== undefined) setsById.set(id, (setsById.get(id) ?? new Set()).add(at))
    }
  return (ids) => {
    const [first = -1, ...others] = ids
    for (const set of setsById.get(first) ?? [])
      if (others.every((id) => setsById.get(id)?.has(set))) return true
    return false
  }
}

export const resolveDuplicates: Write<'duplicates.resolve'> = async (db, now, groups) => {
  const names = groups.flatMap(({ keep, image_names }) => [keep, ...image_names])
  const live = new Map(
    (await namedImages(db, names)).filter(isLive).map((image) => [image.image_name, image]),
  )
  const known = groups.filter(({ keep }) => live.has(keep))
  const others = known.flatMap(({ image_names }) => image_names.filter((name) => live.has(name)))
  const isStarred = (name: string) => live.get(name)?.starred === 1
  const stars = known.flatMap(({ keep, image_names }) =>
    !isStarred(keep) && image_names.some(isStarred) ? [keep] : [],
  )
  const changed = await setStarred(db, now, stars, true)
  const isOther = new Set(others)
  const rated = await raiseRatings(db, now, known, live)
  const tagged = await addTagsOfOthers(db, now, known, isOther)
  const trashed = await trashImages(db, now, others)
  const done = new Set([...others, ...known.map(({ keep }) => keep)])
  const marked = [changed, ...rated, ...tagged].flatMap(({ image_names }) => image_names)
  const boards = boardIdsOf(marked.flatMap((name) => live.get(name) ?? []))
  return {
    affected_boards: [...new Set([...boards, ...trashed.affected_boards])],
    trashed_images: trashed.trashed_images,
    starred_images: changed.image_names,
    previous_ratings: rated,
    added_tags: tagged,
    failed_images: names.filter((name) => !done.has(name)),
  }
}

/** Returns the ratings that kept images had before. */
const raiseRatings = async (
  db: Db,
  now: number,
  groups: readonly ResolvedGroup[],
  live: ReadonlyMap<string, NamedImage>,
): Promise<ResolveResult['previous_ratings']> => {
  const raised = Map.groupBy(groups, ({ keep, image_names }) =>
    Math.max(...[keep, ...image_names].map((name) => live.get(name)?.rating ?? 0)),
  )
  const previous: ResolveResult['previous_ratings'] = []
  for (const [rating, higher] of raised) {
    const names = higher.map(({ keep }) => keep)
    previous.push(...(await setRating(db, now, names, rating)).previous)
  }
  return previous
}

/** Returns the tags that kept images got. */
const addTagsOfOthers = async (
  db: Db,
  now: number,
  groups: readonly ResolvedGroup[],
  isOther: ReadonlySet<string>,
): Promise<ResolveResult['added_tags']> => {
  // SQLite reads the tables of a CROSS JOIN in this order.
  const { rows } = await sql<{ image_name: string; name: string }>`
    SELECT image_name, tags.name FROM images CROSS JOIN image_tags CROSS JOIN tags
    WHERE ${isOneOf(db, 'image_name', [...isOther])} AND image_tags.image = images.id
      AND tags.id = image_tags.tag AND tags.gone_by IS NULL`.execute(db)
  const keepOf = new Map(
    groups.flatMap(({ keep, image_names }) => image_names.map((name) => [name, keep])),
  )
  const added: ResolveResult['added_tags'] = []
  for (const [tag, images] of Map.groupBy(rows, ({ name }) => name)) {
    const names = new Set(images.flatMap(({ image_name }) => keepOf.get(image_name) ?? []))
    const tags = { add: [tag], remove: [] }
    const applied = await applyTags(db, now, [...names], tags, { maxTags: Number.MAX_SAFE_INTEGER })
    if (applied !== 'too_many_tags') added.push(...applied.added)
  }
  return added
}

const setsOf = (groups: readonly DismissedGroup[]) => {
  const sets = groups.map(({ image_names: names }) => {
    const image_names = JSON.stringify([...new Set(names)].sort())
    return { image_names, set_key: createHash('sha256').update(image_names).digest('hex') }
  })
  return new Map(sets.map((set) => [set.set_key, set]))
}

export const dismissDuplicates: Write<'duplicates.dismiss'> = async (db, _now, groups) => {
  const sets = setsOf(groups)
  const known = await db
    .selectFrom('dismissed_duplicates')
    .select('set_key')
    .where(isOneOf(db, 'set_key', [...sets.keys()]))
    .execute()
  for (const { set_key } of known) sets.delete(set_key)
  if (sets.size > 0)
    await db
      .insertInto('dismissed_duplicates')
      .values([...sets.values()])
      .execute()
}

export const undismissDuplicates: Write<'duplicates.undismiss'> = async (db, _now, groups) => {
  await db
    .deleteFrom('dismissed_duplicates')
    .where(isOneOf(db, 'set_key', [...setsOf(groups).keys()]))
    .execute()
}
