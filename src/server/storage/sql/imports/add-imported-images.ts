import type { NewImage } from '#server/core/images/image-ports.ts'
import type { ImportOutcome } from '#server/core/imports/import-records.ts'
import { boardOf } from '#server/storage/sql/images/add-images.ts'
import { getImageByUploadId } from '#server/storage/sql/images/image-records.ts'
import { insertImages, type PlacedImage } from '#server/storage/sql/images/insert-images.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Write } from '#server/storage/sql/unit-types.ts'
import { findKnownHashes, rememberFiles } from './known-files.ts'

export const addImportedImages: Write<'imports.add'> = async (db, now, files) => {
  const hashes = files.flatMap(({ image }) => (image?.upload_id === null ? image.content_hash : []))
  const here = new Set(await findKnownHashes(db, hashes))
  const placed: PlacedImage[] = []
  const outcomes: ImportOutcome[] = []
  for (const { image } of files) {
    const place = image === null ? 'known' : await placeOf(db, image, here)
    outcomes.push(typeof place === 'string' ? place : 'added')
    if (typeof place === 'string') continue
    placed.push(place)
    here.add(place.image.upload_id ?? place.image.content_hash)
    if (!place.image.is_intermediate) here.add(place.image.content_hash)
  }
  if (placed.length > 0) await insertImages(db, now, placed)
  const marks = files.flatMap(({ mark }, at) =>
    outcomes[at] === 'board_not_found' ? [] : (mark ?? []),
  )
  await rememberFiles(db, marks)
  return outcomes
}

const placeOf = async (
  db: Db,
  image: NewImage,
  here: ReadonlySet<string>,
): Promise<PlacedImage | 'known' | 'board_not_found'> => {
  const isKnown =
    image.upload_id === null
      ? here.has(image.content_hash)
      : here.has(image.upload_id) || (await getImageByUploadId(db, image.upload_id)) !== null
  if (isKnown) return 'known'
  const board = await boardOf(db, image)
  return board === null ? 'board_not_found' : { image, board }
}
