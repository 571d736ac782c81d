import { useQuery } from '@tanstack/react-query'
import { Images, Trash2 } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/board-queries.ts'
import { useHasExtension } from '#gallery/api/capabilities.ts'
import { useImagesComingToTrash } from '#gallery/api/coming-to-trash.ts'
import { trashQueries } from '#gallery/api/trash-queries.ts'
import { ALL_BOARDS, TRASH } from '#gallery/url/place.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { AssetsRow } from './assets-row.tsx'
import { BoardFilter } from './board-filter.tsx'
import { BoardList, type BoardListHandle } from './board-list.tsx'
import { BoardListHeading } from './board-list-heading.tsx'
import { BoardListNotice } from './board-list-notice.tsx'
import { useBoardFilter, useBoardOrder, useIsArchiveShown, useNaming } from './board-list-store.ts'
import { BoardContextMenu } from './board-menu.tsx'
import { inOrder, matching } from './board-order.ts'
import type { BoardFiles } from './board-row.tsx'
import { NavRow } from './nav-row.tsx'
import { NewBoardRow } from './new-board-row.tsx'
import { useBoardKeys } from './use-board-keys.ts'
import { useBoards, useTotalCount } from './use-boards.ts'
import { useRovingFocus } from './use-roving-focus.ts'

interface BoardsNavProps {
  files: BoardFiles
  /** A person has gone somewhere. */
  onOpen: () => void
}

/** More boards than this and typing finds one sooner than looking does. */
const MANY_BOARDS = 12

/** Where a person can go: all images, Assets, the boards, the trash. One tab stop. */
export function BoardsNav({ files, onOpen }: BoardsNavProps) {
  const place = usePlace()
  const hasTrash = useHasExtension('trash')
  const { data: trash } = useQuery({ ...trashQueries.summary(), enabled: hasTrash })
  const coming = useImagesComingToTrash()
  const trashCount = trash && trash.total + coming
  const boards = useBoards()
  const order = useBoardOrder()
  const filter = useBoardFilter()
  const naming = useNaming()
  const isArchiveShown = useIsArchiveShown()
  const ordered = useMemo(() => {
    const isThere = ({ archived, board_id }: Board) =>
      isArchiveShown || !archived || board_id === place.board
    return inOrder(boards?.filter(isThere) ?? [], order)
  }, [boards, order, isArchiveShown, place.board])
  const shown = useMemo(() => matching(ordered, filter), [ordered, filter])
  const nav = useRef<HTMLElement>(null)
  const list = useRef<BoardListHandle>(null)
  const items = [
    ALL_BOARDS,
    UNCATEGORIZED_BOARD_ID,
    ...shown.map(({ board_id }) => board_id),
    ...(hasTrash ? [TRASH] : []),
  ]
  const roving = useRovingFocus(nav, items, place.board, (item) => list.current?.reveal(item))

  // A person may be naming the next board by the time the server has made this one.
  const focusUnlessElsewhere = (boardId: string) => {
    if (document.activeElement === document.body) roving.focus(boardId)
  }

  useBoardKeys(nav, shown, { files, onOpen })

  return (
    <nav ref={nav} aria-label="Boards" className="flex flex-col not-short:min-h-0 not-short:flex-1">
      <div className="shrink-0 px-2">
        <NavRow
          board={ALL_BOARDS}
          name="All images"
          count={useTotalCount()}
          icon={<Images aria-hidden size={18} strokeWidth={1.75} />}
          focus={roving.propsOf(ALL_BOARDS)}
          onOpen={onOpen}
        />
        <AssetsRow
          focus={roving.propsOf(UNCATEGORIZED_BOARD_ID)}
          FileZone={files.Zone}
          onOpen={onOpen}
        />
      </div>
      <BoardListHeading />
      {ordered.length > MANY_BOARDS && <BoardFilter />}
      {naming?.kind === 'new' && <NewBoardRow onMade={focusUnlessElsewhere} />}
      <BoardListNotice shownCount={shown.length} />
      <BoardContextMenu boards={shown} files={files} onOpen={onOpen}>
        <BoardList
          ref={list}
          boards={shown}
          naming={naming}
          roving={roving}
          files={files}
          onOpen={onOpen}
        />
      </BoardContextMenu>
      {hasTrash && (
        <div className="shrink-0 px-2 py-1">
          <NavRow
            board={TRASH}
            name="Trash"
            count={trashCount === 0 ? undefined : trashCount}
            icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
            focus={roving.propsOf(TRASH)}
            onOpen={onOpen}
          />
        </div>
      )}
    </nav>
  )
}
