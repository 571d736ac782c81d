import type { ImageOrder } from '#contract/image.ts'
import { defaultDirOf, ORDERS } from '#gallery/url/place-order.ts'

const labels = {
  created_at: { by: 'Date added', DESC: 'Newest first', ASC: 'Oldest first' },
  taken_at: { by: 'Date taken', DESC: 'Newest first', ASC: 'Oldest first' },
  name: { by: 'Name', ASC: 'A to Z', DESC: 'Z to A' },
  size: { by: 'Size', DESC: 'Largest first', ASC: 'Smallest first' },
} as const satisfies Record<ImageOrder, object>

export const ORDER_CHOICES = ORDERS.map((value) => ({ value, label: labels[value].by }))

/** Returns both directions of an order, the default first. */
export function directionsOf(orderBy: ImageOrder) {
  const first = defaultDirOf(orderBy)
  const dirs = [first, first === 'ASC' ? 'DESC' : 'ASC'] as const
  return dirs.map((value) => ({ value, label: labels[orderBy][value] }))
}
