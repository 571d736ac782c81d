import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The keys of tags have signs, so that `C#`, `C++` and `C` are three tags. */
export const signsInTagKeys: Migration = {
  async up(db: Kysely<Tags>) {
    const tags = await db
      .selectFrom('tags')
      .select(['id', 'name', 'name_key', 'color', 'gone_by'])
      .orderBy('id')
      .execute()
    await mergeSame(
      db,
      tags.filter(({ gone_by }) => gone_by === null),
    )
    const changed = tags.filter(({ name, name_key }) => tagKey(name) !== name_key)
    for (let at = 0; at < changed.length; at += ROWS_PER_STEP) {
      const step = changed.slice(at, at + ROWS_PER_STEP)
      const keys = JSON.stringify(step.map(({ id, name }) => [id, tagKey(name)]))
      await sql`
        UPDATE tags SET name_key = given.value ->> 1
        FROM json_each(${keys}) AS given WHERE tags.id = given.value ->> 0`.execute(db)
    }
  },
}

interface Tag {
  id: number
  name: string
  name_key: string
  color: string | null
  gone_by: string | null
}

interface Tags {
  tags: Tag
}

/** Tags of signs alone, such as `…` and `...`, were two and are one now. The first one gets the images of the others. */
const mergeSame = async (db: Kysely<Tags>, tags: readonly Tag[]): Promise<void> => {
  const firstByKey = new Map<string, number>()
  for (const { id, name, color } of tags) {
    const key = tagKey(name)
    const first = firstByKey.get(key)
    if (first === undefined) {
      firstByKey.set(key, id)
      continue
    }
    await sql`
      INSERT INTO image_tags (image, tag)
      SELECT image, ${sql.lit(first)} FROM image_tags WHERE tag = ${id}
      ON CONFLICT DO NOTHING`.execute(db)
    await sql`UPDATE tags SET color = coalesce(color, ${color}) WHERE id = ${first}`.execute(db)
    await sql`DELETE FROM image_tags WHERE tag = ${id}`.execute(db)
    await sql`DELETE FROM tags WHERE id = ${id}`.execute(db)
  }
}

const ROWS_PER_STEP = 10_000

const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{M}+/gu

/** The key of a tag when this migration was released. */
const tagKey = (name: string): string =>
  name
    .split('/')
    .map((level) => levelKey(level) || level)
    .join('/')

const levelKey = (level: string): string =>
  level
    .normalize('NFKD')
    .replace(ACCENTS, '$1')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/["\s]+/g, ' ')
    .trim()
    .replaceAll('/', '\u2044')
