import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { memoizeLast } from '#gallery/api/images/memoize-last.ts'
import { dismissed, useGenerationState } from './generation-progress.ts'
import { generationsOf } from './generations-of.ts'
import { cancelAll, cancelItem, pruneEnded, retryItems, setPaused } from './queue-actions.ts'
import { queueQuery } from './queue-queries.ts'
import { activeCountOf, type QueueSnapshot } from './queue-snapshot.ts'

/** What is being made, as the grid, the boards and the queue's panel show it (product P18). */
export interface Generation {
  readonly itemId: number
  readonly batchId: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** Items that run before it; null when it runs or has ended. */
  readonly ahead: number | null
  /** Where its images will land: `none`, or a board's id. */
  readonly boardId: string
  /** Of the image that is made; null while that is not known. */
  readonly sizePx: { readonly width: number; readonly height: number } | null
  /** What it does now, in the server's words. */
  readonly step: string | null
  /** How far it is, 0 to 1; null: not known. */
  readonly fraction: number | null
  /** A small picture of how it looks by now, as a data URL. */
  readonly preview: string | null
  /** Images that it saves carry this ID; null until it runs. */
  readonly sessionId: string | null
  /** Images that it has made so far, without intermediate ones. */
  readonly imageNames: readonly string[]
  /** Why it failed. */
  readonly fault: string | null
  /** When it was put into the queue, in milliseconds since 1970. */
  readonly since: number
}

/** What is being made, waits, has failed and was not dismissed; in the order in which it runs. */
export function useGenerations(): readonly Generation[] {
  const queue = useQuery(queueQuery).data
  const state = useGenerationState()
  return queue ? shownOf(queue, state) : NONE
}

const NONE: readonly Generation[] = []

/** Worked out once for all who show it: each row of the list of boards does. */
const shownOf = memoizeLast(generationsOf)

/** The same of one board; `none` for uncategorized. */
export function useGenerationsOf(boardId: string): readonly Generation[] {
  const all = useGenerations()
  return useMemo(() => all.filter((one) => one.boardId === boardId), [all, boardId])
}

/** How many items run or wait, however long the queue is. */
export const useActiveCount = (): number =>
  useQuery({ ...queueQuery, select: countActive }).data ?? 0

const countActive = (queue: QueueSnapshot | null): number => (queue ? activeCountOf(queue) : 0)

/** Stops an item, or takes it out of the queue before it runs. */
export const cancelGeneration = (itemId: number): Promise<void> => cancelItem(itemId)

/** Puts a failed or canceled item into the queue once more; the old one is no longer shown. */
export const retryGeneration = (itemId: number): Promise<void> => retryItems([itemId])

/** A failed item is no longer shown. The queue still lists it. */
export const dismissGeneration = (itemId: number): void => dismissed([itemId])

/** Stops what runs and takes out what waits. */
export const cancelAllGenerations = (): Promise<void> => cancelAll()

/** Forgets what has ended. The images stay. */
export const clearEnded = (): Promise<void> => pruneEnded()

/** Starts no further item. What runs goes on. */
export const pauseQueue = (): Promise<void> => setPaused(true)

/** Goes on with what waits. */
export const resumeQueue = (): Promise<void> => setPaused(false)
