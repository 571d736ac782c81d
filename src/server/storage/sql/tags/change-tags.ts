import { sql } from 'kysely'
import { MAX_TAG_LENGTH } from '#contract/limits.ts'
import { tagKey, tagLevels } from '#contract/search/tag-names.ts'
import type { TagColor } from '#contract/search/tags.ts'
import type { NewTagChange } from '#server/core/tags/tag-ports.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { addTags, hasRoom, liveTags } from './apply-tags.ts'

interface TagState {
  id: number
  name: string
  color: TagColor | null
}

/** The state of tags before a change, which an undo restores. */
interface TagUndo {
  /** The changed tags as they were. */
  tags: TagState[]
  merged: { tag: number; other: number }[]
}

export const updateTag: Write<'tags.update'> = async (db, now, name, changes, change) => {
  await forgetChanges(db, now - change.keptMs)
  const found = await tagsFrom(db, name)
  if (found.length === 0) return null
  const { newName, color } = changes
  // A level may have no images of its own, and gets a tag for its color.
  const keys = found.map((tag) => tagKey(tag.name))
  const added = color === undefined || keys.includes(tagKey(name)) ? 0 : 1
  if (!(await hasRoom(db, added, { maxTags: change.maxTags, keys }))) return 'too_many_tags'
  const undo: TagUndo = { tags: [], merged: [] }
  let count = 0
  if (newName !== undefined) {
    const depth = tagLevels(name).length
    const renamed = found.map((tag) => ({
      ...tag,
      name: [newName, ...tagLevels(tag.name).slice(depth)].join('/'),
    }))
    if (renamed.some((tag) => tag.name.length > MAX_TAG_LENGTH)) return 'invalid_tag'
    undo.tags.push(...found)
    undo.merged.push(...(await rename(db, renamed, change)))
    count = found.length
  }
  const current = newName ?? name
  const own = () => liveTags(db, [tagKey(current)])
  if (color !== undefined) {
    if ((await own()).size === 0) await addTags(db, now, new Map([[tagKey(current), current]]))
    const [tag] = [...(await own()).values()]
    if (tag !== undefined && !undo.tags.some(({ id }) => id === tag.id)) {
      undo.tags.push(...(await statesOf(db, [tag.id])))
      count += 1
    }
    await db
      .updateTable('tags')
      .set({ color })
      .where('id', '=', tag?.id ?? 0)
      .execute()
  }
  const [tag] = [...(await own()).values()]
  await storeChange(db, now, change, undo)
  return {
    change_id: change.changeId,
    name: tag?.name ?? current,
    tags: count,
    merged: undo.merged.length,
  }
}

/** Renames tags, and merges each with another one that has its new name. Returns the merged tags. */
const rename = async (
  db: Db,
  renamed: readonly TagState[],
  { changeId }: NewTagChange,
): Promise<TagUndo['merged']> => {
  // All names are free first: `a` may become `a/b` while `a/b` becomes `a/b/b`.
  await hide(
    db,
    renamed.map(({ id }) => id),
    changeId,
  )
  const others = await liveTags(
    db,
    renamed.map(({ name }) => tagKey(name)),
  )
  const merged = renamed.flatMap(({ id, name }) => {
    const other = others.get(tagKey(name))
    return other === undefined ? [] : [{ tag: id, other: other.id }]
  })
  const hidden = new Set(merged.map(({ tag }) => tag))
  for (const each of merged) await merge(db, each)
  await show(
    db,
    renamed.filter(({ id }) => !hidden.has(id)),
  )
  return merged
}

/** Gives the images of a hidden tag another one, and notes which had both. */
const merge = async (db: Db, { tag, other }: { tag: number; other: number }): Promise<void> => {
  await sql`
    UPDATE image_tags SET had_other = 1 WHERE tag = ${tag}
      AND image IN (SELECT image FROM image_tags WHERE tag = ${other})`.execute(db)
  await sql`
    INSERT INTO image_tags (image, tag)
    SELECT image, ${sql.lit(other)} FROM image_tags WHERE tag = ${tag} AND had_other = 0`.execute(
    db,
  )
  await noteLaterUse(db, tag, other)
}

const unmerge = async (db: Db, { tag, other }: { tag: number; other: number }): Promise<void> => {
  await sql`
    DELETE FROM image_tags WHERE tag = ${other}
      AND image IN (SELECT image FROM image_tags WHERE tag = ${tag} AND had_other = 0)`.execute(db)
  await sql`UPDATE image_tags SET had_other = 0 WHERE tag = ${tag} AND had_other = 1`.execute(db)
}

