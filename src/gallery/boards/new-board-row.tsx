import { namingEnded } from './board-list-store.ts'
import { BoardNameField } from './board-name-field.tsx'
import { makeBoard } from './make-board.ts'

/** The board that is being made: nothing but its name yet. */
export function NewBoardRow({ onMade }: { onMade: (boardId: string) => void }) {
  return (
    <div className="h-10 shrink-0 px-2 pointer-coarse:h-11">
      <BoardNameField
        label="Board name"
        name=""
        onCancel={namingEnded}
        onDone={async (name) => {
          namingEnded()
          const board = await makeBoard(name)
          if (board !== null) onMade(board.board_id)
        }}
      />
    </div>
  )
}
