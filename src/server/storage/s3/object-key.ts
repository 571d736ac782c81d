import { Refusal } from '#server/core/refusal.ts'
import { imageFolder } from '#server/storage/disk/image-path.ts'

/** A folder of objects, below the prefix of the store: the same as in a data folder. */
export type ObjectFolder = 'images' | `thumbnails/${number}`

/**
 * Builds the key of an object. All keys of images and thumbnails must be built here, because this check keeps names
 * from reaching other objects of the bucket.
 *
 * @throws {Refusal} `image_not_found` for anything but a name that this server generates.
 */
export const objectKey = (prefix: string, folder: ObjectFolder, imageName: string): string => {
  const digits = imageFolder(imageName)
  if (digits === null) throw new Refusal('image_not_found')
  return `${prefix}${folder}/${digits}/${imageName}${folder === 'images' ? '' : '.webp'}`
}
