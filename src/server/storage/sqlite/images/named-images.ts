import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/storage/sqlite/tables.ts'

/** What a change needs to know of an image: its key, and the board that will look different. */
export interface NamedImage {
  id: number
  image_name: string
  board: number
  /** `none` for uncategorized. */
  board_id: string
  isTrashed: boolean
}

/** A list as one bound value, which no limit on the number of variables cuts. */
export const each = <T extends string | number>(values: readonly T[]): RawBuilder<T> =>
  sql<T>`(SELECT value FROM json_each(${JSON.stringify(values)}))`

const IMAGES_A_STATEMENT = 500

/**
 * Changes images some hundred at a time, within the transaction. Until a statement ends, SQLite keeps every page that
 * it changes in memory once more: 350 MB for 10,000 images all over a large library, which the process then keeps.
 */
export const inParts = async (
  ids: readonly number[],
  change: (part: RawBuilder<number>) => Promise<unknown>,
): Promise<void> => {
  const ascending = ids.toSorted((one, other) => one - other)
  for (let from = 0; from < ids.length; from += IMAGES_A_STATEMENT)
    await change(each(ascending.slice(from, from + IMAGES_A_STATEMENT)))
}

/** The images that there are among these names, in the trash or not, each once. */
export const namedImages = async (db: Db, imageNames: readonly string[]): Promise<NamedImage[]> => {
  const rows = await selectNamed(db).where('images.image_name', 'in', each(imageNames)).execute()
  return rows.map(namedImageOf)
}

/** Those outside the trash. */
export const namedLiveImages = async (db: Db, imageNames: readonly string[]) =>
  (await namedImages(db, imageNames)).filter((image) => !image.isTrashed)

/**
 * Everything on a board outside the trash, intermediates included, newest first.
 *
 * @param maxCount - Reads so many and no more, the intermediates last: only this order has an index.
 */
export const liveImagesOn = async (
  db: Db,
  board: number,
  maxCount?: number,
): Promise<NamedImage[]> => {
  const rows = await selectNamed(db)
    .where('images.is_intermediate', 'in', [0, 1])
    .where('images.board', '=', board)
    .where('images.deleted_at', 'is', null)
    .$if(maxCount !== undefined, (query) => query.orderBy('images.is_intermediate'))
    .orderBy('images.created_at', 'desc')
    .orderBy('images.id', 'desc')
    .$if(maxCount !== undefined, (query) => query.limit(maxCount ?? 0))
    .execute()
  return rows.map(namedImageOf)
}

const selectNamed = (db: Db) =>
  db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .select(['images.id', 'image_name', 'board', 'board_id', 'images.deleted_at'])

const namedImageOf = ({
  deleted_at,
  ...image
}: Omit<NamedImage, 'isTrashed'> & { deleted_at: number | null }): NamedImage => ({
  ...image,
  isTrashed: deleted_at !== null,
})

export const idsOf = (images: readonly NamedImage[]): number[] => images.map(({ id }) => id)
export const namesOf = (images: readonly NamedImage[]): string[] =>
  images.map(({ image_name }) => image_name)

/** The ids of the boards they are on, each once. */
export const boardIdsOf = (images: readonly NamedImage[]): string[] => [
  ...new Set(images.map(({ board_id }) => board_id)),
]

/** The names asked for that are not among these images, each once. */
export const missingNames = (asked: readonly string[], images: readonly NamedImage[]): string[] => {
  const there = new Set(namesOf(images))
  return [...new Set(asked)].filter((name) => !there.has(name))
}
