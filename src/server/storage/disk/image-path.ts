import { join } from 'node:path'
import { isImageName } from '#server/core/name-table.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Length of an id in an image name, without the extension. */
const ID_LENGTH = 36

/** The last two digits of the id, which are evenly distributed. null: not an image name. */
export const imageFolder = (imageName: string): string | null =>
  isImageName(imageName) ? imageName.slice(ID_LENGTH - 2, ID_LENGTH) : null

/** Returns the image name at the end of a longer file name, or null. */
export const imageNameAtEnd = (fileName: string): string | null => {
  const imageName = fileName.slice(Math.max(0, fileName.lastIndexOf('.') - ID_LENGTH))
  return imageFolder(imageName) === null ? null : imageName
}

/**
 * Builds the path of a stored file. All stored paths must be built here, because this check prevents path traversal.
 *
 * @throws {Refusal} `image_not_found` for anything but a name that this server generates.
 */
export const imagePath = (root: string, imageName: string, fileName = imageName): string => {
  const folder = imageFolder(imageName)
  if (folder === null) throw new Refusal('image_not_found')
  return join(root, folder, fileName)
}

export const imageFolders: readonly string[] = Array.from({ length: 256 }, (_, index) =>
  index.toString(16).padStart(2, '0'),
)
