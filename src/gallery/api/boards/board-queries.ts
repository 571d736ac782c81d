import { queryOptions } from '@tanstack/react-query'
import { type Board, uncategorizedBoard } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { getThumbnail } from '#contract/image-operations.ts'
import { pathOf } from '#contract/operation.ts'
import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { countLeading } from '#gallery/api/images/count-leading.ts'
import { BoardCache, boardKeys } from './board-cache.ts'

export type { Board }

export const boardCache = new BoardCache(queryClient)

/** Records in one look at where the starred images of a board end. */
const PAGE = 100

/** What is asked of the server about boards. Keys run from general to particular. */
export const boardQueries = {
  /** The key of everything about boards. */
  all: () => boardKeys.all(),

  /** Every board, newest first, with its cover and count, the archived ones too. The uncategorized one is not among them. */
  list: () =>
    queryOptions({
      queryKey: boardKeys.list(),
      queryFn: ({ signal }) =>
        boardCache.list(() => gallery.boardOperations.list({ includeArchived: true, signal })),
      refetchOnWindowFocus: 'always',
    }),

  /** How many images are on no board. */
  uncategorizedCount: () =>
    queryOptions({
      queryKey: boardKeys.uncategorizedCount(),
      queryFn: ({ signal }) =>
        boardCache.uncategorizedCount(() =>
          gallery.images.count(
            { boardId: UNCATEGORIZED_BOARD_ID, isIntermediate: false },
            { signal },
          ),
        ),
      refetchOnWindowFocus: 'always',
    }),

  /** How many videos are on no board; none before a server that has none. */
  uncategorizedVideoCount: () =>
    queryOptions({
      queryKey: boardKeys.uncategorizedVideoCount(),
      queryFn: ({ signal }) => gallery.boardOperations.uncategorizedVideoCount({ signal }),
    }),

  /** How many images of a board are starred. */
  starredCount: (boardId: string) =>
    queryOptions({
      queryKey: boardKeys.starredCount(boardId),
      queryFn: ({ signal }) => {
        const view = { boardId, isIntermediate: false, starredFirst: true }
        return countLeading(async (offset) => {
          const { items } = await gallery.images.page(view, { offset, limit: PAGE }, { signal })
          return { length: items.length, leading: items.filter(({ starred }) => starred).length }
        }, PAGE)
      },
      staleTime: 0,
    }),
}

/** Tells if the library has no images, as far as the page has loaded the counts of its boards. */
export function isLibraryEmpty(): boolean {
  const boards = queryClient.getQueryData(boardQueries.list().queryKey)
  const uncategorized = queryClient.getQueryData(boardQueries.uncategorizedCount().queryKey)
  return uncategorized === 0 && boards?.every(({ image_count }) => image_count === 0) === true
}

/** The uncategorized board as one among the others, with so many images on it. */
export const uncategorizedBoardOf = (imageCount: number | undefined): Board =>
  uncategorizedBoard(imageCount)

/** Where the picture of a board's cover is; null where it has none. */
export const coverUrl = ({ cover_image_name }: Pick<Board, 'cover_image_name'>): string | null =>
  cover_image_name === null
    ? null
    : gallery.images.thumbnailUrl({
        thumbnail_url: pathOf(getThumbnail, { image_name: cover_image_name }),
      })

/** What a board is called; undefined: the page knows of no such board. */
export function boardNameOf(boardId: string): string | undefined {
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  const boards = queryClient.getQueryData<readonly Board[]>(boardKeys.list())
  return boards?.find(({ board_id }) => board_id === boardId)?.board_name
}

/** Boards that were asked for once: one that is not among the others then is gone. */
const asked = new Set<string>()

/** Asks for the boards where one was named that the page does not know: another client has made it. */
export function loadUnknownBoards(boardIds: Iterable<string>): void {
  const boards = queryClient.getQueryData(boardQueries.list().queryKey)
  if (boards === undefined) return
  const known = new Set(boards.map(({ board_id }) => board_id))
  const unknown = [...boardIds].filter((id) => id !== 'none' && !known.has(id) && !asked.has(id))
  if (unknown.length === 0) return
  for (const id of unknown) asked.add(id)
  void queryClient.invalidateQueries({ queryKey: boardQueries.list().queryKey })
}
