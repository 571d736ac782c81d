import type { Records } from '#server/core/record-ports.ts'
import type { GraphEngine } from './engine-ports.ts'

/**
 * The records, and a cache that forgets what mentions an image as soon as that is deleted or in the trash:
 * a node must not answer with an image that nobody sees (wire 9.2).
 */
export const withCacheInvalidation = (
  records: Records,
  cache: Pick<GraphEngine['cache'], 'forgetImages' | 'clear'>,
): Records => {
  const { boards, images, trash } = records
  return {
    ...records,
    boards: {
      ...boards,
      remove: async (boardId, options) => {
        const result = await boards.remove(boardId, options)
        cache.forgetImages(result?.deleted_images ?? [])
        return result
      },
    },
    images: {
      ...images,
      remove: async (imageNames) => {
        const result = await images.remove(imageNames)
        cache.forgetImages(result.deleted_images)
        return result
      },
      removeUncategorized: async () => {
        const result = await images.removeUncategorized()
        cache.forgetImages(result.deleted_images)
        return result
      },
      // It does not say which: there may be too many to name.
      removeIntermediates: async () => {
        const count = await images.removeIntermediates()
        if (count > 0) cache.clear()
        return count
      },
    },
    trash: {
      ...trash,
      trashImages: async (imageNames) => {
        const result = await trash.trashImages(imageNames)
        cache.forgetImages(result.trashed_images)
        return result
      },
      trashBoard: async (boardId, options) => {
        const result = await trash.trashBoard(boardId, options)
        cache.forgetImages(result?.trashed_images ?? [])
        return result
      },
    },
  }
}
