import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The keys of tags have signs, so that `C#`, `C++` and `C` are three tags. */
export const signsInTagKeys: Migration = {
  async up(db: Kysely<Tags>) {
    const tags = await db.selectFrom('tags').select(['id', 'name', 'name_key']).execute()
    const changed = tags.filter(({ name, name_key }) => tagKey(name) !== name_key)
    for (let at = 0; at < changed.length; at += ROWS_PER_STEP) {
      const step = changed.slice(at, at + ROWS_PER_STEP)
      const keys = JSON.stringify(step.map(({ id, name }) => [id, tagKey(name)]))
      await sql`
        UPDATE tags SET name_key = given.value ->> 1
        FROM json_array_elements(${keys}::json) AS given (value)
        WHERE tags.id = (given.value ->> 0)::bigint`.execute(db)
    }
  },
}

interface Tags {
  tags: { id: number; name: string; name_key: string }
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
