import pLimit from 'p-limit'
import type { View } from '#server/core/image-ports.ts'
import { Refusal } from '#server/core/refusal.ts'

const MANY_NAMES = 1000

const LONG = new Set([
  'images.days',
  'images.names',
  'images.namesOnBoard',
  'images.archiveEntries',
  'queue.itemIds',
  'upkeep.allNames',
])

/** Whether a unit of work may take long: lists of every name, days, searches, thousands of records. */
export const isLongRead = (unit: string, args: readonly unknown[]): boolean => {
  if (LONG.has(unit)) return true
  const [first, second] = args
  if (unit === 'images.listByNames') return (first as readonly string[]).length > MANY_NAMES
  if (unit !== 'images.page' && unit !== 'images.position') return false
  const { query, searchTerm } = first as View
  return Boolean(query || searchTerm) || (second as { limit?: number }).limit === -1
}

/** Lets long reads use all threads but one, so that none of them holds up what is quick. */
export const limitLongReads = (threads: number, maxQueued: number) => {
  const limit = pLimit(Math.max(1, threads - 1))
  return <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= maxQueued) throw new Refusal('busy')
    return limit(work)
  }
}
