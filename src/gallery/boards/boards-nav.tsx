import { useQuery } from '@tanstack/react-query'
import { ArrowDownUp, ChartColumn, CopyCheck, Images, Plus, Search, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { usePendingTrashedImages } from '#gallery/api/trash/pending-trash.ts'
import { inOrder, matching } from '#gallery/boards/order/board-order.ts'
import {
  type BoardTreeRow,
  boardTree,
  groupsOf,
  nameInGroup,
  nameWithin,
  rowOfBoard,
} from '#gallery/boards/order/board-tree.ts'
import { dropOf, type Placement, stepOf } from '#gallery/boards/order/hand-order.ts'
import { SavedSearches, useShownSearches } from '#gallery/boards/searches/saved-searches.tsx'
import { Marks } from '#gallery/boards/tags/marks-section.tsx'
import { useShownMarks } from '#gallery/boards/tags/shown-marks.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { type Edge, useDropTarget } from '#gallery/ui/drag/drop.ts'
import { Menu, MenuChoice, MenuSeparator, MenuSwitch } from '#gallery/ui/popups/menu.tsx'
import { INSIGHTS, orderKeyOf, STARRED } from '#gallery/url/place.ts'
import { ALL_BOARDS, DUPLICATES, searchKeyOf, TRASH } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { type BoardMoves, makeBoard, viewCommands } from './board-commands.ts'
import type { BoardFiles } from './board-files.ts'
import { BoardList, type BoardListHandle, type Reordering } from './board-list.tsx'
import { useBoardOrders } from './board-list-commands.ts'
import { BoardListNotice } from './board-list-notice.tsx'
import {
  endNaming,
  setArchiveShown,
  setBoardFilter,
  setBoardOrder,
  setCompactList,
  setGroupFolded,
  setPrivateHidden,
  startNewBoard,
  useArePrivateHidden,
  useBoardFilter,
  useFilterOfList,
  useIsArchiveShown,
  useIsCompactList,
  useIsFolded,
  useNaming,
} from './board-list-store.ts'
import { BoardMenus } from './board-menu.tsx'
import { BoardNameField } from './board-name-field.tsx'
import { FoundCountsProvider } from './found-counts.tsx'
import { NavRow } from './nav-row.tsx'
import { AssetsRow, PlaceRow, StarredRow } from './place-rows.tsx'
import { useBoardKeys, useGroupKeys } from './use-board-keys.ts'
import { useItemCount, useListedBoards } from './use-boards.ts'
import { useRovingFocus } from './use-roving-focus.ts'

/** With more boards than this, the filter field is shown. */
const MANY_BOARDS = 12

/** The navigation: all images, the starred ones, Assets, saved searches, the boards, the insights, the duplicates and the trash. It is a single tab stop. */
export const BoardsNav = ({ files }: { files: BoardFiles }) => (
  <FoundCountsProvider>
    <Navigation files={files} />
  </FoundCountsProvider>
)

function Navigation({ files }: { files: BoardFiles }) {
  const { trash, outbox } = useGallery()
  const place = usePlace()
  const hasTrash = useHasExtension('trash')
  const hasStarred = useHasExtension('starred_filter')
  const hasInsights = useHasExtension('image_insights')
  const hasDuplicates = useHasExtension('duplicates')
  const { data: summary } = useQuery({ ...trash.summary(), enabled: hasTrash })
  const pendingCount = usePendingTrashedImages()
  const trashCount = summary && summary.total + pendingCount
  const naming = useNaming()
  const boards = useListedBoards(naming?.kind === 'rename' ? naming.boardId : null)
  const { order } = useBoardOrders()
  const filter = useFilterOfList()
  const isArchiveShown = useIsArchiveShown()
  const arePrivateHidden = useArePrivateHidden()
  const isCompact = useIsCompactList()
  const ordered = useMemo(() => {
    const isThere = ({ archived, is_private, board_id }: Board) =>
      board_id === place.board ||
      ((isArchiveShown || !archived) && !(arePrivateHidden && is_private))
    return inOrder(boards?.filter(isThere) ?? [], order)
  }, [boards, order, isArchiveShown, arePrivateHidden, place.board])
  const shown = useMemo(() => matching(ordered, filter), [ordered, filter])
  const isFolded = useIsFolded()
  // While the user filters, all matches are visible, with their whole names.
  const rows = useMemo(
    () => (filter.trim() === '' ? boardTree(shown, isFolded) : shown.map(rowOfBoard)),
    [shown, filter, isFolded],
  )
  const openName = boards?.find(({ board_id }) => board_id === place.board)?.board_name
  useEffect(() => {
    for (const path of groupsOf(openName ?? '')) setGroupFolded(path, false)
  }, [openName])
  const nav = useRef<HTMLElement>(null)
  const list = useRef<BoardListHandle>(null)
  const hasOpenRow = rows.some(({ key }) => key === place.board)
  useEffect(() => {
    // A link or the palette can open a board whose row is out of sight.
    if (hasOpenRow) list.current?.reveal(place.board)
  }, [place.board, hasOpenRow])
  const searches = useShownSearches()
  const marks = useShownMarks()
  const items = [
    ALL_BOARDS,
    ...(hasStarred ? [STARRED] : []),
    UNCATEGORIZED_BOARD_ID,
    ...searches.map(({ search_id }) => searchKeyOf(search_id)),
    ...marks.keys,
    ...rows.map(({ key }) => key),
    ...(hasInsights ? [INSIGHTS] : []),
    ...(hasDuplicates ? [DUPLICATES] : []),
    ...(hasTrash ? [TRASH] : []),
  ]
  const current = marks.current ?? (place.page === null ? orderKeyOf(place) : INSIGHTS)
  const roving = useRovingFocus(nav, items, current, (item) => list.current?.reveal(item))

  // The user may already be naming the next board when the server has created this one.
  const focusUnlessElsewhere = (boardId: string) => {
    if (document.activeElement === document.body) roving.focus(boardId)
  }

  const isFiltered = filter.trim() !== ''
  const isByHand = order === 'hand' && !isFiltered
  const moved = useRef<string | null>(null)
  const move = (boardId: string, { board, position }: Placement) => {
    moved.current = boardId
    outbox.changeBoard(board, 'board_position', position)
  }
  const revealMoved = useEffectEvent((shownRows: readonly BoardTreeRow[]) => {
    const boardId = moved.current
    moved.current = null
    if (boardId === null || !shownRows.some(({ key }) => key === boardId)) return
    list.current?.reveal(boardId)
    // An element that moves in the document loses the focus.
    if (document.activeElement === document.body) roving.focus(boardId)
  })
  useEffect(() => revealMoved(rows), [rows])
  const movesOf = (board: Board): BoardMoves | null => {
    if (!isByHand) return null
    const moveBy = (by: -1 | 1) => {
      const placement = stepOf(ordered, board, by)
      return placement && (() => move(board.board_id, placement))
    }
    return { up: moveBy(-1), down: moveBy(1) }
  }
  const placementOf = (boardId: string, row: BoardTreeRow, edge: Edge) => {
    const board = ordered.find(({ board_id }) => board_id === boardId)
    return board ? dropOf(ordered, board, row, edge) : null
  }
  const reordering: Reordering | null = isByHand
    ? {
        accepts: (boardId, row, edge) => placementOf(boardId, row, edge) !== null,
        drop: (boardId, row, edge) => {
          const placement = placementOf(boardId, row, edge)
          if (placement) move(boardId, placement)
        },
      }
    : null

  useBoardKeys(nav, shown, files, movesOf)
  useGroupKeys(nav, rows, roving.focus)

  const regroup = (boardId: string, path: string) => {
    const board = boards?.find(({ board_id }) => board_id === boardId)
    if (!board) return
    const name = nameInGroup(board.board_name, path)
    if (name !== board.board_name) outbox.renameBoard(board, name)
    if (path !== '') setGroupFolded(path, false)
  }

  return (
    <nav
      ref={nav}
      aria-label="Boards"
      data-compact={isCompact || undefined}
      data-takes-folders
      className="group/nav flex flex-col not-short:min-h-0 not-short:flex-1 not-short:overflow-y-auto not-short:overscroll-contain"
    >
      <div className="shrink-0 px-2">
        <PlaceRow name="All images" commands={viewCommands(ALL_BOARDS)}>
          <NavRow
            board={ALL_BOARDS}
            name="All images"
            count={useItemCount(ALL_BOARDS)}
            icon={<Images aria-hidden size={18} strokeWidth={1.75} />}
            focus={roving.propsOf(ALL_BOARDS)}
          />
        </PlaceRow>
        {hasStarred && <StarredRow focus={roving.propsOf(STARRED)} />}
        <AssetsRow focus={roving.propsOf(UNCATEGORIZED_BOARD_ID)} files={files} />
      </div>
      <SavedSearches nav={nav} roving={roving} />
      <Marks nav={nav} roving={roving} marks={marks} />
      <BoardListHeading onTakeBoard={(boardId) => regroup(boardId, '')} />
      {ordered.length > MANY_BOARDS && <BoardFilter />}
      {naming?.kind === 'new' && <NewBoardRow group={naming.group} onMade={focusUnlessElsewhere} />}
      <BoardListNotice filter={filter} shownCount={shown.length} />
      <BoardMenus boards={shown} isFolded={isFolded} files={files} movesOf={movesOf}>
        <BoardList
          ref={list}
          rows={rows}
          naming={naming}
          roving={roving}
          files={files}
          onRegroup={regroup}
          reordering={reordering}
        />
      </BoardMenus>
      {(hasInsights || hasDuplicates || hasTrash) && (
        <div className="shrink-0 px-2 py-1">
          {hasInsights && (
            <NavRow
              board={INSIGHTS}
              page="insights"
              name="Insights"
              icon={<ChartColumn aria-hidden size={18} strokeWidth={1.75} />}
              focus={roving.propsOf(INSIGHTS)}
            />
          )}
          {hasDuplicates && (
            <PlaceRow name="Duplicates" commands={viewCommands(DUPLICATES)}>
              <NavRow
                board={DUPLICATES}
                name="Duplicates"
                icon={<CopyCheck aria-hidden size={18} strokeWidth={1.75} />}
                focus={roving.propsOf(DUPLICATES)}
              />
            </PlaceRow>
          )}
          {hasTrash && (
            <PlaceRow name="Trash" commands={viewCommands(TRASH)}>
              <NavRow
                board={TRASH}
                name="Trash"
                count={trashCount === 0 ? undefined : trashCount}
                icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
                focus={roving.propsOf(TRASH)}
              />
            </PlaceRow>
          )}
        </div>
      )}
    </nav>
  )
}

interface NewBoardRowProps {
  /** The path of its group; `''`: none. */
  group: string
  onMade: (boardId: string) => void
}

function NewBoardRow({ group, onMade }: NewBoardRowProps) {
  const api = useGallery()
  return (
    <div className="h-10 shrink-0 px-2 pointer-coarse:h-11">
      <BoardNameField
        label="Board name"
        name=""
        placeholder={group === '' ? 'Name' : `Name in ${group}`}
        onCancel={endNaming}
        onDone={async (name) => {
          endNaming()
          const board = await makeBoard(api, nameWithin(name, group))
          if (board !== null) onMade(board.board_id)
        }}
      />
    </div>
  )
}

function BoardFilter() {
  const filter = useBoardFilter()
  return (
    <div className="relative mx-2 mb-2 flex shrink-0 items-center">
      <Search aria-hidden size={14} className="pointer-events-none absolute left-3 text-muted" />
      <input
        type="search"
        aria-label="Filter boards"
        placeholder="Filter"
        value={filter}
        onChange={(event) => setBoardFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || filter === '') return
          event.preventDefault()
          // The first Escape keeps the drawer open.
          event.stopPropagation()
          setBoardFilter('')
        }}
        className="h-8 w-full rounded border border-line bg-surface pr-2 pl-8 text-sm placeholder:text-muted pointer-coarse:h-11"
      />
    </div>
  )
}

