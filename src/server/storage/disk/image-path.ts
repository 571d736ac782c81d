import { join } from 'node:path'
import { isImageName } from '#server/core/name-table.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Characters of an id, before the extension. */
const ID_LENGTH = 36

/** The folder of an image: the last two digits of its id, which are spread evenly. null: not an image name. */
export const imageFolder = (imageName: string): string | null =>
  isImageName(imageName) ? imageName.slice(ID_LENGTH - 2, ID_LENGTH) : null

/** The name of an image at the end of a longer file name, or null. */
export const imageNameAtEnd = (fileName: string): string | null => {
  const imageName = fileName.slice(Math.max(0, fileName.lastIndexOf('.') - ID_LENGTH))
  return imageFolder(imageName) === null ? null : imageName
}

/**
 * The one place where a stored path is built from an image's name.
 *
 * @throws {Refusal} `image_not_found` for whatever is not exactly a name that this server gives.
 */
export const imagePath = (root: string, imageName: string, fileName = imageName): string => {
  const folder = imageFolder(imageName)
  if (folder === null) throw new Refusal('image_not_found')
  return join(root, folder, fileName)
}

/** The names of all folders that images lie in. */
export const imageFolders: readonly string[] = Array.from({ length: 256 }, (_, index) =>
  index.toString(16).padStart(2, '0'),
)
