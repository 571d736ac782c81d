import type { Records } from '#server/core/record-ports.ts'
import type { GraphEngine } from './engine-ports.ts'

/**
 * Wraps records so that deleting or trashing an image removes the cache entries that mention it: a node must not
 * return an image that no client can see.
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
      // `removeIntermediates` returns no names, because there may be too many.
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