const noteLaterUse = async (db: Db, from: number, to: number): Promise<void> => {
  await sql`
    UPDATE tags SET used_at = (SELECT max(used_at) FROM tags WHERE id IN (${from}, ${to}))
    WHERE id = ${to}`.execute(db)
}

export const removeTag: Write<'tags.remove'> = async (db, now, name, change) => {
  await forgetChanges(db, now - change.keptMs)
  const tags = await tagsFrom(db, name)
  if (tags.length === 0) return null
  await hide(
    db,
    tags.map(({ id }) => id),
    change.changeId,
  )
  await storeChange(db, now, change, { tags, merged: [] })
  return { change_id: change.changeId, name, tags: tags.length, merged: 0 }
}

export const restoreTags: Write<'tags.restore'> = async (db, _now, changeId) => {
  const row = await db
    .deleteFrom('tag_changes')
    .where('change_id', '=', changeId)
    .returning('undo')
    .executeTakeFirst()
  if (row === undefined) return null
  const undo = JSON.parse(row.undo) as TagUndo
  for (const each of undo.merged.toReversed()) await unmerge(db, each)
  const ids = undo.tags.map(({ id }) => id)
  // Others deleted a tag since, or it had no images and made room.
  const left = await db
    .selectFrom('tags')
    .select('id')
    .where(isOneOf(db, 'id', ids))
    .where(({ eb, or }) => or([eb('gone_by', 'is', null), eb('gone_by', '=', changeId)]))
    .execute()
  const isLeft = new Set(left.map(({ id }) => id))
  const restored = undo.tags.filter(({ id }) => isLeft.has(id))
  await hide(
    db,
    restored.map(({ id }) => id),
    changeId,
  )
  await replaceNewer(db, restored)
  await show(db, restored)
  return undo.tags.length
}

/** Merges tags that were created in the meantime into the hidden tags with the same names. */
const replaceNewer = async (db: Db, hidden: readonly TagState[]): Promise<void> => {
  const newer = await liveTags(
    db,
    hidden.map(({ name }) => tagKey(name)),
  )
  for (const { id, name } of hidden) {
    const other = newer.get(tagKey(name))
    if (other === undefined) continue
    await sql`
      INSERT INTO image_tags (image, tag)
      SELECT image, ${sql.lit(id)} FROM image_tags WHERE tag = ${other.id}
      ON CONFLICT DO NOTHING`.execute(db)
    await noteLaterUse(db, other.id, id)
    await db.deleteFrom('tags').where('id', '=', other.id).execute()
  }
}

/** Tags without a name that others can take. */
const hide = async (db: Db, ids: readonly number[], changeId: string): Promise<void> => {
  await db
    .updateTable('tags')
    .set({ gone_by: changeId })
    .where(isOneOf(db, 'id', ids))
    .execute()
}

/** Gives hidden tags names and colors. */
const show = async (db: Db, tags: readonly TagState[]): Promise<void> => {
  const rows = tags.map(({ id, name, color }) => [id, name, tagKey(name), color])
  await sql`
    UPDATE tags SET name = given.c1, name_key = given.c2, color = given.c3, gone_by = NULL
    FROM ${dialectOf(db).rows(['integer', 'text', 'text', 'text'], rows)} AS given
    WHERE tags.id = given.c0`.execute(db)
}

/** Returns a tag and all levels below it. */
const tagsFrom = async (db: Db, name: string): Promise<TagState[]> => {
  const key = tagKey(name)
  // `0` comes after `/`.
  const { rows } = await sql<TagState>`
    SELECT id, name, color FROM tags
    WHERE gone_by IS NULL
      AND (name_key = ${key} OR (name_key > ${`${key}/`} AND name_key < ${`${key}0`}))
    ORDER BY name_key`.execute(db)
  return rows
}

const statesOf = (db: Db, ids: readonly number[]): Promise<TagState[]> =>
  db
    .selectFrom('tags')
    .select(['id', 'name', 'color'])
    .where(isOneOf(db, 'id', ids))
    .execute()

const storeChange = async (
  db: Db,
  now: number,
  { changeId }: NewTagChange,
  undo: TagUndo,
): Promise<void> => {
  const row = { change_id: changeId, at: now, undo: JSON.stringify(undo) }
  await db.insertInto('tag_changes').values(row).execute()
}

/** Forgets changes before a time, with the tags that only their undo needs. */
const forgetChanges = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('tag_changes').where('at', '<', before).execute()
  await sql`
    DELETE FROM tags WHERE gone_by IS NOT NULL
      AND gone_by NOT IN (SELECT change_id FROM tag_changes)`.execute(db)
}
