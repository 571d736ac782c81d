import { useEffect } from 'react'
import { completeEntries } from '#gallery/api/queue-cache.ts'
import type { QueueEntry } from '#gallery/api/queue-entry.ts'

/** Asks what items are of which only the short form is known: while the list of them is looked at, once for all. */
export function useCompleteEntries(entries: readonly QueueEntry[]): void {
  const unknown = entries.filter(({ graph }) => graph === null).map(({ itemId }) => itemId)
  const key = unknown.join(' ')
  useEffect(() => {
    // Without an answer they go by their numbers.
    if (key !== '') completeEntries(key.split(' ').map(Number)).catch(() => {})
  }, [key])
}
