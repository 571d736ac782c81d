import { queryOptions } from '@tanstack/react-query'
import { type Board, uncategorizedBoard } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { getThumbnail } from '#contract/image-operations.ts'
import { pathOf } from '#contract/operation.ts'
import { countLeading } from '#gallery/api/images/count-leading.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { BoardCache, boardKeys } from './board-cache.ts'

export type { Board }

export const boardCache = new BoardCache(theGallery.queryClient)

/** Records per request while the starred images of a board are counted. */
const PAGE = 100

/** Queries about boards. */
export const boardQueries = {
  /** The key of everything about boards. */
  all: () => boardKeys.all(),

  /** All boards including archived ones, newest first, without the uncategorized board. */
  list: () =>
    queryOptions({
      queryKey: boardKeys.list(),
      queryFn: ({ signal }) =>
        boardCache.list(() =>
          theGallery.client.boardOperations.list({ includeArchived: true, signal }),
        ),
      refetchOnWindowFocus: 'always',
    }),

  /** The number of uncategorized images. */
  uncategorizedCount: () =>
    queryOptions({
      queryKey: boardKeys.uncategorizedCount(),
      queryFn: ({ signal }) =>
        boardCache.uncategorizedCount(() =>
          theGallery.client.images.count(
            { boardId: UNCATEGORIZED_BOARD_ID, isIntermediate: false },
            { signal },
          ),
        ),
      refetchOnWindowFocus: 'always',
    }),

  /** The number of uncategorized videos; 0 on a server without videos. */
  uncategorizedVideoCount: () =>
    queryOptions({
      queryKey: boardKeys.uncategorizedVideoCount(),
      queryFn: ({ signal }) =>
        theGallery.client.boardOperations.uncategorizedVideoCount({ signal }),
    }),

  /** The number of starred images on a board. */
  starredCount: (boardId: string) =>
    queryOptions({
      queryKey: boardKeys.starredCount(boardId),
      queryFn: ({ signal }) => {
        const view = { boardId, isIntermediate: false, starredFirst: true }
        return countLeading(async (offset) => {
          const { items } = await theGallery.client.images.page(
            view,
            { offset, limit: PAGE },
            { signal },
          )
          return { length: items.length, leading: items.filter(({ starred }) => starred).length }
        }, PAGE)
      },
      staleTime: 0,
    }),
}

/** Returns true if all image counts are loaded and zero. */
export function isLibraryEmpty(): boolean {
  const boards = theGallery.queryClient.getQueryData(boardQueries.list().queryKey)
  const uncategorized = theGallery.queryClient.getQueryData(
    boardQueries.uncategorizedCount().queryKey,
  )
  return uncategorized === 0 && boards?.every(({ image_count }) => image_count === 0) === true
}

/** Returns the uncategorized board as a board with an image count. */
export const uncategorizedBoardOf = (imageCount: number | undefined): Board =>
  uncategorizedBoard(imageCount)

/** Returns the URL of a board's cover; null if it has none. */
export const coverUrl = ({ cover_image_name }: Pick<Board, 'cover_image_name'>): string | null =>
  cover_image_name === null
    ? null
    : theGallery.client.images.thumbnailUrl({
        thumbnail_url: pathOf(getThumbnail, { image_name: cover_image_name }),
      })

/** Returns the cached name of a board; undefined if unknown. */
export function boardNameOf(boardId: string): string | undefined {
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  const boards = theGallery.queryClient.getQueryData<readonly Board[]>(boardKeys.list())
  return boards?.find(({ board_id }) => board_id === boardId)?.board_name
}

/** Unknown boards that were requested once. If they are still unknown, they no longer exist. */
const asked = new Set<string>()

/** Refetches the boards if one of the IDs is unknown, because another client has created it. */
export function loadUnknownBoards(boardIds: Iterable<string>): void {
  const boards = theGallery.queryClient.getQueryData(boardQueries.list().queryKey)
  if (boards === undefined) return
  const known = new Set(boards.map(({ board_id }) => board_id))
  const unknown = [...boardIds].filter((id) => id !== 'none' && !known.has(id) && !asked.has(id))
  if (unknown.length === 0) return
  for (const id of unknown) asked.add(id)
  void theGallery.queryClient.invalidateQueries({ queryKey: boardQueries.list().queryKey })
}
