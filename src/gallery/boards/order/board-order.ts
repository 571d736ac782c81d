import type { Board } from '#gallery/api/boards/board-queries.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { keyOf } from './board-position.ts'

/** The orders of the board list: newest first, latest added image first, by name, most images first, by hand. */
export type BoardOrder = 'created' | 'added' | 'name' | 'count' | 'hand'

/** Compares numbers by value (`Board 2` before `Board 10`), and ignores case and accents. */
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const compare: Readonly<Record<Exclude<BoardOrder, 'hand'>, (a: Board, b: Board) => number>> = {
  created: (a, b) => compareText(b.created_at ?? '', a.created_at ?? ''),
  // Boards without images are last.
  added: (a, b) => compareText(b.last_added_at ?? '', a.last_added_at ?? ''),
  name: (a, b) => names.compare(a.board_name, b.board_name),
  count: (a, b) => itemCountOf(b) - itemCountOf(a),
}

/** Sorts boards, pinned ones first. Equal boards are sorted by name, and boards of equal names by ID. */
export function inOrder(boards: readonly Board[], order: BoardOrder): Board[] {
  const compareBoards = order === 'hand' ? comparingKeys(boards) : compare[order]
  return boards.toSorted(
    (a, b) =>
      Number(b.starred === true) - Number(a.starred === true) ||
      compareBoards(a, b) ||
      compare.name(a, b) ||
      compareText(a.board_id, b.board_id),
  )
}

/** Computes each key only once. */
function comparingKeys(boards: readonly Board[]): (a: Board, b: Board) => number {
  const keys = new Map(boards.map((board) => [board, keyOf(board)]))
  return (a, b) => compareText(keys.get(a) ?? '', keys.get(b) ?? '')
}

/** Returns the boards whose names contain all typed words in any order. Ignores case and accents. */
export function matching<T extends Pick<Board, 'board_name'>>(
  boards: readonly T[],
  typed: string,
): T[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...boards]
  return boards.filter(({ board_name }) => {
    const name = plain(board_name)
    return words.every((word) => name.includes(word))
  })
}

/** Sorts matching boards: an exact name, then a prefix, then the start of a word, then any other match. */
export function bestFirst<T extends Pick<Board, 'board_name'>>(
  boards: readonly T[],
  typed: string,
): T[] {
  const wanted = plain(typed.trim())
  return boards.toSorted((a, b) => rankOf(a.board_name, wanted) - rankOf(b.board_name, wanted))
}

function rankOf(boardName: string, wanted: string): number {
  const name = plain(boardName)
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.split(/[\s/]/).some((word) => word.startsWith(wanted)) ? 2 : 3
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLocaleLowerCase()

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
