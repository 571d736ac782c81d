import { buffer } from 'node:stream/consumers'
import type { ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { imageFolder, imageFolders } from '#server/storage/disk/image-path.ts'
import { storedSizes, storedSizesOf } from '#server/storage/thumbnails/stored-sizes.ts'
import type { Bucket } from './bucket.ts'
import { listByFolder } from './list-by-folder.ts'
import { objectKey } from './object-key.ts'

/** Opens the thumbnails of a bucket: `thumbnails/<size>/<two digits>/<name>.webp`. */
export const openS3ThumbnailFiles = (bucket: Bucket): ThumbnailFiles => {
  const keyOf = (imageName: string, sizePx: number) =>
    objectKey(bucket.prefix, `thumbnails/${sizePx}`, imageName)

  return {
    write: async (imageName, sizePx, webp) =>
      bucket.put(keyOf(imageName, sizePx), webp, 'image/webp'),

    duplicate: async (imageName, copyName) => {
      await Promise.all(
        storedSizesOf(imageName).map((size) =>
          bucket.copy(keyOf(imageName, size), keyOf(copyName, size)),
        ),
      )
    },

    read: async (imageName, sizePx) => bucket.getWhole(keyOf(imageName, sizePx), buffer),

    remove: async (imageNames) =>
      bucket.remove(
        imageNames.flatMap((name) => storedSizesOf(name).map((size) => keyOf(name, size))),
      ),

    list: async function* () {
      const lists = storedSizes.map((size) =>
        listByFolder(bucket, `${bucket.prefix}thumbnails/${size}/`),
      )
      for (const folder of imageFolders) {
        const found = await Promise.all(lists.map((list) => list.next()))
        const names: string[] = found.flatMap(({ value }) => value ?? [])
        const imageNames = new Set(names.map((name) => name.replace(/\.webp$/, '')))
        yield { folder, imageNames: [...imageNames].filter((name) => imageFolder(name) === folder) }
      }
    },
  }
}
