import type { ImageUrls } from './image.ts'
import { pathOf } from './operation.ts'

/** Paths of the files of an image. */
export const imagePaths = {
  full: '/api/v1/images/i/{image_name}/full',
  thumbnail: '/api/v1/images/i/{image_name}/thumbnail',
} as const

/** Returns the URLs of an image, relative to the server and without a leading slash, as in InvokeAI's API. */
export const imageUrls = (imageName: string): ImageUrls => ({
  image_name: imageName,
  image_url: pathOf({ path: imagePaths.full }, { image_name: imageName }).slice(1),
  thumbnail_url: pathOf({ path: imagePaths.thumbnail }, { image_name: imageName }).slice(1),
})
