import type { QueueCounts } from '#contract/queue/queue.ts'
import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { formatTimeLeft } from '#gallery/ui/text/time-left.ts'
import { formatRecent } from '#gallery/ui/text/timestamp.ts'

const MAX_KINDS = 3

/** The origin of items from this page. Their destination is a user-readable description. */
const THIS_PAGE = 'tessera'

/** Returns the title of an item: the user action, its prompt, its node types, or else its destination or origin. */
export function titleOf({ graph, destination, origin, itemId }: QueueEntry): string {
  if (origin === THIS_PAGE && destination !== null) return destination
  if (graph?.prompt) return graph.prompt
  const kinds = [...new Set(graph?.nodeTypes.map(wordsOfType))]
  if (kinds.length > 0) {
    const more = kinds.length > MAX_KINDS ? ' …' : ''
    return sentence(kinds.slice(0, MAX_KINDS).join(', ')) + more
  }
  return destination ?? origin ?? `Item ${itemId}`
}

/** Formats a node type: `img_resize` as `resize`. */
const wordsOfType = (type: string): string => type.replace(/^img_/, '').replaceAll('_', ' ')

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns the details of an item: the number of nodes, the time, and the board, which may be too long for the line. */
export function detailsOf(entry: QueueEntry, boardName: string | null): string {
  const { graph, endedAt, createdAt } = entry
  return [
    graph && countOf(graph.nodeCount, 'node'),
    formatRecent(endedAt ?? createdAt),
    graph?.makesImages && boardName && isolated(boardName),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Returns the reason why an item failed or was canceled; null for other items. */
export function reasonOf(entry: QueueEntry, isInterrupted: boolean): string | null {
  if (entry.status === 'failed') return entry.fault ?? 'Failed. The server gives no reason.'
  if (entry.status !== 'canceled') return null
  return isInterrupted ? 'Interrupted: the server stopped' : 'Canceled'
}

/** Returns the progress of a batch: `3 of 10 done · 1 failed · 6 waiting · 2 min left`, or `10 waiting`. */
export function progressOf(counts: QueueCounts, timeLeftMs: number | null): string {
  const { completed, failed, canceled, pending, waiting = 0, total } = counts
  const waitingCount = pending + waiting
  return (
    [
      waitingCount < total && `${formatCount(completed)} of ${formatCount(total)} done`,
      failed > 0 && `${formatCount(failed)} failed`,
      canceled > 0 && `${formatCount(canceled)} canceled`,
      waitingCount > 0 && `${formatCount(waitingCount)} waiting`,
      timeLeftMs !== null && formatTimeLeft(timeLeftMs),
    ]
      .filter((part) => part !== false)
      // A line break only between the parts.
      .map((part) => part.replaceAll(' ', '\u00a0'))
      .join(' · ')
  )
}
