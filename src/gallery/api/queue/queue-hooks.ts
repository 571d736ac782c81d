import { useQuery } from '@tanstack/react-query'
import { type Progress, useGenerationState } from './generation-progress.ts'
import { queueQuery } from './queue-queries.ts'
import type { QueueSnapshot } from './queue-snapshot.ts'

/** The queue; null where the server has none, undefined while that is not known. */
export const useQueue = (): QueueSnapshot | null | undefined => useQuery(queueQuery).data

/** How far an item is; undefined where events have told nothing of it. */
export const useProgress = (itemId: number): Progress | undefined =>
  useGenerationState().progress.get(itemId)

/** Items that were stopped without anybody having asked for it. */
export const useInterrupted = (): ReadonlySet<number> => useGenerationState().interrupted
