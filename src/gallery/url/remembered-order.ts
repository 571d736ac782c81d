import { type PlaceOrder, parseOrder, writeOrder } from './place-order.ts'

/** One key a board, so that tabs do not overwrite each other's. */
const keyOf = (board: string) => `tessera:order:${board}`

/** How a person last had the images of a board ordered; the default where they never chose. */
export const rememberedOrder = (board: string): PlaceOrder =>
  parseOrder(new URLSearchParams(localStorage.getItem(keyOf(board)) ?? ''))

/** Keeps the order of a board, in the words of an address. */
export function rememberOrder(board: string, order: PlaceOrder): void {
  const params = new URLSearchParams()
  writeOrder(params, order)
  try {
    if (params.size === 0) localStorage.removeItem(keyOf(board))
    else localStorage.setItem(keyOf(board), params.toString())
  } catch {
    // A full or forbidden store costs the order on the next visit, and nothing else.
  }
}
