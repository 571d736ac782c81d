import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { TrashPage } from '#contract/trash-operations.ts'
import {
  type EditedAnswer,
  PendingEdits,
  type Rollback,
} from '#gallery/api/answer/pending-edits.ts'
import { type ImageCache, imageKeys } from '#gallery/api/images/image-cache.ts'
import { type ImageView, isTrash } from '#gallery/api/images/image-windows.ts'
import { type Noun, nounOf } from '#gallery/api/images/noun.ts'

/** The query keys of the trash. Its images are views: see `isTrash`. */
export const trashKeys = {
  all: () => ['trash'] as const,
  summary: () => ['trash', 'summary'] as const,
}

export interface TrashSummary extends Pick<TrashPage, 'total' | 'boards'> {
  /** The word for the images and videos in the trash. */
  readonly noun: Noun
}

/** Images or boards with a pending removal from the trash. */
type Hidden = { readonly imageCount?: number; readonly boardIds?: readonly string[] } | 'everything'

/** The trash: its boards and its number of images and videos. It requires the extension `trash`. */
export class Trash {
  readonly #client: TesseraClient
  readonly #answer: EditedAnswer<TrashSummary>
  /** Optimistically removes images or boards from the summary, after a restore or a permanent deletion. */
  readonly hide: (hidden: Hidden) => Rollback

  constructor(client: TesseraClient, queryClient: QueryClient) {
    const edits = new PendingEdits<Hidden>(queryClient)
    this.#client = client
    this.#answer = edits.answer<TrashSummary>(trashKeys.summary(), (trash, hidden) =>
      hidden.reduce(without, trash),
    )
    this.hide = edits.edit
  }

  summary() {
    return queryOptions({
      queryKey: trashKeys.summary(),
      queryFn: ({ signal }): Promise<TrashSummary> =>
        this.#answer.fetch(async () => {
          const none = { offset: 0, limit: 0, kind: 'all' } as const
          const { total, video_total, boards } = await this.#client.trash.list(none, { signal })
          return { total, boards, noun: nounOf(total, video_total) }
        }),
    })
  }
}

/** Returns true for the queries of a view of the trash. */
const isOfTrash = ([kind, view]: QueryKey): boolean =>
  kind === imageKeys.all()[0] && isTrash(view as ImageView)

function without({ total, boards, noun }: TrashSummary, hidden: Hidden): TrashSummary {
  if (hidden === 'everything') return { total: 0, boards: [], noun }
  const { imageCount = 0, boardIds = [] } = hidden
  return {
    noun,
    total: Math.max(0, total - imageCount),
    boards: boards.filter(({ board_id }) => !boardIds.includes(board_id)),
  }
}

interface DeletionApi {
  readonly client: Pick<TesseraClient, 'images'>
  readonly queryClient: QueryClient
  readonly imageCache: Pick<ImageCache, 'remove'>
  readonly trash: Pick<Trash, 'hide'>
}

/**
 * Deletes images of the trash permanently. They disappear at once, and come back if the request fails.
 *
 * @throws {RefusedError | ConnectionError}
 */
export async function deleteTrashed(
  { client, queryClient, imageCache, trash }: DeletionApi,
  imageNames: readonly string[],
): Promise<void> {
  const hidden = [
    trash.hide({ imageCount: imageNames.length }),
    imageCache.remove(imageNames, { fromViews: isTrash }),
  ]
  try {
    await client.images.delete(imageNames)
    for (const part of hidden) part.settle()
  } catch (error) {
    for (const part of hidden) part()
    throw error
  }
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfTrash(queryKey) })
  await queryClient.invalidateQueries({ queryKey: trashKeys.all() })
}
