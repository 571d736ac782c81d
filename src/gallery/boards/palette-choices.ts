import type { Board } from '#gallery/api/board-queries.ts'
import { matching } from './board-order.ts'

/** More than can be read at a glance: typing narrows it down. */
const MAX_CHOICES = 50

/** What a palette offers. */
export interface PaletteChoices {
  /** The boards that were last picked, the last one first. Not repeated in `others`. */
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
  const recent = recentIds.flatMap((id) => found.find(({ board_id }) => board_id === id) ?? [])
  const others = found.filter((board) => !recent.includes(board))
  const isTaken = boards.some(({ board_name }) => board_name === name)
  return {
    recent,
    others: others.slice(0, MAX_CHOICES),
    leftOut: Math.max(0, others.length - MAX_CHOICES),
    newName: name === '' || isTaken ? null : name,
  }
}
