import { sql } from 'kysely'
import {
  boardIdOf,
  getViewedBoardKey,
  namedBoards,
} from '#server/storage/sql/boards/read-boards.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import {
  boardIdsOf,
  forEachPart,
  isLive,
  type NamedImage,
  namedImages,
  namesOf,
} from '#server/storage/sql/images/named-images.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'

/** Boards come first, so that an image restored together with its board is put on it. */
export const restore: Write<'trash.restore'> = async (db, _now, what) => {
  // Boards outside the trash too: a board is trashed in parts, so some of its images may have left it.
  const boards = await namedBoards(db, what.boardIds)
  const affected = new Set<string>()
  const restored = new Set<string>()
  const returned = new Set<string>()
  for (const board of boards) {
    const images = await restoreBoard(db, board.id, what.maxImagesOfBoard)
    if (board.deleted_at !== null || images.count > 0) affected.add(board.board_id)
    for (const boardId of images.left) affected.add(boardId)
    for (const name of images.restored) restored.add(name)
    for (const name of images.returned) returned.add(name)
  }
  const images = await restoreImages(db, what.imageNames)
  for (const boardId of boardIdsOf(images)) affected.add(boardId)
  for (const name of namesOf(images)) restored.add(name)
  return {
    affected_boards: [...affected],
    restored_images: [...restored],
    restored_boards: boards.flatMap((board) => (board.deleted_at === null ? [] : board.board_id)),
    returned_images: [...returned],
    images_by_board: byBoard(images),
  }
}

/**
 * An image that is still on the board was trashed with it, or separately before; only in the first case does it
 * remember the board. An uncategorized image was kept, or restored separately in the meantime.
 */
const restoreBoard = async (db: Db, board: number, maxImages = Number.MAX_SAFE_INTEGER) => {
  const leftFrom = (on: number, limit: number) =>
    db
      .selectFrom('images')
      .select('id')
      .where('left_board', '=', board)
      .where('board', '=', on)
      .limit(limit)
  await db.updateTable('boards').set({ deleted_at: null }).where('id', '=', board).execute()
  const restored = await db
    .updateTable('images')
    .set({ deleted_at: null, left_board: null })
    .where('id', 'in', leftFrom(board, maxImages))
    .returning('image_name')
    .execute()
  const returned = await db
    .updateTable('images')
    .set({ board, left_board: null })
    .where('id', 'in', leftFrom(UNCATEGORIZED, maxImages - restored.length))
    .returning(['image_name', 'deleted_at'])
    .execute()
  const live = returned.filter(({ deleted_at }) => deleted_at === null)
  return {
    count: restored.length + returned.length,
    restored: restored.map(({ image_name }) => image_name),
    returned: live.map(({ image_name }) => image_name),
    left: live.length > 0 ? [await boardIdOf(db, UNCATEGORIZED)] : [],
  }
}

export const restoreTo: Write<'trash.restoreTo'> = async (db, _now, boardId, imageNames) => {
  const target = await getViewedBoardKey(db, boardId)
  if (target === null) return null
  const images = await restoreImages(db, imageNames, target)
  return {
    affected_boards: boardIdsOf(images),
    restored_images: namesOf(images),
    restored_boards: [],
    returned_images: [],
    images_by_board: byBoard(images),
  }
}

const byBoard = (images: readonly NamedImage[]) =>
  [...Map.groupBy(images, ({ board_id }) => board_id)].map(([board_id, onBoard]) => ({
    board_id,
    image_names: namesOf(onBoard),
  }))

/**
 * Images whose board is in the trash become uncategorized, and return when the board is restored. Images that are
 * restored to another board remember theirs, for an undo.
 */
const restoreImages = async (
  db: Db,
  imageNames: readonly string[],
  target?: number,
): Promise<NamedImage[]> => {
  const trashed = (await namedImages(db, imageNames)).filter((image) => !isLive(image))
  await forEachPart(trashed, async (ids) => {
    const leaves =
      target === undefined
        ? sql`board IN (SELECT id FROM boards WHERE deleted_at IS NOT NULL)`
        : sql`board <> ${target}`
    await sql`
      UPDATE images SET left_board = board, board = ${target ?? UNCATEGORIZED}
      WHERE ${isOneOf(db, 'id', ids)} AND ${leaves}`.execute(db)
    // An image on its own board no longer needs to remember it.
    await sql`
      UPDATE images SET deleted_at = NULL, left_board = nullif(left_board, board)
      WHERE ${isOneOf(db, 'id', ids)}`.execute(db)
  })
  return namedImages(db, namesOf(trashed))
}
