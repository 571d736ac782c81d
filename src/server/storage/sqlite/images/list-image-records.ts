import type { ImageRecord } from '#contract/image.ts'
import { type PackedRows, readPacked } from '#server/storage/sqlite/packed-rows.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { imageRecordOf } from './image-record-of.ts'
import { each } from './named-images.ts'

const selectRecords = (db: Db) =>
  db
    .selectFrom('images')
    .innerJoin('boards', 'boards.id', 'images.board')
    .selectAll('images')
    .select('boards.board_id')

/** One record, in the trash or not. */
export const getImageRecord = async (db: Db, imageName: string): Promise<ImageRecord | null> => {
  const row = await selectRecords(db).where('images.image_name', '=', imageName).executeTakeFirst()
  return row === undefined ? null : imageRecordOf(row)
}

/** Records in the order of these ids. */
export const listRecordsByIds = async (db: Db, ids: readonly number[]): Promise<ImageRecord[]> => {
  const rows = await selectRecords(db).where('images.id', 'in', each(ids)).execute()
  const records = new Map(rows.map((row) => [row.id, imageRecordOf(row)]))
  return ids.flatMap((id) => records.get(id) ?? [])
}

/** Records in the order of these names: unknown names are left out, repeats are repeated. */
export const listRecordsByNames = (db: Db, imageNames: readonly string[]): Promise<PackedRows> =>
  readPacked(imageNames, async (part) => {
    const rows = await selectRecords(db).where('images.image_name', 'in', each(part)).execute()
    const records = new Map(rows.map((row) => [row.image_name, imageRecordOf(row)]))
    return part.flatMap((name) => records.get(name) ?? [])
  })
