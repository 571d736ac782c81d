import { isOrderKey } from '#contract/order-key.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'

/** Returns the key of a board in the order by hand. Without a valid position it follows from the date of the board. */
export const keyOf = ({ position, board_id, created_at }: Board): string =>
  position && isOrderKey(position) ? position : keyOfDate(created_at ?? '', board_id)

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The head of an integer part with eight digits. */
const HEAD = 'h'
const MAX_INTEGER = DIGITS.length ** 8 - 1

/** Boards of the same millisecond need different keys, so that another one can be moved between them. */
const ID_DIGITS = 8

/** Returns the key of a board that was never moved. A newer board has a smaller key, and no two boards the same. */
function keyOfDate(createdAt: string, boardId: string): string {
  const at = Date.parse(`${createdAt.replace(' ', 'T')}Z`)
  let rest = MAX_INTEGER - Math.max(0, Number.isNaN(at) ? 0 : at)
  let digits = ''
  for (let place = 0; place < 8; place += 1) {
    digits = `${DIGITS.charAt(rest % DIGITS.length)}${digits}`
    rest = Math.floor(rest / DIGITS.length)
  }
  const fraction = boardId.replaceAll(/[^0-9A-Za-z]/g, '').slice(0, ID_DIGITS)
  return `${HEAD}${digits}${withoutTrailingZeros(fraction)}`
}

const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (digits.charAt(end - 1) === '0') end -= 1
  return digits.slice(0, end)
}
