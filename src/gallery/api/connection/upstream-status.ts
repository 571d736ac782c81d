import { queryOptions, useQuery } from '@tanstack/react-query'
import type { TesseraClient, UpstreamStatus } from '#client/index.ts'
import { useClient } from '#gallery/api/parts.ts'
import { useCapabilities } from './capabilities.ts'

/**
 * Polling intervals while InvokeAI is healthy and while it is not, in milliseconds. The page reports an outage within
 * five seconds, of which the server takes two, and its end within two. The requests count in no rate limit.
 */
const WELL_MS = 2_500
const UNWELL_MS = 1_000

/** The status of the InvokeAI server behind this one; null if there is none. */
export const upstreamQuery = (client: Pick<TesseraClient, 'server'>) =>
  queryOptions({
    queryKey: ['upstream'],
    queryFn: ({ signal }): Promise<UpstreamStatus | null> => client.server.upstream({ signal }),
    refetchInterval: ({ state }) => (isUnwell(state.data) ? UNWELL_MS : WELL_MS),
    staleTime: 0,
  })

const isUnwell = (status: UpstreamStatus | null | undefined): boolean =>
  status?.state === 'slow' || status?.state === 'down'

/** Returns the status of the InvokeAI server behind this one; undefined while loading or if there is none. */
export function useUpstreamStatus(): UpstreamStatus | undefined {
  const client = useClient()
  const hasUpstream = useCapabilities()?.front !== undefined
  return useQuery({ ...upstreamQuery(client), enabled: hasUpstream }).data ?? undefined
}
