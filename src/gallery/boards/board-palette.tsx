import { Inbox, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { type Board, uncategorizedBoardOf } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { itemCountOf, type Noun } from '#gallery/api/images/noun.ts'
import { inOrder } from '#gallery/boards/order/board-order.ts'
import { Palette, PaletteChoice, PaletteGroup } from '#gallery/ui/popups/palette.tsx'
import { useTyped } from '#gallery/ui/popups/palette-field.ts'
import { createPreferences } from '#gallery/ui/preferences.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { makeBoard } from './board-commands.ts'
import { BoardCover } from './board-row.tsx'
import { paletteChoices } from './palette-choices.ts'
import { useBoards, useUncategorizedCount } from './use-boards.ts'

/** Images for which a target board is chosen: to move, copy or upload them there. */
export interface ImagesToMove {
  readonly verb: 'Move' | 'Copy' | 'Add' | 'Restore'
  readonly count: number
  readonly noun: Noun | 'file'
  readonly placeOn: (boardId: string) => void
}

export interface BoardPaletteProps {
  images: ImagesToMove
  onClose: () => void
}

/** A palette to choose the board that images go to. Recently chosen boards come first. */
export function BoardPalette({ images, onClose }: BoardPaletteProps) {
  const api = useGallery()
  const place = (boardId: string) => {
    onClose()
    addRecentBoard(boardId)
    images.placeOn(boardId)
  }
  const placeOnNew = async (name: string) => {
    onClose()
    const board = await makeBoard(api, name)
    if (board !== null) place(board.board_id)
  }

  return <Choices images={images} onClose={onClose} onPick={place} onPickNew={placeOnNew} />
}

interface ChoicesProps extends BoardPaletteProps {
  onPick: (boardId: string) => void
  onPickNew: (name: string) => void
}

function Choices({ images, onClose, onPick, onPickNew }: ChoicesProps) {
  const typed = useTyped()
  const isCopyLossy = !useHasExtension('copies') && images.verb === 'Copy'
  const recentIds = useRecentBoardIds()
  const boards = useBoards()
  const uncategorizedCount = useUncategorizedCount()
  const offered = useMemo(
    () => [
      uncategorizedBoardOf(uncategorizedCount),
      ...inOrder(boards?.filter(({ archived }) => !archived) ?? [], 'name'),
    ],
    [boards, uncategorizedCount],
  )
  const { recent, others, leftOut, newName } = paletteChoices(offered, recentIds, typed)

  return (
    <Palette
      label={`${images.verb} to board`}
      placeholder={`${images.verb} ${countOf(images.count, images.noun)} to…`}
      first={firstOf([...recent, ...others], newName)}
      onClose={onClose}
      note={
        isCopyLossy && (
          <p className="border-line border-b px-4 py-2 text-muted text-sm">
            InvokeAI makes copies by encoding the image again. They keep the InvokeAI metadata, such
            as prompt and settings. Workflow, star and dates are lost.
          </p>
        )
      }
    >
      <BoardGroup heading="Recent" boards={recent} onPick={onPick} />
      <BoardGroup
        heading={recent.length > 0 ? 'Boards' : undefined}
        boards={others}
        onPick={onPick}
      />
      {newName !== null && (
        <PaletteChoice value={valueOfNew(newName)} onPick={() => onPickNew(newName)}>
          <span className="flex size-8 items-center justify-center text-muted">
            <Plus aria-hidden size={18} />
          </span>
          <span className="truncate">
            New board “<bdi>{newName}</bdi>”
          </span>
        </PaletteChoice>
      )}
      {leftOut > 0 && (
        <p className="px-2 py-2 text-muted text-sm">
          {formatCount(leftOut)} more. Type to find them.
        </p>
      )}
    </Palette>
  )
}

const valueOfNew = (name: string): string => `new board ${name}`

/** Returns the value of the first choice. */
const firstOf = ([board]: readonly Board[], newName: string | null): string =>
  board?.board_id ?? (newName === null ? '' : valueOfNew(newName))

const MAX_RECENT = 5

const useRecent = createPreferences('recent-boards', { boardIds: [] as readonly string[] })

/** Returns the IDs of recently chosen boards, the latest first. Some boards may no longer exist. */
const useRecentBoardIds = (): readonly string[] => useRecent(({ boardIds }) => boardIds)

function addRecentBoard(boardId: string): void {
  useRecent.setState(({ boardIds }) => ({
    boardIds: [boardId, ...boardIds.filter((id) => id !== boardId)].slice(0, MAX_RECENT),
  }))
}

function BoardChoice({ board, onPick }: { board: Board; onPick: (boardId: string) => void }) {
  return (
    <PaletteChoice value={board.board_id} onPick={() => onPick(board.board_id)}>
      {board.board_id === UNCATEGORIZED_BOARD_ID ? (
        <span className="flex size-8 items-center justify-center text-muted">
          <Inbox aria-hidden size={18} strokeWidth={1.75} />
        </span>
      ) : (
        <BoardCover board={board} />
      )}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {board.board_name}
      </span>
      <span className="text-muted text-xs tabular-nums">{formatCount(itemCountOf(board))}</span>
    </PaletteChoice>
  )
}

interface BoardGroupProps {
  heading: string | undefined
  boards: readonly Board[]
  onPick: (boardId: string) => void
}

function BoardGroup({ heading, boards, onPick }: BoardGroupProps) {
  if (boards.length === 0) return null
  return (
    <PaletteGroup heading={heading}>
      {boards.map((board) => (
        <BoardChoice key={board.board_id} board={board} onPick={onPick} />
      ))}
    </PaletteGroup>
  )
}
