import type { ImageToExport } from '#server/core/export-ports.ts'
import { categories, origins } from '#server/storage/sqlite/codes.ts'
import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

const selectShown = (db: Db, boardIds: readonly string[] | null) =>
  db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .where('images.deleted_at', 'is', null)
    .where('images.is_intermediate', '=', 0)
    .$if(boardIds !== null, (query) => query.where('boards.board_id', 'in', each(boardIds ?? [])))

/** In order of arrival, those behind `after`. */
export const imagesToExport = async (
  db: Db,
  after: number,
  limit: number,
  boardIds: readonly string[] | null,
): Promise<ImageToExport[]> => {
  const rows = await selectShown(db, boardIds)
    .leftJoin('image_metadata', 'image_metadata.image', 'images.id')
    .selectAll('images')
    .select(['boards.board_id', 'invokeai', 'workflow', 'graph'])
    .where('images.id', '>', after)
    .orderBy('images.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    image_name: row.image_name,
    board_id: row.board_id,
    file_name: row.file_name,
    file_size: row.file_size,
    media_type: row.media_type,
    content_hash: Buffer.from(row.content_hash).toString('hex'),
    starred: row.starred === 1,
    image_category: categories[row.category] ?? 'other',
    image_origin: origins[row.origin] ?? 'external',
    created_at: row.created_at,
    taken_at: row.taken_at,
    session_id: row.session_id,
    node_id: row.node_id,
    invokeai: row.invokeai,
    workflow: row.workflow,
    graph: row.graph,
  }))
}

export const countToExport = async (
  db: Db,
  boardIds: readonly string[] | null,
): Promise<number> => {
  const { n } = await selectShown(db, boardIds)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
