import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient, usePart } from '#gallery/api/parts.ts'
import { useGenerationState } from './generation-progress.ts'
import type { Generation } from './generations-of.ts'
import { Queue } from './queue.ts'
import { queueQuery, useQueue } from './queue-queries.ts'
import { activeCountOf, type QueueSnapshot } from './queue-snapshot.ts'

/** Returns running, waiting and failed generations that are not dismissed, in execution order. */
export function useGenerations(): readonly Generation[] {
  const part = usePart(Queue)
  const queue = useQueue()
  const state = useGenerationState()
  return queue ? part.generations(queue, state) : NONE
}

const NONE: readonly Generation[] = []

/** Returns the generations of one board; `none` for uncategorized. */
export function useGenerationsOf(boardId: string): readonly Generation[] {
  const all = useGenerations()
  return useMemo(() => all.filter((one) => one.boardId === boardId), [all, boardId])
}

/** Returns the number of all running and waiting items. */
export const useActiveCount = (): number =>
  useQuery({ ...queueQuery(useClient()), select: countActive }).data ?? 0

const countActive = (queue: QueueSnapshot | null): number => (queue ? activeCountOf(queue) : 0)
