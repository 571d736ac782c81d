import { namedBoards } from '#server/storage/sql/boards/read-boards.ts'
import { createBoard } from '#server/storage/sql/boards/write-boards.ts'
import { getImageByUploadId } from '#server/storage/sql/images/image-records.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'

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

export const findOrCreateBoard: Write<'imports.boardNamed'> = async (db, now, boardName) =>
  (await findBoardByName(db, boardName)) ??
  (await createBoard(db, now, { board_name: boardName, board_visibility: 'shared' })).board_id

export const addSourceBoard: Write<'imports.addBoard'> = async (db, now, board) => {
  const { boardName, nth, createdAt, description, archived, starred, visibility, position } = board
  const [sameId] = board.boardId === undefined ? [] : await namedBoards(db, [board.boardId])
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
      position,
    })
    .where('board_id', '=', board_id)
    .execute()
  return board_id
}

export const setSourceCover: Write<'imports.setCover'> = async (db, _now, boardId, uploadId) => {
  const image = await getImageByUploadId(db, uploadId)
  if (image === null || image.board_id !== boardId) return
  await db
    .updateTable('boards')
    .set({ cover_image_name: image.image_name })
    .where('board_id', '=', boardId)
    .where('cover_image_name', 'is', null)
    .execute()
}
