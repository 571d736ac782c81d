import type { QueueEntry } from '#gallery/api/queue/queue-entry.ts'
import { countOf } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { formatRecent } from '#gallery/ui/text/timestamp.ts'

/** Kinds of nodes that a title names before it says that there are more. */
const MAX_KINDS = 3

/** Who puts items in from this page. Their destination says in words what they are for. */
const THIS_PAGE = 'tessera'

/** What an item is: what a person did here, its prompt, else what its nodes do, else for whom it was put in. */
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

/** `img_resize` as `resize`. */
const wordsOfType = (type: string): string => type.replace(/^img_/, '').replaceAll('_', ' ')

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** What else there is to say of it: how much it is, where it lands, since when. */
export function detailsOf(entry: QueueEntry, boardName: string | null): string {
  const { graph, endedAt, createdAt } = entry
  return [
    graph && countOf(graph.nodeCount, 'node'),
    graph?.makesImages && boardName && isolated(boardName),
    formatRecent(endedAt ?? createdAt),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Why an item that has ended made nothing. */
export function reasonOf(entry: QueueEntry, isInterrupted: boolean): string | null {
  if (entry.status === 'failed') return entry.fault ?? 'Failed. The server gives no reason.'
  if (entry.status !== 'canceled') return null
  return isInterrupted ? 'Interrupted: the server stopped' : 'Canceled'
}
