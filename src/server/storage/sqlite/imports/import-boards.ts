import type { BoardToImport } from '#server/core/imports/import-records.ts'
import { createBoard } from '#server/storage/sqlite/boards/write-boards.ts'
import { getImageByUploadId } from '#server/storage/sqlite/images/image-records.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

const findBoardByName = async (db: Db, boardName: string, nth = 0): Promise<string | null> => {
  const row = await db
    .selectFrom('boards')
    .select('board_id')
    .where('board_name', '=', boardName)
    .where('deleted_at', 'is', null)
    .where('id', '!=', 0)
    .orderBy('id')
    .limit(1)
    .offset(nth)
    .executeTakeFirst()
  return row?.board_id ?? null
}

const findBoardById = (db: Db, boardId: string) =>
  db
    .selectFrom('boards')
    .select(['board_id', 'deleted_at'])
    .where('board_id', '=', boardId)
    .executeTakeFirst()

/** Returns the oldest board with this name, including archived ones, or creates one. */
export const findOrCreateBoard = async (db: Db, now: number, boardName: string): Promise<string> =>
  (await findBoardByName(db, boardName)) ??
  (await createBoard(db, now, { board_name: boardName, board_visibility: 'shared' })).board_id

/** Finds a board of a source by its id, then by its name, or creates it. */
export const addSourceBoard = async (
  db: Db,
  now: number,
  board: BoardToImport,
): Promise<string> => {
  const { boardName, nth, createdAt, description, archived, starred, visibility } = board
  const sameId = board.boardId === undefined ? undefined : await findBoardById(db, board.boardId)
  if (sameId?.deleted_at === null) return sameId.board_id
  const known = await findBoardByName(db, boardName, nth)
  if (known !== null) return known
  const created = {
    board_name: boardName,
    board_visibility: visibility,
    ...(board.boardId !== undefined && sameId === undefined && { board_id: board.boardId }),
  }
  const { board_id } = await createBoard(db, now, created)
  await db
    .updateTable('boards')
    .set({
      created_at: createdAt,
      updated_at: createdAt,
      description,
      archived: archived ? 1 : 0,
      starred: starred ? 1 : null, // null, as for boards that were never starred
    })
    .where('board_id', '=', board_id)
    .execute()
  return board_id
}

/** Makes the image with this upload id the cover of a board, unless it already has one. */
export const setSourceCover = async (
  db: Db,
  _now: number,
  boardId: string,
  uploadId: string,
): Promise<void> => {
  const image = await getImageByUploadId(db, uploadId)
  if (image === null || image.board_id !== boardId) return
  await db
    .updateTable('boards')
    .set({ cover_image_name: image.image_name })
    .where('board_id', '=', boardId)
    .where('cover_image_name', 'is', null)
    .execute()
}
