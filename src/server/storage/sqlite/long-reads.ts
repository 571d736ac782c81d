import type { View } from '#server/core/images/image-ports.ts'

const MANY_NAMES = 1000

const LONG = new Set([
  'images.days',
  'images.names',
  'images.namesOnBoard',
  'images.archiveEntries',
  'queue.itemIds',
])

/**
 * Returns true if a unit of work may take long: lists of all names, days, searches, filtered views, thousands of
 * records.
 */
export const isLongRead = (unit: string, args: readonly unknown[]): boolean => {
  if (LONG.has(unit)) return true
  const [first, second] = args
  if (unit === 'images.listByNames') return (first as readonly string[]).length > MANY_NAMES
  if (unit !== 'images.page' && unit !== 'images.position') return false
  const { query, searchTerm, categories, imageOrigin } = first as View
  if (query || searchTerm || categories?.length || imageOrigin) return true
  return (second as { limit?: number }).limit === -1
}
