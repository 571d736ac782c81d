import type { Updateable } from 'kysely'
import { ALL_KINDS } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { inParts } from '#server/storage/sql/packed-rows.ts'
import type { Db, Flag, ImagesTable } from '#server/storage/sql/tables.ts'

export interface NamedImage {
  id: number
  image_name: string
  board: number
  /** `none` for uncategorized. */
  board_id: string
  deleted_at: number | null
  starred: Flag
  rating: number
}

const IMAGES_PER_STATEMENT = 500

/**
 * Applies a change to some hundred images at a time, within one transaction. Until a statement ends, SQLite holds a
 * second copy of every changed page in memory: 350 MB for 10,000 images scattered over a large library, which the
 * process does not return to the system.
 */
export const forEachPart = async (
  images: readonly { id: number }[],
  change: (ids: readonly number[]) => Promise<unknown>,
): Promise<void> => {
  const ascending = images.map(({ id }) => id).sort((one, other) => one - other)
  for (const ids of inParts(ascending, IMAGES_PER_STATEMENT)) await change(ids)
}

export const setColumns = (
  db: Db,
  images: readonly { id: number }[],
  columns: Updateable<ImagesTable>,
): Promise<void> =>
  forEachPart(images, (ids) =>
    db
      .updateTable('images')
      .set(columns)
      .where(isOneOf(db, 'id', ids))
      .execute(),
  )

/** Returns the existing images with these names, including those in the trash, each once. */
export const namedImages = (db: Db, imageNames: readonly string[]): Promise<NamedImage[]> =>
  selectNamed(db)
    .where(isOneOf(db, 'images.image_name', imageNames))
    .execute()

/** Like `namedImages`, but without those in the trash. */
export const namedLiveImages = async (db: Db, imageNames: readonly string[]) =>
  (await namedImages(db, imageNames)).filter(isLive)

/**
 * Returns the images and videos of a board, also intermediate ones, newest first. Given `maxCount`, one kind comes after
 * the other, because only this order has an index.
 */
export const liveImagesOn = (db: Db, board: number, maxCount?: number): Promise<NamedImage[]> =>
  selectNamed(db)
    .where('images.kind', 'in', ALL_KINDS)
    .where('images.board', '=', board)
    .where('images.deleted_at', 'is', null)
    .$if(maxCount !== undefined, (query) => query.orderBy('images.kind'))
    .orderBy('images.created_at', 'desc')
    .orderBy('images.id', 'desc')
    .$if(maxCount !== undefined, (query) => query.limit(maxCount ?? 0))
    .execute()

const selectNamed = (db: Db) =>
  db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .select(['images.id', 'image_name', 'board', 'board_id', 'images.deleted_at'])
    .select(['images.starred', 'rating'])

export const isLive = ({ deleted_at }: NamedImage): boolean => deleted_at === null

export const namesOf = (images: readonly NamedImage[]): string[] =>
  images.map(({ image_name }) => image_name)

/** Returns the distinct ids of the boards of these images. */
export const boardIdsOf = (images: readonly NamedImage[]): string[] => [
  ...new Set(images.map(({ board_id }) => board_id)),
]

/** Returns the requested names without an image, each once. */
export const missingNames = (asked: readonly string[], images: readonly NamedImage[]): string[] => {
  const there = new Set(namesOf(images))
  return [...new Set(asked)].filter((name) => !there.has(name))
}
