import type { ImageRecord } from '#contract/image.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import { getBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { getImageByUploadId, getImageRecord } from './image-records.ts'
import { IMAGES_PER_STATEMENT, insertImages, type PlacedImage } from './insert-images.ts'

type AddOutcome = { image: ImageRecord; isRepeat: boolean } | 'board_not_found'

/** Adds images one after the other. Each has a separate outcome, in the same order. */
export const addEach = async (
  db: Db,
  now: number,
  images: readonly NewImage[],
): Promise<AddOutcome[]> => {
  const outcomes: AddOutcome[] = []
  for (const image of images) outcomes.push(await addImage(db, now, image))
  return outcomes
}

const addImage = async (db: Db, now: number, image: NewImage): Promise<AddOutcome> => {
  const known = image.upload_id === null ? null : await getImageByUploadId(db, image.upload_id)
  if (known !== null) return { image: known, isRepeat: true }
  const board = await boardOf(db, image)
  if (board === null) return 'board_not_found'

  await insertImages(db, now, [{ image, board }])
  const record = await getImageRecord(db, image.image_name)
  if (record === null) throw new Error(`the row of ${image.image_name} is gone after its insert`)
  return { image: record, isRepeat: false }
}

export const addImages: Write<'images.addMany'> = async (db, now, images) => {
  const boards = new Map<string | null, number>()
  const placed: PlacedImage[] = []
  for (const image of images) {
    const board = boards.get(image.board_id) ?? (await boardOf(db, image))
    if (board === null) return 'board_not_found'
    boards.set(image.board_id, board)
    placed.push({ image, board })
  }
  for (const part of inParts(placed, IMAGES_PER_STATEMENT)) await insertImages(db, now, part)
  return placed.length
}

export const boardOf = async (db: Db, { board_id }: NewImage): Promise<number | null> =>
  board_id === null ? UNCATEGORIZED : getBoardKey(db, board_id)
