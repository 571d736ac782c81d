import type { Board } from '#gallery/api/boards/board-queries.ts'
import { bestFirst, matching } from './board-order.ts'

/** More than can be read at a glance: typing narrows it down. */
const MAX_CHOICES = 50

/** The choices of a palette. */
export interface PaletteChoices {
  /** Recently chosen boards, the latest first, while nothing is typed. Not repeated in `others`. */
  readonly recent: readonly Board[]
  readonly others: readonly Board[]
  /** Boards that match and are not offered, since there are too many. */
  readonly leftOut: number
  /** The name of a board that could be made; null where one is called that already. */
  readonly newName: string | null
}

/**
 * What a palette offers for what is typed.
 *
 * @param boards - In the order in which they are offered.
 */
export function paletteChoices(
  boards: readonly Board[],
  recentIds: readonly string[],
  typed: string,
): PaletteChoices {
  const name = typed.trim()
  const found = matching(boards, name)
  const recentFirst = recentIds.flatMap((id) => found.find(({ board_id }) => board_id === id) ?? [])
  const rest = found.filter((board) => !recentFirst.includes(board))
  // While a name is typed, the best match is on top, since Enter takes it.
  const recent = name === '' ? recentFirst : []
  const others = name === '' ? rest : bestFirst([...recentFirst, ...rest], name)
  const isTaken = boards.some(({ board_name }) => board_name === name)
  return {
    recent,
    others: others.slice(0, MAX_CHOICES),
    leftOut: Math.max(0, others.length - MAX_CHOICES),
    newName: name === '' || isTaken ? null : name,
  }
}
