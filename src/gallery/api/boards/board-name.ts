import type { Board } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { queryClient } from '#gallery/api/connection/connection.ts'
import { boardKeys } from './board-cache.ts'

/** What a board is called; undefined: the page knows of no such board. */
export function boardNameOf(boardId: string): string | undefined {
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  const boards = queryClient.getQueryData<readonly Board[]>(boardKeys.list())
  return boards?.find(({ board_id }) => board_id === boardId)?.board_name
}
