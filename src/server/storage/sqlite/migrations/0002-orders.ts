import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The orders by date taken, by name and by size.
 *
 * Their sort values are separate columns, because SQLite cannot use an index of an expression or of a generated
 * column as a covering index. Each order has one index per board and one for all boards, starred images first. The
 * order without stars merges the two halves.
 */
export const orders: Migration = {
  async up(db: Kysely<Named>) {
    await sql`ALTER TABLE images ADD COLUMN dated_at INTEGER NOT NULL DEFAULT 0`.execute(db)
    await sql`ALTER TABLE images ADD COLUMN name_key TEXT NOT NULL DEFAULT ''`.execute(db)
    await fillColumns(db)
    for (const [name, column] of Object.entries(orderColumns)) {
      await createIndex(db, `board_${name}`, `board, starred DESC, ${column}`)
      await createIndex(db, `all_${name}`, `starred DESC, ${column}`)
    }
  },
}

interface Named {
  images: { id: number; image_name: string; file_name: string | null }
}

const orderColumns = { taken: 'dated_at', name: 'name_key', size: 'file_size' }

const createIndex = (db: Kysely<Named>, name: string, columns: string) =>
  sql
    .raw(
      `CREATE INDEX ${name} ON images (is_intermediate, ${columns} DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL`,
    )
    .execute(db)

/** Number of names in memory at once. */
const ROWS_PER_STEP = 10_000

const fillColumns = async (db: Kysely<Named>): Promise<void> => {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('images')
      .select(['id', 'image_name', 'file_name'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_PER_STEP)
      .execute()
    const end = rows.at(-1)
    if (end === undefined) return
    const keys = JSON.stringify(rows.map((row) => [row.id, nameKeyOf(row)]))
    await sql`
      UPDATE images SET dated_at = coalesce(taken_at, created_at), name_key = given.value ->> 1
      FROM json_each(${keys}) AS given WHERE images.id = given.value ->> 0`.execute(db)
    last = end.id
  }
}

/** The sort key of a name when this migration was released. */
const nameKeyOf = (image: { file_name: string | null; image_name: string }): string =>
  (image.file_name || image.image_name)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(
      /0*(\d{1,99})/g,
      (_, digits: string) => String(digits.length).padStart(2, '0') + digits,
    )
