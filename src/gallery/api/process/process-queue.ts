import { useQuery } from '@tanstack/react-query'
import { queueQuery } from '#gallery/api/queue/queue-queries.ts'

/** Whether the server has a queue that images can be given to. False until it is known. */
export const useHasQueue = (): boolean => (useQuery(queueQuery).data ?? null) !== null
