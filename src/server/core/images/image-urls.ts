import type { ImageUrls } from '#contract/image.ts'
import { imagePaths } from '#contract/image-paths.ts'
import { pathOf } from '#contract/operation.ts'

/** Where an image is served, relative to the server and without a leading slash (wire 0). */
export const imageUrls = (imageName: string): ImageUrls => ({
  image_name: imageName,
  image_url: pathOf({ path: imagePaths.full }, { image_name: imageName }).slice(1),
  thumbnail_url: pathOf({ path: imagePaths.thumbnail }, { image_name: imageName }).slice(1),
})
