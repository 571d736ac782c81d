import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type {
  DismissedGroup,
  DuplicateGroup,
  ResolvedGroup,
  ResolveResult,
} from '#contract/likeness/duplicates.ts'
import { TRASH_DAYS } from '#contract/limits.ts'
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
  namedLiveImages,
} from '#server/storage/sql/images/named-images.ts'
import { setRating, setStarred } from '#server/storage/sql/images/update-images.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import { flags, mediaTypes } from '#server/storage/sql/properties/columns.ts'
import { starredIds } from '#server/storage/sql/search/evaluate-search.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { applyTags } from '#server/storage/sql/tags/apply-tags.ts'
import { restore } from '#server/storage/sql/trash/restore.ts'
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
  const known = await resolutionsOf(
    db,
    groups.flatMap(({ resolve_id }) => resolve_id ?? []),
  )
  const fresh = groups.filter(({ resolve_id }) => !known.has(resolve_id ?? ''))
  const { resolutions, affected_boards, failed_images } = await resolveEach(db, now, fresh)
  const stored = fresh.flatMap(({ resolve_id, keep }) => {
    const resolution = resolutions.get(keep)
    return resolve_id && resolution ? { resolve_id, at: now, undo: JSON.stringify(resolution) } : []
  })
  await forgetResolutions(db, now - KEPT_MS)
  for (const part of inParts(stored, ROWS_PER_STATEMENT))
    await db.insertInto('duplicate_resolutions').values(part).execute()
  const all = [...known.values(), ...resolutions.values()]
  return {
    affected_boards,
    trashed_images: all.flatMap(({ trashed }) => trashed),
    starred_images: all.flatMap(({ keep, isStarred }) => (isStarred ? keep : [])),
    previous_ratings: ratingsIn(all),
    added_tags: tagsIn(all),
    failed_images: [...known.values()].flatMap(({ failed }) => failed).concat(failed_images),
  }
}

/** The trash keeps images as long. */
const KEPT_MS = TRASH_DAYS * 24 * 3_600_000

const ROWS_PER_STATEMENT = 1_000

/** The changes by the resolution of a group. */
interface Resolution {
  keep: string
  trashed: string[]
  failed: string[]
  /** True if the kept image got the star. */
  isStarred: boolean
  /** null: the kept image had the best rating. */
  rating: { before: number; after: number } | null
  /** Tags that the kept image got. */
  tags: string[]
}

const ratingsIn = (resolutions: readonly Resolution[]): ResolveResult['previous_ratings'] => {
  const rated = resolutions.flatMap(({ keep, rating }) => (rating ? { keep, ...rating } : []))
  return [...Map.groupBy(rated, ({ before }) => before)].map(([rating, images]) => ({
    rating,
    image_names: images.map(({ keep }) => keep),
  }))
}

const tagsIn = (resolutions: readonly Resolution[]): ResolveResult['added_tags'] => {
  const tagged = resolutions.flatMap(({ keep, tags }) => tags.map((tag) => ({ keep, tag })))
  return [...Map.groupBy(tagged, ({ tag }) => tag)].map(([tag, images]) => ({
    tag,
    image_names: images.map(({ keep }) => keep),
  }))
}

/** Returns resolutions by their IDs, the latest ones first. */
const resolutionsOf = async (
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Resolution>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('duplicate_resolutions')
    .select(['resolve_id', 'undo', 'at'])
    .where(isOneOf(db, 'resolve_id', ids))
    .execute()
  const resolutions = rows.map(({ undo, ...row }) => ({
    ...row,
    undo: JSON.parse(undo) as Resolution,
  }))
  const ratingAfter = ({ undo }: { undo: Resolution }) => undo.rating?.after ?? 0
  // Of the same millisecond, the one that raised the rating to a higher one is later.
  resolutions.sort((one, other) => other.at - one.at || ratingAfter(other) - ratingAfter(one))
  return new Map(resolutions.map(({ resolve_id, undo }) => [resolve_id, undo]))
}

const forgetResolutions = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('duplicate_resolutions').where('at', '<', before).execute()
}

/** Returns what was done to each group, by its kept image. Groups without a kept image are left as they are. */
const resolveEach = async (db: Db, now: number, groups: readonly ResolvedGroup[]) => {
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
  const starred = new Set((await setStarred(db, now, stars, true)).image_names)
  const rated = await raiseRatings(db, now, known, live)
  const tagged = await addTagsOfOthers(db, now, known, new Set(others))
  const moved = await trashImages(db, now, others)
  const trashed = new Set(moved.trashed_images)
  const resolutions = new Map(
    known.map(({ keep, image_names }): [string, Resolution] => [
      keep,
      {
        keep,
        trashed: image_names.filter((name) => trashed.has(name)),
        failed: image_names.filter((name) => !trashed.has(name)),
        isStarred: starred.has(keep),
        rating: rated.get(keep) ?? null,
        tags: tagged.get(keep) ?? [],
      },
    ]),
  )
  const marked = [...starred, ...rated.keys(), ...tagged.keys()]
  const boards = boardIdsOf(marked.flatMap((name) => live.get(name) ?? []))
  const done = new Set([...others, ...known.map(({ keep }) => keep)])
  return {
    resolutions,
    affected_boards: [...new Set([...boards, ...moved.affected_boards])],
    failed_images: names.filter((name) => !done.has(name)),
  }
}

