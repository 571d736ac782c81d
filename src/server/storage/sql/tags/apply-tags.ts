import { sql } from 'kysely'
import { tagKey } from '#contract/search/tag-names.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import {
  boardIdsOf,
  forEachPart,
  type NamedImage,
  namedLiveImages,
  namesOf,
} from '#server/storage/sql/images/named-images.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'

interface LiveTag {
  id: number
  name: string
}

export const applyTags: Write<'tags.apply'> = async (db, now, imageNames, tags, { maxTags }) => {
  const adding = new Map(tags.add.map((name) => [tagKey(name), name]))
  const removing = tags.remove.map(tagKey).filter((key) => !adding.has(key))
  const images = await namedLiveImages(db, imageNames)
  const keys = [...adding.keys(), ...removing]
  const known = await liveTags(db, keys)
  const missing = images.length === 0 ? [] : [...adding].filter(([key]) => !known.has(key))
  if (!(await hasRoom(db, missing.length, { maxTags, keys }))) return 'too_many_tags'
  await addTags(db, now, new Map(missing))
  await respell(db, adding, known)
  const added = await liveTags(db, [...adding.keys()])

  const byId = new Map(images.map((image) => [image.id, image]))
  const changed = new Set<NamedImage>()
  const apply = async (tag: LiveTag | undefined, change: typeof attach) => {
    if (tag === undefined) return []
    const found: NamedImage[] = []
    await forEachPart(images, async (ids) => {
      for (const { image } of await change(db, tag.id, ids)) {
        const known = byId.get(image)
        if (known !== undefined) found.push(known)
      }
    })
    for (const image of found) changed.add(image)
    return found.length === 0 ? [] : [{ tag: tag.name, image_names: namesOf(found) }]
  }
  const result = { added: [], removed: [] } as Record<
    'added' | 'removed',
    { tag: string; image_names: string[] }[]
  >
  for (const key of new Set(removing)) result.removed.push(...(await apply(known.get(key), detach)))
  for (const key of adding.keys()) result.added.push(...(await apply(added.get(key), attach)))
  const used = [...adding.keys()].flatMap((key) => added.get(key)?.id ?? [])
  if (result.added.length > 0) await noteUse(db, now, used)
  return { affected_boards: boardIdsOf([...changed]), ...result }
}

type Change = (db: Db, tag: number, ids: readonly number[]) => Promise<{ image: number }[]>

/** Returns the images that did not have the tag. */
const attach: Change = async (db, tag, ids) => {
  const images = dialectOf(db).rows(
    ['integer'],
    ids.map((id) => [id]),
  )
  const { rows } = await sql<{ image: number }>`
    INSERT INTO image_tags (image, tag) SELECT c0, ${sql.lit(tag)} FROM ${images} AS given WHERE true
    ON CONFLICT DO NOTHING RETURNING image`.execute(db)
  return rows
}

/** Returns the images that had the tag. */
const detach: Change = (db, tag, ids) =>
  db
    .deleteFrom('image_tags')
    .where('tag', '=', tag)
    .where(isOneOf(db, 'image', ids))
    .returning('image')
    .execute()

const noteUse = async (db: Db, now: number, ids: readonly number[]): Promise<void> => {
  await db
    .updateTable('tags')
    .set({ used_at: now })
    .where(isOneOf(db, 'id', ids))
    .execute()
}

/** Returns the tags with these keys, by key. */
export const liveTags = async (
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, LiveTag>> => {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'name', 'name_key'])
    .where(isOneOf(db, 'name_key', keys))
    .where('gone_by', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name, name_key }) => [name_key, { id, name }]))
}

/** Gives tags without images and color the spelling of the request. */
const respell = async (
  db: Db,
  spellings: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, LiveTag>,
): Promise<void> => {
  for (const [key, { id, name }] of known) {
    const spelling = spellings.get(key)
    if (spelling === undefined || spelling === name) continue
    await db
      .updateTable('tags')
      .set({ name: spelling })
      .where('id', '=', id)
      .where('color', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('image_tags').select('image').where('tag', '=', id))),
      )
      .execute()
  }
}

/** Returns true if so many tags may be added. If there are too many, deletes tags without images, except those with `keys`. */
export const hasRoom = async (
  db: Db,
  added: number,
  { maxTags, keys }: { maxTags: number; keys: readonly string[] },
): Promise<boolean> => {
  if (added === 0 || (await countTags(db)) + added <= maxTags) return true
  await sql`
    DELETE FROM tags WHERE gone_by IS NULL AND color IS NULL
      AND NOT ${isOneOf(db, 'name_key', keys)}
      AND NOT EXISTS (SELECT 1 FROM image_tags WHERE tag = tags.id)`.execute(db)
  return (await countTags(db)) + added <= maxTags
}

const countTags = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM tags WHERE gone_by IS NULL`.execute(db)
  return rows[0]?.n ?? 0
}

const ROWS_PER_STATEMENT = 1_000

/** Adds tags. Their keys must be new. */
export const addTags = async (
  db: Db,
  now: number,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  const rows = [...names].map(([name_key, name]) => ({ name, name_key, used_at: now }))
  for (const part of inParts(rows, ROWS_PER_STATEMENT))
    await db.insertInto('tags').values(part).execute()
}

/** Adds the tags of new images. */
export const insertTags = async (
  db: Db,
  now: number,
  images: readonly { id: number; tags: readonly string[] }[],
): Promise<void> => {
  const names = new Map<string, string>()
  for (const { tags } of images)
    for (const name of tags) if (!names.has(tagKey(name))) names.set(tagKey(name), name)
  if (names.size === 0) return
  const known = await liveTags(db, [...names.keys()])
  await addTags(db, now, new Map([...names].filter(([key]) => !known.has(key))))
  const ids = await liveTags(db, [...names.keys()])
  const pairs = images.flatMap(({ id, tags }) =>
    [...new Set(tags.map(tagKey))].flatMap((key) => {
      const tag = ids.get(key)?.id
      return tag === undefined ? [] : { image: id, tag }
    }),
  )
  for (const part of inParts(pairs, ROWS_PER_STATEMENT))
    await db.insertInto('image_tags').values(part).execute()
}
