import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import { PendingEdits } from '#gallery/api/answer/pending-edits.ts'
import { STARRED_VIEW } from './image-windows.ts'

/** A key of the view of starred images, so that a changed star refetches it. */
export const starredCountKey = ['images', STARRED_VIEW, 'count'] as const

export type StarredCount = ReturnType<typeof createStarredCount>

/** The number of starred images outside the trash. It requires the extension `starred_filter`. */
export function createStarredCount(client: TesseraClient, queryClient: QueryClient) {
  const edits = new PendingEdits<number>(queryClient)
  const answer = edits.answer<number>(starredCountKey, (count, changes) =>
    changes.reduce((sum, change) => Math.max(0, sum + change), count),
  )
  return {
    query: () =>
      queryOptions({
        queryKey: starredCountKey,
        queryFn: ({ signal }): Promise<number> =>
          answer.fetch(async () => {
            const view = { isStarred: true, isIntermediate: false, kind: 'all' } as const
            return (await client.images.page(view, { offset: 0, limit: 0 }, { signal })).total
          }),
      }),

    /** Optimistically adds to the number. */
    edit: edits.edit,
  }
}
