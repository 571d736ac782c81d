import { type GenerationState, NO_PROGRESS, type Progress } from './generation-progress.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { QueueSnapshot } from './queue-snapshot.ts'

/** A queue item that generates images, as the grid, the boards and the queue panel show it. */
export interface Generation
  extends Pick<QueueEntry, 'itemId' | 'batchId' | 'fault'>,
    Omit<Progress, 'boardId' | 'uninserted'> {
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** The number of items that run before it; null if it runs or has ended. */
  readonly ahead: number | null
  /** The board of its images: a board ID, or `none`. */
  readonly boardId: string
  /** When it was enqueued, in milliseconds since 1970. */
  readonly since: number
}

/** The grid shows a failure for this long, in milliseconds. Afterwards only the queue lists it. */
export const FAILURE_SHOWN_MS = 60 * 60_000

/** Returns the active and failed generations, and the completed ones whose images are not in the views yet. */
export function generationsOf(
  { live, ended }: QueueSnapshot,
  { progress, dismissed, interrupted }: GenerationState,
  now = Date.now(),
): Generation[] {
  const isUninserted = ({ itemId }: QueueEntry) =>
    (progress.get(itemId)?.uninserted.length ?? 0) > 0
  const hasFailed = (entry: QueueEntry) =>
    (entry.status === 'failed' || interrupted.has(entry.itemId)) &&
    !dismissed.has(entry.itemId) &&
    now - (entry.endedAt ?? entry.createdAt) < FAILURE_SHOWN_MS
  const inserting = ended.filter((entry) => entry.status === 'completed' && isUninserted(entry))
  const shown = [...inserting, ...live, ...ended.filter(hasFailed)]
  return shown
    .filter((entry) => makesImages(entry, progress.get(entry.itemId)))
    .map((entry) => {
      const status = statusOf(entry)
      const { boardId, sizePx, uninserted: _, ...known } = progress.get(entry.itemId) ?? NO_PROGRESS
      return {
        itemId: entry.itemId,
        batchId: entry.batchId,
        status,
        ahead: status === 'pending' ? live.indexOf(entry) : null,
        ...known,
        boardId: boardId ?? entry.graph?.boardId ?? 'none',
        sizePx: sizePx ?? entry.graph?.sizePx ?? null,
        fault: status === 'failed' ? (entry.fault ?? INTERRUPTED) : null,
        since: entry.createdAt,
      }
    })
}

/** The reason for an item that was interrupted by a stop of the server. */
export const INTERRUPTED = 'Interrupted before it finished.'

/** An item with an unknown graph counts as creating images after an event named a board. */
const makesImages = ({ graph }: QueueEntry, progress: Progress | undefined): boolean =>
  graph?.makesImages ?? (progress?.boardId ?? null) !== null

function statusOf({ status }: QueueEntry): Generation['status'] {
  if (status === 'waiting') return 'pending'
  return status === 'canceled' ? 'failed' : status
}
