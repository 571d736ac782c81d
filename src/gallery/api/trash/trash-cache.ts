import { queryOptions } from '@tanstack/react-query'
import type { TrashPage } from '#contract/trash-operations.ts'
import type { Rollback } from '#gallery/api/boards/board-cache.ts'
import { imageKeys, removeImages } from '#gallery/api/images/image-cache.ts'
import { isTrash, TRASH_VIEW } from '#gallery/api/images/image-windows.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'

/** The query keys of the trash. Its images are a view: see `TRASH_VIEW`. */
export const trashKeys = {
  all: () => ['trash'] as const,
  summary: () => ['trash', 'summary'] as const,
}

/** The boards in the trash, and the number of images there. */
export type TrashSummary = Pick<TrashPage, 'total' | 'boards'>

/** Images or boards with a pending removal from the trash. */
type Hidden = { readonly imageCount?: number; readonly boardIds?: readonly string[] } | 'everything'

/** Pending removals. They are applied to all answers, so that an answer does not revert an optimistic update. */
const pending = new Set<Hidden>()

/** Optimistically removes images or boards from the summary of the trash, after a restore or a permanent deletion. */
export function hideFromTrash(what: Hidden): Rollback {
  const hidden = what === 'everything' ? what : { ...what }
  pending.add(hidden)
  theGallery.queryClient.setQueryData<TrashSummary>(
    trashKeys.summary(),
    (trash) => trash && without(trash, hidden),
  )
  const end = () => pending.delete(hidden)
  const rollback = () => {
    if (end()) void theGallery.queryClient.invalidateQueries({ queryKey: trashKeys.all() })
  }
  return Object.assign(rollback, { settle: end })
}

/** Applies the pending removals to an answer of the server. */
export function shownTrash({ total, boards }: TrashSummary): TrashSummary {
  let shown: TrashSummary = { total, boards }
  for (const hidden of pending) shown = without(shown, hidden)
  return shown
}

function without({ total, boards }: TrashSummary, hidden: Hidden): TrashSummary {
  if (hidden === 'everything') return { total: 0, boards: [] }
  const { imageCount = 0, boardIds = [] } = hidden
  return {
    total: Math.max(0, total - imageCount),
    boards: boards.filter(({ board_id }) => !boardIds.includes(board_id)),
  }
}

/** Queries about the trash: its boards and its number of images. They require the extension `trash`. */
export const trashQueries = {
  summary: () =>
    queryOptions({
      queryKey: trashKeys.summary(),
      queryFn: async ({ signal }): Promise<TrashSummary> =>
        shownTrash(await theGallery.client.trash.list({ offset: 0, limit: 0 }, { signal })),
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
    removeImages(theGallery.queryClient, imageNames, { fromViews: isTrash }),
  ]
  try {
    await theGallery.client.images.delete(imageNames)
    for (const part of hidden) part.settle()
  } catch (error) {
    for (const part of hidden) part()
    throw error
  }
  void theGallery.queryClient.invalidateQueries({ queryKey: imageKeys.view(TRASH_VIEW) })
  await theGallery.queryClient.invalidateQueries({ queryKey: trashKeys.all() })
}
