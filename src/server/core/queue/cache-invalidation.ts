import type { TrashResult } from '#contract/trash-operations.ts'
import type { Records } from '#server/core/record-ports.ts'
import type { GraphEngine } from './engine-ports.ts'

/** Wraps records so that a node returns no deleted or trashed image, which no client can see, from the cache. */
export const withCacheInvalidation = (
  records: Records,
  cache: Pick<GraphEngine['cache'], 'forgetImages' | 'clear'>,
): Records => {
  const { boards, images, trash } = records
  const forget = (result: { deleted_images: string[] } | null) =>
    cache.forgetImages(result?.deleted_images ?? [])
  const forgetTrashed = (result: TrashResult | null) =>
    cache.forgetImages(result?.trashed_images ?? [])
  // `removeIntermediates` returns no names, because there may be too many.
  const clearIfAny = (count: number) => {
    if (count > 0) cache.clear()
  }
  return {
    ...records,
    boards: { ...boards, remove: withEffect(boards.remove, forget) },
    images: {
      ...images,
      remove: withEffect(images.remove, forget),
      removeUncategorized: withEffect(images.removeUncategorized, forget),
      removeIntermediates: withEffect(images.removeIntermediates, clearIfAny),
    },
    trash: {
      ...trash,
      trashImages: withEffect(trash.trashImages, forgetTrashed),
      trashBoard: withEffect(trash.trashBoard, forgetTrashed),
    },
  }
}

const withEffect =
  <Args extends unknown[], Result>(
    method: (...args: Args) => Promise<Result>,
    effect: (result: Result) => void,
  ) =>
  async (...args: Args): Promise<Result> => {
    const result = await method(...args)
    effect(result)
    return result
  }
