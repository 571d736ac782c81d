import type { FileMark } from '#server/core/imports/import-records.ts'
import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { hashesHere } from './hashes-here.ts'
import { hashesOfUnchanged } from './imported-files.ts'

type LookedFor = FileMark & { uploadId: string | null; imageName: string | null }

/** For each file, in order, whether an import can skip it. */
export const areKnown = async (db: Db, files: readonly LookedFor[]): Promise<boolean[]> => {
  const recorded = await recordedAmong(db, files)
  const hashes = await hashesOfUnchanged(db, files)
  const here = await hashesHere(
    db,
    hashes.filter((hash) => hash !== null),
  )
  return files.map(({ uploadId, imageName }, at) => {
    if (uploadId !== null) return recorded.has(uploadId) || recorded.has(imageName ?? '')
    const hash = hashes[at] ?? null
    return hash !== null && here.has(hash)
  })
}

/** The given upload IDs and names that an image has, in the trash or not. */
const recordedAmong = async (db: Db, files: readonly LookedFor[]): Promise<ReadonlySet<string>> => {
  const uploadIds = files.flatMap(({ uploadId }) => uploadId ?? [])
  if (uploadIds.length === 0) return new Set()
  const names = files.flatMap(({ imageName }) => imageName ?? [])
  const byId = await db
    .selectFrom('images')
    .select('upload_id')
    .where('upload_id', 'in', each(uploadIds))
    .execute()
  const byName = await db
    .selectFrom('images')
    .select('image_name')
    .where('image_name', 'in', each(names))
    .execute()
  return new Set([
    ...byId.map((row) => row.upload_id ?? ''),
    ...byName.map((row) => row.image_name),
  ])
}

/** Those of these names that an image or a deleted image has. */
export const takenNames = async (db: Db, imageNames: readonly string[]): Promise<string[]> => {
  const images = await db
    .selectFrom('images')
    .select('image_name')
    .where('image_name', 'in', each(imageNames))
    .execute()
  const deleted = await db
    .selectFrom('tombstones')
    .select('image_name')
    .where('image_name', 'in', each(imageNames))
    .execute()
  return [...images, ...deleted].map(({ image_name }) => image_name)
}
