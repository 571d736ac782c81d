import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { memoizeLast } from '#gallery/api/images/memoize-last.ts'
import { useGenerationState } from './generation-progress.ts'
import { generationsOf } from './generations-of.ts'
import { queueQuery, useQueue } from './queue-queries.ts'
import { activeCountOf, type QueueSnapshot } from './queue-snapshot.ts'

/** A queue item that generates images, as the grid, the boards and the queue panel show it. */
export interface Generation {
  readonly itemId: number
  readonly batchId: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** The number of items that run before it; null if it runs or has ended. */
  readonly ahead: number | null
  /** The board of its images: a board ID, or `none`. */
  readonly boardId: string
  /** The size of its image; null while unknown. */
  readonly sizePx: { readonly width: number; readonly height: number } | null
  /** The current progress message of the server. */
  readonly step: string | null
  /** The progress from 0 to 1; null if unknown. */
  readonly fraction: number | null
  /** A small preview of its image, as a data URL. */
  readonly preview: string | null
  /** The session ID of its images; null until it runs. */
  readonly sessionId: string | null
  /** The images that it has saved so far, without intermediate ones. */
  readonly imageNames: readonly string[]
  /** The reason of its failure. */
  readonly fault: string | null
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
