import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { memoizeLast } from '#gallery/api/images/memoize-last.ts'
import { type Progress, useGenerationState } from './generation-progress.ts'
import { generationsOf } from './generations-of.ts'
import type { QueueEntry } from './queue-entry.ts'
import { queueQuery, useQueue } from './queue-queries.ts'
import { activeCountOf, type QueueSnapshot } from './queue-snapshot.ts'

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

/** Returns running, waiting and failed generations that are not dismissed, in execution order. */
export function useGenerations(): readonly Generation[] {
  const queue = useQueue()
  const state = useGenerationState()
  return queue ? shownOf(queue, state) : NONE
}

const NONE: readonly Generation[] = []

/** Memoized, because each row of the board list uses it. */
const shownOf = memoizeLast(generationsOf)

/** Returns the generations of one board; `none` for uncategorized. */
export function useGenerationsOf(boardId: string): readonly Generation[] {
  const all = useGenerations()
  return useMemo(() => all.filter((one) => one.boardId === boardId), [all, boardId])
}

/** Returns the number of all running and waiting items. */
export const useActiveCount = (): number =>
  useQuery({ ...queueQuery(useGallery().client), select: countActive }).data ?? 0

const countActive = (queue: QueueSnapshot | null): number => (queue ? activeCountOf(queue) : 0)
