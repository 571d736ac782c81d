import { useQuery } from '@tanstack/react-query'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { boardQueries } from '#gallery/api/board-queries.ts'

/** What the board is called where images will land. A board that is gone means none (wire 9.2). */
export function useLandingName(boardId: string | null): string | null {
  const boards = useQuery(boardQueries.list()).data
  if (boardId === null) return null
  if (boardId === UNCATEGORIZED_BOARD_ID) return UNCATEGORIZED_BOARD_NAME
  if (boards === undefined) return null
  const board = boards.find(({ board_id }) => board_id === boardId)
  return board?.board_name ?? UNCATEGORIZED_BOARD_NAME
}