/** The heading of the board list, with its order menu and the button for a new board. */
function BoardListHeading({ onTakeBoard }: { onTakeBoard: (boardId: string) => void }) {
  const heading = useRef<HTMLDivElement>(null)
  const { isOver } = useDropTarget(heading, {
    kind: 'board',
    onDrop: ({ boardId }) => onTakeBoard(boardId),
  })
  const { options, order } = useBoardOrders()
  const isArchiveShown = useIsArchiveShown()
  const arePrivateHidden = useArePrivateHidden()
  return (
    <div
      ref={heading}
      className={`flex shrink-0 items-center pt-3 pr-1 pb-1 pl-4 ${isOver ? 'bg-accent-soft' : ''}`}
    >
      <h2 className="flex-1 font-medium text-muted text-xs">
        {isOver ? 'Move out of its group' : 'Boards'}
      </h2>
      <Menu align="end" trigger={<IconButton label="Sort boards" icon={ArrowDownUp} />}>
        <MenuChoice label="Order" value={order} options={options} onChoose={setBoardOrder} />
        <MenuSeparator />
        <MenuSwitch isOn={isArchiveShown} onChange={setArchiveShown}>
          Show archived boards
        </MenuSwitch>
        <MenuSwitch isOn={arePrivateHidden} onChange={setPrivateHidden}>
          Hide private boards
        </MenuSwitch>
        <MenuSwitch isOn={useIsCompactList()} onChange={setCompactList}>
          Compact rows
        </MenuSwitch>
      </Menu>
      <IconButton
        label="New board"
        icon={Plus}
        commandId="board.new"
        onClick={() => startNewBoard()}
      />
    </div>
  )
}
