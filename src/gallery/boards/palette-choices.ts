import type { Board } from '#gallery/api/boards/board-queries.ts'
import { bestFirst, matching } from '#gallery/boards/order/board-order.ts'

/** Maximum number of choices; the user can type to narrow them down. */
const MAX_CHOICES = 50

/** Returns the choices for typed text. `boards` is in display order. */
export function paletteChoices(
  boards: readonly Board[],
  recentIds: readonly string[],
  typed: string,
) {
  const name = typed.trim()
  const found = matching(boards, name)
  const recentFirst = recentIds.flatMap((id) => found.find(({ board_id }) => board_id === id) ?? [])
  const rest = found.filter((board) => !recentFirst.includes(board))
  // While the user types, the best match comes first, because Enter chooses it.
  const recent = name === '' ? recentFirst : []
  const others = name === '' ? rest : bestFirst([...recentFirst, ...rest], name)
  const isTaken = boards.some(({ board_name }) => board_name === name)
  return {
    /** Recently chosen boards, the latest first, while nothing is typed. Not repeated in `others`. */
    recent,
    others: others.slice(0, MAX_CHOICES),
    /** Number of matching boards beyond the maximum. */
    leftOut: Math.max(0, others.length - MAX_CHOICES),
    /** Name for a new board; null if a board has this name. */
    newName: name === '' || isTaken ? null : name,
  }
}
