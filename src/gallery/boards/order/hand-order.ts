import { generateKeyBetween } from 'fractional-indexing'
import { isOrderKey } from '#contract/order-key.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { Edge } from '#gallery/ui/drag/drop.ts'
import { keyOf } from './board-position.ts'
import { type BoardTreeRow, groupKeyOf, groupsOf, nameWithin } from './board-tree.ts'

/** A board or a group among the rows of the same level. A group is where its first board is. */
interface Sibling {
  readonly key: string
  readonly first: Board
}

/** Returns the boards and groups next to which a board can be moved: those in the same group, in the order of the list. */
function siblingsOf(boards: readonly Board[], board: Board): Sibling[] {
  const path = groupsOf(board.board_name)
  const siblings = new Map<string, Sibling>()
  for (const first of boards) {
    const key = siblingKey(first.board_name, first.board_id, path)
    if (key !== null && !siblings.has(key)) siblings.set(key, { key, first })
  }
  return [...siblings.values()]
}

/** Returns the key of a board, or of its outermost group, inside a group. null: it is elsewhere. */
function siblingKey(boardName: string, boardId: string, path: readonly string[]): string | null {
  const groups = groupsOf(boardName)
  if (path.some((group, depth) => groups[depth] !== group)) return null
  const inner = groups[path.length]
  return inner === undefined ? boardId : groupKeyOf(inner)
}

/** The new position of one board. */
export interface Placement {
  readonly board: Board
  readonly position: string
}

/**
 * Moves a board by one row, among the rows of its group. null: it is already the first or the last one. Pinned boards
 * stay above the others.
 *
 * @param boards - The boards of the list, in the order by hand.
 */
export function stepOf(boards: readonly Board[], board: Board, by: -1 | 1): Placement | null {
  const siblings = siblingsOf(boards, board)
  const at = siblings.findIndex(({ key }) => key === board.board_id)
  const next = siblings[at + by]
  if (at < 0 || next === undefined) return null
  // The first board gives its group the place. So the next one moves up instead.
  const isFirstOfGroup = at === 0 && groupsOf(board.board_name).length > 0
  if (by === 1 && isFirstOfGroup && next.key === next.first.board_id) {
    return placementAt(boards, siblings, next.first, 0)
  }
  return placementAt(boards, siblings, board, by === 1 ? at + 2 : at - 1)
}

/** Moves a board above or below a row. null: it cannot be there, or is there already. */
export function dropOf(
  boards: readonly Board[],
  board: Board,
  row: BoardTreeRow,
  edge: Edge,
): Placement | null {
  const path = groupsOf(board.board_name)
  const key =
    row.kind === 'board'
      ? siblingKey(row.board.board_name, row.key, path)
      : siblingKey(nameWithin('board', row.path), '', path)
  const siblings = siblingsOf(boards, board)
  const at = siblings.findIndex((sibling) => sibling.key === key)
  if (key === null || at < 0) return null
  return placementAt(boards, siblings, board, edge === 'before' ? at : at + 1)
}

/** Moves a board between the siblings before and at an index. */
function placementAt(
  boards: readonly Board[],
  siblings: readonly Sibling[],
  board: Board,
  index: number,
): Placement | null {
  const isBoard = (sibling: Sibling | undefined) => sibling?.key === board.board_id
  const [before, after] = [siblings[index - 1], siblings[index]]
  if (isBoard(before) || isBoard(after)) return null
  const isPinned = board.starred === true
  const isOfSameKind = ({ first }: Sibling) => (first.starred === true) === isPinned
  const [above, below] = [before, after].map((sibling) =>
    sibling && isOfSameKind(sibling) ? sibling : undefined,
  )
  if (above === undefined && below === undefined) return null
  // A board that becomes the first one of its group must not move the group past other rows.
  const last = above?.first ?? (below && predecessorOf(boards, below.first, isPinned))
  const from = last ? keyOf(last) : null
  // Two clients may have chosen the same key. Then the board is moved after both.
  const later = siblings.slice(index).filter(isOfSameKind)
  const to = later.map(({ first }) => keyOf(first)).find((key) => from === null || key > from)
  const position = generateKeyBetween(from, to ?? null)
  return isOrderKey(position) ? { board, position } : null
}

function predecessorOf(boards: readonly Board[], board: Board, isPinned: boolean) {
  const previous = boards[boards.indexOf(board) - 1]
  return (previous?.starred === true) === isPinned ? previous : undefined
}

/** The part of a group's row above which a board is dropped next to the group instead of into it. */
const GROUP_EDGE = 0.25

/** Returns the edge of a row for a pointer at a height from 0 to 1. null: in the middle of a group. */
export function edgeOf(row: BoardTreeRow, at: number): Edge | null {
  if (row.kind === 'board') return at < 0.5 ? 'before' : 'after'
  if (at < GROUP_EDGE) return 'before'
  // Below an open group are its boards.
  return row.isFolded && at > 1 - GROUP_EDGE ? 'after' : null
}
