import type { TrashOrder } from '#contract/trash-operations.ts'
import { defaultDirOf, ordersOf } from '#gallery/url/place-order.ts'

const labels = {
  deleted_at: { by: 'Date deleted', DESC: 'Newest first', ASC: 'Oldest first' },
  created_at: { by: 'Date added', DESC: 'Newest first', ASC: 'Oldest first' },
  taken_at: { by: 'Date taken', DESC: 'Newest first', ASC: 'Oldest first' },
  name: { by: 'Name', ASC: 'A to Z', DESC: 'Z to A' },
  size: { by: 'Size', DESC: 'Largest first', ASC: 'Smallest first' },
} as const satisfies Record<TrashOrder, object>

/** Returns the orders of a board as options of a choice. */
export const orderChoicesOf = (board: string) =>
  ordersOf(board).map((value) => ({ value, label: labels[value].by }))

/** Returns both directions of an order, the default first. */
export function directionsOf(orderBy: TrashOrder) {
  const first = defaultDirOf(orderBy)
  const dirs = [first, first === 'ASC' ? 'DESC' : 'ASC'] as const
  return dirs.map((value) => ({ value, label: labels[orderBy][value] }))
}
