import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Board } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { BoardQueries } from '#gallery/api/boards/board-queries.ts'
import { useCapabilities, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { usePart } from '#gallery/api/parts.ts'
import { daysLeft } from './days-left.ts'
import { Trash, type TrashSummary, trashKeys } from './trash-cache.ts'

/** The board of an image in the trash. */
export interface TrashOrigin {
  /** undefined: the board is unknown or not loaded. */
  readonly boardName: string | undefined
  /** True if the board is in the trash too. The image alone is then restored to Assets. */
  readonly isBoardTrashed: boolean
}

export function originOf(
  boards: readonly Board[] | undefined,
  trashedBoards: readonly Board[] | undefined,
  { board_id }: Pick<ImageRecord, 'board_id'>,
): TrashOrigin {
  if (board_id === null || board_id === UNCATEGORIZED_BOARD_ID) {
    return { boardName: UNCATEGORIZED_BOARD_NAME, isBoardTrashed: false }
  }
  const isMeant = (board: Board) => board.board_id === board_id
  const live = boards?.find(isMeant)
  const trashed = live === undefined ? trashedBoards?.find(isMeant) : undefined
  return {
    boardName: (live ?? trashed)?.board_name,
    isBoardTrashed: trashed !== undefined,
  }
}

/** Returns the board of an image in the trash, from the cached lists of boards. */
export const cachedOrigin = (queryClient: QueryClient, image: ImageRecord): TrashOrigin =>
  originOf(
    queryClient.getQueryData<readonly Board[]>(boardKeys.list()),
    queryClient.getQueryData<TrashSummary>(trashKeys.summary())?.boards,
    image,
  )

/** The board of an image in the trash, and the time that the image stays there. */
export interface TrashFacts extends TrashOrigin {
  /** undefined: the server has not said how long images stay. */
  readonly days: number | undefined
}

/** Returns a function for the facts about an image; it returns null for an image outside the trash. */
export function useTrashFacts(): (image: ImageRecord) => TrashFacts | null {
  const boardQueries = usePart(BoardQueries)
  const trash = usePart(Trash)
  const hasTrash = useHasExtension('trash')
  const retentionDays = useCapabilities()?.trash_days
  const { data: boards } = useQuery(boardQueries.list())
  const { data: summary } = useQuery({ ...trash.summary(), enabled: hasTrash })
  const trashedBoards = summary?.boards
  return useCallback(
    (image) => {
      const deletedAt = image.deleted_at
      if (!deletedAt) return null
      return {
        ...originOf(boards, trashedBoards, image),
        days: retentionDays === undefined ? undefined : daysLeft(deletedAt, retentionDays),
      }
    },
    [boards, trashedBoards, retentionDays],
  )
}
