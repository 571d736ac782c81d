import { sql } from 'kysely'
import { boardIdOf, getBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { removeBoardRow } from '#server/storage/sql/boards/write-boards.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import {
  boardIdsOf,
  forEachPart,
  isLive,
  liveImagesOn,
  missingNames,
  namedImages,
  namesOf,
  setColumns,
} from '#server/storage/sql/images/named-images.ts'
import { removeRows } from '#server/storage/sql/images/remove-images.ts'
import { UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'

/**
 * Images already in the trash are unchanged and listed, so that a repeated request succeeds. In the trash an
 * uncategorized image is on the trashed board that it remembers, so that the trash shows where it comes from.
 */
export const trashImages: Write<'trash.trashImages'> = async (
  db,
  now,
  imageNames,
  options = {},
) => {
  const images = await namedImages(db, imageNames)
  const live = images.filter(isLive)
  const returns = options.undoesRestore ? sql`1 = 1` : sql`board = ${UNCATEGORIZED}`
  await forEachPart(live, async (ids) => {
    await sql`
      UPDATE images SET deleted_at = ${now},
        board = CASE WHEN ${returns} THEN coalesce(left_board, board) ELSE board END,
        left_board = CASE WHEN ${returns} THEN NULL ELSE left_board END
      WHERE ${isOneOf(db, 'id', ids)}`.execute(db)
  })
  return {
    affected_boards: boardIdsOf(live),
    trashed_images: namesOf(images),
    trashed_boards: [],
    kept_images: [],
    failed_images: missingNames(imageNames, images),
  }
}

/** The images remember their board, whether they are trashed or kept. */
export const trashBoard: Write<'trash.trashBoard'> = async (db, now, boardId, options) => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const { maxImages = Number.MAX_SAFE_INTEGER - 1 } = options
  const next = await liveImagesOn(db, board, maxImages + 1)
  const images = next.slice(0, maxImages)
  const isLast = images.length === next.length
  const keepsImages = options.images === 'keep'
  const change = keepsImages ? { board: UNCATEGORIZED } : { deleted_at: now }
  await setColumns(db, images, { left_board: board, ...change })
  if (isLast) {
    await db.updateTable('boards').set({ deleted_at: now }).where('id', '=', board).execute()
  }
  const uncategorized = await boardIdOf(db, UNCATEGORIZED)
  return {
    affected_boards: keepsImages && images.length > 0 ? [boardId, uncategorized] : [boardId],
    trashed_images: keepsImages ? [] : namesOf(images),
    trashed_boards: isLast ? [boardId] : [],
    kept_images: keepsImages ? namesOf(images) : [],
    failed_images: [],
  }
}

export const purgeTrash: Write<'trash.purge'> = async (db, _now, before) => {
  const images = await db
    .selectFrom('images')
    .select('id')
    .where('deleted_at', '<', before)
    .execute()
  await removeRows(db, images)
  const boards = await db
    .selectFrom('boards')
    .select('id')
    .where('deleted_at', '<', before)
    .execute()
  for (const { id } of boards) await removeBoardRow(db, id)
  return { deleted_images: images.length, deleted_boards: boards.length }
}
