import { useQuery } from '@tanstack/react-query'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { boardQueries } from '#gallery/api/board-queries.ts'
import { isBeingMade } from '#gallery/api/create-board.ts'
import { inputClasses } from '#gallery/ui/input-classes.ts'

interface BoardSelectProps {
  boardId: string
  onChoose: (boardId: string) => void
}

/** The board that results go to. */
export function BoardSelect({ boardId, onChoose }: BoardSelectProps) {
  const boards = useQuery(boardQueries.list()).data
  const isGone =
    boardId !== UNCATEGORIZED_BOARD_ID &&
    boards !== undefined &&
    !boards.some(({ board_id }) => board_id === boardId)
  return (
    <label className="flex min-w-0 flex-1 items-center gap-2 text-sm max-sm:basis-full">
      <span className="shrink-0 text-muted">Results go to</span>
      <select
        className={`${inputClasses} sm:max-w-64`}
        value={isGone ? '' : boardId}
        onChange={({ target }) => onChoose(target.value)}
      >
        {isGone && <option value="">Choose a board</option>}
        <option value={UNCATEGORIZED_BOARD_ID}>{UNCATEGORIZED_BOARD_NAME}</option>
        {boards
          ?.filter((board) => !isBeingMade(board))
          .map(({ board_id, board_name }) => (
            <option key={board_id} value={board_id}>
              {board_name}
            </option>
          ))}
      </select>
    </label>
  )
}
