import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { gallery, queryClient } from './connection.ts'
import { hideFromTrash, type ShownTrashPage, shownTrash, trashKeys } from './trash-cache.ts'

/** Images of the trash in one request, while a person looks at it. */
const PAGE_LENGTH = 200

/** The most that the server gives at once. */
const MAX_PAGE_LENGTH = 1000

/** What is asked of the server about the trash (extension `trash`). */
export const trashQueries = {
  /** What is in it, newest there first, page by page. All its boards are on every page. */
  list: () =>
    infiniteQueryOptions({
      queryKey: trashKeys.list(),
      queryFn: async ({ pageParam, signal }): Promise<ShownTrashPage> =>
        shownTrash(await gallery.trash.list({ offset: pageParam, limit: PAGE_LENGTH }, { signal })),
      initialPageParam: 0,
      getNextPageParam: ({ nextOffset }) => nextOffset,
      refetchOnWindowFocus: 'always',
    }),

  /** The number of images in the trash. */
  count: () =>
    queryOptions({
      queryKey: trashKeys.count(),
      queryFn: async ({ signal }) =>
        (await gallery.trash.list({ offset: 0, limit: 1 }, { signal })).total,
    }),
}

/**
 * Deletes images of the trash permanently. They disappear at once, and come back if the request fails.
 *
 * @throws {RefusedError | ConnectionError}
 */
export async function deleteTrashed(imageNames: readonly string[]): Promise<void> {
  const hidden = hideFromTrash({ imageNames })
  try {
    await gallery.images.delete(imageNames)
    hidden.settle()
  } catch (error) {
    hidden()
    throw error
  }
  await queryClient.invalidateQueries({ queryKey: trashKeys.all() })
}

/** The names of all images in the trash, for actions on all of them. */
export async function allTrashedNames(): Promise<string[]> {
  const names = new Set<string>()
  for (;;) {
    const { items, total } = await gallery.trash.list({
      offset: names.size,
      limit: MAX_PAGE_LENGTH,
    })
    for (const { image_name } of items) names.add(image_name)
    if (items.length === 0 || names.size >= total) return [...names]
  }
}
