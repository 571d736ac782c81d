import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UpstreamStatus } from '#client/index.ts'
import { useCapabilities } from './capabilities.ts'
import { gallery } from './connection.ts'

/** How often it is asked while all is well, and while it is not, in milliseconds. It counts in no limit. */
const WELL_MS = 10_000
const UNWELL_MS = 3_000

/** How the InvokeAI is that the page's server stands in front of; null where it stands in front of none. */
export const upstreamQuery = queryOptions({
  queryKey: ['upstream'],
  queryFn: ({ signal }): Promise<UpstreamStatus | null> => gallery.server.upstream({ signal }),
  refetchInterval: ({ state }) => (state.data?.state === 'up' ? WELL_MS : UNWELL_MS),
  staleTime: 0,
})

/** The same, as long as somebody looks; undefined until it is known, and where there is none. */
export function useUpstreamStatus(): UpstreamStatus | undefined {
  const hasUpstream = useCapabilities()?.front !== undefined
  return useQuery({ ...upstreamQuery, enabled: hasUpstream }).data ?? undefined
}
