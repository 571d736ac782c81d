import { queryOptions } from '@tanstack/react-query'
import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { imageKeys, removeImages } from '#gallery/api/images/image-cache.ts'
import { isTrash, TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import { hideFromTrash, shownTrash, type TrashSummary, trashKeys } from './trash-cache.ts'

/** Queries about the trash (extension `trash`): its boards and its number of images. */
export const trashQueries = {
  summary: () =>
    queryOptions({
      queryKey: trashKeys.summary(),
      queryFn: async ({ signal }): Promise<TrashSummary> =>
        shownTrash(await gallery.trash.list({ offset: 0, limit: 0 }, { signal })),
      refetchOnWindowFocus: 'always',
    }),
}

/**
 * Deletes images of the trash permanently. They disappear at once, and come back if the request fails.
 *
 * @throws {RefusedError | ConnectionError}
 */
export async function deleteTrashed(imageNames: readonly string[]): Promise<void> {
  const hidden = [
    hideFromTrash({ imageCount: imageNames.length }),
    removeImages(queryClient, imageNames, { fromViews: isTrash }),
  ]
  try {
    await gallery.images.delete(imageNames)
    for (const part of hidden) part.settle()
  } catch (error) {
    for (const part of hidden) part()
    throw error
  }
  void queryClient.invalidateQueries({ queryKey: imageKeys.view(TRASH_VIEW) })
  await queryClient.invalidateQueries({ queryKey: trashKeys.all() })
}
