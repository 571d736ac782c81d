import { sql } from 'kysely'
import type { Board } from '#contract/board.ts'
import type { TrashOrder } from '#contract/trash-operations.ts'
import { boardOf, selectBoards } from '#server/storage/sql/boards/read-boards.ts'
import { isVideoKind } from '#server/storage/sql/codes.ts'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import { listRecordsByIds } from '#server/storage/sql/images/image-records.ts'
import { type Db, type Kind, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'
import { columnOf } from '#server/storage/sql/views/order.ts'
import { kindsOf } from '#server/storage/sql/views/selection.ts'

const indexes = {
  deleted_at: 'trashed',
  created_at: 'trashed_created',
  taken_at: 'trashed_dated',
  name: 'trashed_name',
  size: 'trashed_size',
} as const satisfies Record<TrashOrder, string>

/** Lists a part of the images in the trash, and all of its boards. */
export const trashPage: Read<'trash.page'> = async (db, window) => {
  const { limit, offset, orderBy = 'deleted_at', orderDir = 'DESC' } = window
  const kinds = kindsOf(window)
  const column = orderBy === 'deleted_at' ? orderBy : columnOf({ by: orderBy })
  const direction = orderDir === 'ASC' ? sql`ASC` : sql`DESC`
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM images ${dialectOf(db).indexedBy(indexes[orderBy])}
    WHERE deleted_at IS NOT NULL AND kind IN (${sql.join(kinds)}) ORDER BY ${sql.ref(column)} ${direction}, id ${direction}
    LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const counts = await db
    .selectFrom('images')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('n')])
    .where('deleted_at', 'is not', null)
    .where('kind', 'in', kinds)
    .groupBy('kind')
    .execute()
  const totalOf = (some: typeof counts) => some.reduce((sum, { n }) => sum + Number(n), 0)
  const total = totalOf(counts)
  const video_total = totalOf(counts.filter(({ kind }) => isVideoKind(kind)))
  const ids = rows.map(({ id }) => id)
  const items = await listRecordsByIds(db, ids)
  const size = window.includeSize ? { total_bytes: await trashedBytes(db, kinds) } : {}
  return { limit, offset, total, video_total, ...size, items, boards: await trashedBoards(db) }
}

const trashedBytes = async (db: Db, kinds: readonly Kind[]): Promise<number> => {
  const { rows } = await sql<{ bytes: number | string | null }>`
    SELECT sum(file_size) AS bytes FROM images
    WHERE deleted_at IS NOT NULL AND kind IN (${sql.join(kinds)})`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** A board in the trash has no images, so it is shown with those that would be restored with it. */
const trashedBoards = async (db: Db): Promise<Board[]> => {
  const returningOf = (kind: Kind) => sql`FROM images
    WHERE left_board = boards.id AND board IN (boards.id, ${UNCATEGORIZED}) AND kind = ${kind}`
  const returning = returningOf(0)
  const rows = await selectBoards(db)
    .select([
      sql<string | null>`(SELECT image_name ${returning} ORDER BY id DESC LIMIT 1)`.as('cover'),
      sql<number>`(SELECT count(*) ${returning})`.as('image_count'),
      sql<number>`(SELECT count(*) ${returning} AND category != 0)`.as('asset_count'),
      sql<number>`(SELECT count(*) ${returningOf(2)})`.as('video_count'),
      sql<null>`NULL`.as('video_cover'),
    ])
    .where('boards.deleted_at', 'is not', null)
    .orderBy('boards.deleted_at', 'desc')
    .orderBy('boards.id', 'desc')
    .execute()
  return rows.map(boardOf)
}
