import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import type { Board, BoardChanges, BoardVisibility } from '#contract/board.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import {
  liveImagesOn,
  namedImages,
  namesOf,
  setColumns,
} from '#server/storage/sql/images/named-images.ts'
import { removeRows } from '#server/storage/sql/images/remove-images.ts'
import { type BoardsTable, type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { getBoard, getBoardKey } from './read-boards.ts'

export const updateBoard: Write<'boards.update'> = async (db, now, boardId, changes) => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const columns = columnsOf(changes)
  const cover = columns.cover_image_name
  const isOtherKind = cover != null && isVideoName(cover) === (changes.cover_image_name != null)
  // An image in the trash too: it is the cover again when it is restored.
  if (isOtherKind || (cover != null && (await namedImages(db, [cover])).length === 0))
    return 'cover_image_not_found'

  if (Object.keys(columns).length > 0 || changes.is_private != null)
    await db
      .updateTable('boards')
      .set({ ...columns, updated_at: now })
      .where('id', '=', board)
      .execute()
  if (changes.board_visibility == null && changes.is_private != null)
    await setPrivate(db, board, changes.is_private)
  if (columns.board_name !== undefined)
    await dialectOf(db).indexBoard(db, board, columns.board_name)
  return getBoard(db, boardId)
}

/** As in InvokeAI, an absent or null key leaves its column unchanged. An empty cover or position removes it. */
const columnsOf = (changes: BoardChanges): Updateable<BoardsTable> => ({
  ...(changes.board_name == null ? {} : { board_name: changes.board_name }),
  ...coverOf(changes.cover_image_name ?? changes.cover_video_name),
  ...(changes.archived == null ? {} : { archived: changes.archived ? 1 : 0 }),
  ...(changes.board_visibility == null ? {} : { board_visibility: changes.board_visibility }),
  ...(changes.description == null ? {} : { description: changes.description }),
  ...(changes.starred == null ? {} : { starred: changes.starred ? 1 : 0 }),
  ...(changes.position == null ? {} : { position: changes.position || null }),
})

const coverOf = (name: string | null | undefined): Updateable<BoardsTable> =>
  name == null ? {} : { cover_image_name: name || null }

/** A public board is not private, so `is_private: false` leaves it public. */
const setPrivate = async (db: Db, board: number, isPrivate: boolean): Promise<void> => {
  await db
    .updateTable('boards')
    .set({ board_visibility: isPrivate ? 'private' : 'shared' })
    .where('id', '=', board)
    .$if(!isPrivate, (query) => query.where('board_visibility', '=', 'private'))
    .execute()
}

/** Creates a board, with a new id unless one is given. Names may be empty or repeated. */
export const createBoard = async (
  db: Db,
  now: number,
  board: { board_name: string; board_visibility: BoardVisibility; board_id?: string },
): Promise<Board> => {
  const { board_id = randomUUID() } = board
  const { id } = await db
    .insertInto('boards')
    .values({ ...board, board_id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await dialectOf(db).indexBoard(db, id, board.board_name)
  const created = await getBoard(db, board_id)
  if (created === null) throw new Error(`board ${board_id} is not there after its insert`)
  return created
}

/** Stores that images were added to boards now. */
export const noteAdditions = async (
  db: Db,
  now: number,
  boards: readonly number[],
): Promise<void> => {
  // All images change the row of the uncategorized board, and no list shows it.
  const added = [...new Set(boards)].filter((board) => board !== UNCATEGORIZED)
  if (added.length === 0) return
  await db
    .updateTable('boards')
    .set({ last_added_at: now })
    .where(isOneOf(db, 'id', added))
    .execute()
}

/** With `keep`, the images become uncategorized. */
export const removeBoard: Write<'boards.remove'> = async (db, now, boardId, options) => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const images = await liveImagesOn(db, board)
  if (options.images === 'delete') await removeRows(db, images)
  else await setColumns(db, images, { board: UNCATEGORIZED, left_board: null, updated_at: now })
  await removeBoardRow(db, board)

  const isDeleted = options.images === 'delete'
  const videos = namesOf(images).filter(isVideoName)
  const pictures = namesOf(images).filter((name) => !isVideoName(name))
  return {
    board_id: boardId,
    deleted_board_images: isDeleted ? [] : pictures,
    deleted_images: isDeleted ? pictures : [],
    deleted_board_videos: isDeleted ? [] : videos,
    deleted_videos: isDeleted ? videos : [],
    failed_images: [],
    failed_videos: [],
  }
}

/** Removes the row of a board and all references to it. Its images in the trash stay there, uncategorized. */
export const removeBoardRow = async (db: Db, board: number): Promise<void> => {
  await db
    .updateTable('images')
    .set({ board: UNCATEGORIZED })
    .where('board', '=', board)
    .where('deleted_at', 'is not', null)
    .execute()
  await db.updateTable('images').set({ left_board: null }).where('left_board', '=', board).execute()
  await db.deleteFrom('image_counts').where('board', '=', board).execute()
  await dialectOf(db).indexBoard(db, board, null)
  await db.deleteFrom('boards').where('id', '=', board).execute()
}
