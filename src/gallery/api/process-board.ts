import type { Board } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { boardKeys } from './board-cache.ts'
import { queryClient } from './connection.ts'

/** What a board is called, as far as the page knows. */
export function boardNameOf(boardId: string): string {
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  const boards = queryClient.getQueryData<readonly Board[]>(boardKeys.list())
  return boards?.find(({ board_id }) => board_id === boardId)?.board_name ?? 'another board'
}

/** A board as a node takes it; null for uncategorized (wire 9.2). */
export const boardFieldOf = (boardId: string): { board_id: string } | null =>
  boardId === UNCATEGORIZED_BOARD_ID ? null : { board_id: boardId }
