import { sql } from 'kysely'
import type { ImageChanges } from '#contract/image.ts'
import { boardIdOf, getBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { noteAdditions } from '#server/storage/sql/boards/write-boards.ts'
import { codeOfCategory, flagOf } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { type Db, type Kind, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { getImageRecord } from './image-records.ts'
import { boardIdsOf, forEachPart, namedLiveImages, namesOf, setColumns } from './named-images.ts'

export const updateImage: Write<'images.update'> = async (db, now, imageName, changes) => {
  const { id } =
    (await db
      .updateTable('images')
      .set({ ...columnsOf(changes), updated_at: now })
      .where('image_name', '=', imageName)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()) ?? {}
  return id === undefined ? null : getImageRecord(db, imageName)
}

/** As in InvokeAI, an absent or null key leaves its column unchanged. */
const columnsOf = ({ image_category, session_id, is_intermediate, starred }: ImageChanges) => ({
  ...(image_category == null ? {} : { category: codeOfCategory(image_category) }),
  ...(session_id == null ? {} : { session_id }),
  ...(is_intermediate == null
    ? {}
    : { kind: sql<Kind>`(kind / 2) * 2 + ${flagOf(is_intermediate)}` }),
  ...(starred == null ? {} : { starred: flagOf(starred) }),
})

export const setStarred: Write<'images.setStarred'> = async (db, now, imageNames, starred) => {
  const images = await namedLiveImages(db, imageNames)
  const flag = starred ? 1 : 0
  await forEachPart(images, (ids) =>
    db
      .updateTable('images')
      .set({ starred: flag, updated_at: now })
      .where(isOneOf(db, 'id', ids))
      .where('starred', '!=', flag)
      .execute(),
  )
  return { affected_boards: boardIdsOf(images), image_names: namesOf(images) }
}

export const setRating: Write<'images.setRating'> = async (db, now, imageNames, rating) => {
  const live = await namedLiveImages(db, imageNames)
  const images = live.filter((image) => image.rating !== rating)
  await setColumns(db, images, { rating, updated_at: now })
  const previous = Map.groupBy(images, (image) => image.rating)
  return {
    affected_boards: boardIdsOf(images),
    rated_images: namesOf(images),
    previous: [...previous].map(([rating, before]) => ({ rating, image_names: namesOf(before) })),
  }
}

/** `none` is not a board here. */
export const addToBoard: Write<'images.addToBoard'> = async (db, now, imageNames, boardId) => {
  const board = await getBoardKey(db, boardId)
  if (board === null) return null
  const { affected_boards, image_names } = await move(db, now, imageNames, board)
  return { affected_boards, added_images: image_names, failed_images: [] }
}

/** As in InvokeAI, uncategorized images are also processed and listed. */
export const removeFromBoard: Write<'images.removeFromBoard'> = async (db, now, imageNames) => {
  const { affected_boards, image_names } = await move(db, now, imageNames, UNCATEGORIZED)
  return { affected_boards, removed_images: image_names, failed_images: [] }
}

const move = async (db: Db, now: number, imageNames: readonly string[], board: number) => {
  const images = await namedLiveImages(db, imageNames)
  if (images.length === 0) return { affected_boards: [], image_names: [] }
  await forEachPart(images, (ids) =>
    db
      .updateTable('images')
      // A board restored from the trash gets back only images that were not moved in the meantime.
      .set({ board, left_board: null, updated_at: now })
      .where(isOneOf(db, 'id', ids))
      .where((row) => row.or([row('board', '!=', board), row('left_board', 'is not', null)]))
      .execute(),
  )
  if (images.some((image) => image.board !== board)) await noteAdditions(db, now, [board])
  const target = await boardIdOf(db, board)
  return {
    affected_boards: [...new Set([target, ...boardIdsOf(images)])],
    image_names: namesOf(images),
  }
}