/** Returns the ratings of kept images that got a higher one. */
const raiseRatings = async (
  db: Db,
  now: number,
  groups: readonly ResolvedGroup[],
  live: ReadonlyMap<string, NamedImage>,
): Promise<ReadonlyMap<string, NonNullable<Resolution['rating']>>> => {
  const raised = Map.groupBy(groups, ({ keep, image_names }) =>
    Math.max(...[keep, ...image_names].map((name) => live.get(name)?.rating ?? 0)),
  )
  const rated = new Map<string, NonNullable<Resolution['rating']>>()
  for (const [after, higher] of raised) {
    const names = higher.map(({ keep }) => keep)
    for (const { rating: before, image_names } of (await setRating(db, now, names, after)).previous)
      for (const name of image_names) rated.set(name, { before, after })
  }
  return rated
}

/** Returns the tags that kept images got. */
const addTagsOfOthers = async (
  db: Db,
  now: number,
  groups: readonly ResolvedGroup[],
  isOther: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string[]>> => {
  // SQLite reads the tables of a CROSS JOIN in this order.
  const { rows } = await sql<{ image_name: string; name: string }>`
    SELECT image_name, tags.name FROM images CROSS JOIN image_tags CROSS JOIN tags
    WHERE ${isOneOf(db, 'image_name', [...isOther])} AND image_tags.image = images.id
      AND tags.id = image_tags.tag AND tags.gone_by IS NULL`.execute(db)
  const keepOf = new Map(
    groups.flatMap(({ keep, image_names }) => image_names.map((name) => [name, keep])),
  )
  const added = new Map<string, string[]>()
  for (const [tag, images] of Map.groupBy(rows, ({ name }) => name)) {
    const names = new Set(images.flatMap(({ image_name }) => keepOf.get(image_name) ?? []))
    const tags = { add: [tag], remove: [] }
    const applied = await applyTags(db, now, [...names], tags, { maxTags: Number.MAX_SAFE_INTEGER })
    if (applied === 'too_many_tags') continue
    for (const { tag: name, image_names } of applied.added)
      for (const keep of image_names) added.set(keep, [...(added.get(keep) ?? []), name])
  }
  return added
}

export const unresolveDuplicates: Write<'duplicates.unresolve'> = async (db, now, resolveIds) => {
  const resolutions = [...(await resolutionsOf(db, resolveIds)).values()]
  await db
    .deleteFrom('duplicate_resolutions')
    .where(isOneOf(db, 'resolve_id', resolveIds))
    .execute()
  const imageNames = resolutions.flatMap(({ trashed }) => trashed)
  const restored = await restore(db, now, { imageNames, boardIds: [] })
  const kept = resolutions.map(({ keep }) => keep)
  const images = await namedLiveImages(db, [...kept, ...imageNames])
  const live = new Map(images.map((image) => [image.image_name, image]))
  // The marks of an image that no longer exists are only on the kept one.
  const undone = resolutions.filter(({ trashed }) => trashed.every((name) => live.has(name)))
  const stars = undone.flatMap(({ keep, isStarred }) =>
    isStarred && live.get(keep)?.starred === 1 ? keep : [],
  )
  const changed = new Set((await setStarred(db, now, stars, false)).image_names)
  const ratings = ratingsBefore(undone, live)
  for (const [rating, images] of Map.groupBy(ratings.keys(), (name) => ratings.get(name) ?? 0))
    for (const name of (await setRating(db, now, images, rating)).rated_images) changed.add(name)
  for (const { tag, image_names } of tagsIn(undone)) {
    const tags = { add: [], remove: [tag] }
    const applied = await applyTags(db, now, image_names, tags, { maxTags: 0 })
    if (applied === 'too_many_tags') continue
    for (const name of applied.removed.flatMap((each) => each.image_names)) changed.add(name)
  }
  const boards = boardIdsOf([...changed].flatMap((name) => live.get(name) ?? []))
  return {
    affected_boards: [...new Set([...boards, ...restored.affected_boards])],
    restored_images: restored.restored_images,
    images_by_board: restored.images_by_board,
    changed_images: [...changed],
  }
}

/** Returns the ratings of kept images before their resolutions, except of those that were rated since. */
const ratingsBefore = (
  resolutions: readonly Resolution[],
  live: ReadonlyMap<string, NamedImage>,
): ReadonlyMap<string, number> => {
  const ratings = new Map<string, number>()
  for (const { keep, rating } of resolutions) {
    const current = ratings.get(keep) ?? live.get(keep)?.rating
    if (rating !== null && rating.after === current) ratings.set(keep, rating.before)
  }
  return ratings
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
