import { type PlaceOrder, parseOrder, writeOrder } from './place-order.ts'

const KEY = 'tessera:order'

/** The order that the person chose last, for every view; `null` if they never chose one. */
export function rememberedOrder(): PlaceOrder | null {
  const stored = localStorage.getItem(KEY)
  return stored === null ? null : parseOrder(new URLSearchParams(stored))
}

/** Stores the chosen order, in the words of an address. */
export function rememberOrder(order: PlaceOrder): void {
  const params = new URLSearchParams()
  writeOrder(params, order)
  try {
    localStorage.setItem(KEY, params.toString())
  } catch {
    // A full or forbidden store costs the order on the next visit, and nothing else.
  }
}
