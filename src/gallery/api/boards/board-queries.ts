import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Board, type TesseraClient, uncategorizedBoard } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { countLeading } from '#gallery/api/images/count-leading.ts'
import { thumbnailOf } from '#gallery/api/images/image-queries.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { type BoardCache, boardKeys } from './board-cache.ts'

export type { Board }

/** Records per request while the starred images of a board are counted. */
const PAGE = 100

export class BoardQueries {
  readonly #client: Pick<TesseraClient, 'boardOperations' | 'images'>
  readonly #cache: Pick<BoardCache, 'boards' | 'uncategorizedCount'>

  constructor(
    client: Pick<TesseraClient, 'boardOperations' | 'images'>,
    cache: Pick<BoardCache, 'boards' | 'uncategorizedCount'>,
  ) {
    this.#client = client
    this.#cache = cache
  }

  /** All boards including archived ones, newest first, without the uncategorized board. */
  list() {
    return queryOptions({
      queryKey: boardKeys.list(),
      queryFn: ({ signal }) =>
        this.#cache.boards.fetch(() =>
          this.#client.boardOperations.list({ includeArchived: true, signal }),
        ),
    })
  }

  /** The number of uncategorized images and videos. The answer also has that of the videos. */
  uncategorizedCount() {
    return queryOptions({
      queryKey: boardKeys.uncategorizedCount(),
      queryFn: ({ signal, client }) =>
        this.#cache.uncategorizedCount.fetch(async () => {
          const view = {
            boardId: UNCATEGORIZED_BOARD_ID,
            isIntermediate: false,
            kind: 'all',
          } as const
          const page = await this.#client.images.page(view, { offset: 0, limit: 0 }, { signal })
          client.setQueryData(boardKeys.uncategorizedVideoCount(), page.video_total ?? 0)
          return page.total
        }),
    })
  }

  starredCount(boardId: string) {
    return queryOptions({
      queryKey: boardKeys.starredCount(boardId),
      queryFn: ({ signal }) => {
        const view = { boardId, isIntermediate: false, starredFirst: true, kind: 'all' } as const
        return countLeading(async (offset) => {
          const { items } = await this.#client.images.page(
            view,
            { offset, limit: PAGE },
            { signal },
          )
          return { length: items.length, leading: items.filter(({ starred }) => starred).length }
        }, PAGE)
      },
      staleTime: 0,
    })
  }
}

/** Returns true if all counts are loaded and zero. */
export function isLibraryEmpty(queryClient: QueryClient): boolean {
  const boards = queryClient.getQueryData<readonly Board[]>(boardKeys.list())
  const uncategorized = queryClient.getQueryData<number>(boardKeys.uncategorizedCount())
  return uncategorized === 0 && boards?.every((board) => itemCountOf(board) === 0) === true
}

/** Returns the uncategorized board as a board with an image count. */
export const uncategorizedBoardOf = (imageCount: number | undefined): Board =>
  uncategorizedBoard(imageCount)

export const coverUrl = (
  client: TesseraClient,
  { cover_image_name, cover_video_name }: Pick<Board, 'cover_image_name' | 'cover_video_name'>,
): string | null => {
  const cover = cover_image_name ?? cover_video_name
  return cover === null ? null : thumbnailOf(client, cover)
}

export function boardNameOf(queryClient: QueryClient, boardId: string): string | undefined {
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  return boardById(queryClient, boardId)?.board_name
}

/** Returns a board from the cache; undefined if it is unknown or not loaded. */
export const boardById = (queryClient: QueryClient, boardId: string): Board | undefined =>
  queryClient
    .getQueryData<readonly Board[]>(boardKeys.list())
    ?.find(({ board_id }) => board_id === boardId)
