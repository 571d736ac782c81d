import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UpstreamStatus } from '#client/index.ts'
import { useCapabilities } from './capabilities.ts'
import { gallery } from './connection.ts'

/**
 * How often it is asked while all is well, and while it is not, in milliseconds: a silence is said within
 * five seconds, of which the server takes two, and its end within two. It counts in no limit.
 */
const WELL_MS = 2_500
const UNWELL_MS = 1_000

/** How the InvokeAI is that the page's server stands in front of; null where it stands in front of none. */
export const upstreamQuery = queryOptions({
  queryKey: ['upstream'],
  queryFn: ({ signal }): Promise<UpstreamStatus | null> => gallery.server.upstream({ signal }),
  refetchInterval: ({ state }) => (isUnwell(state.data) ? UNWELL_MS : WELL_MS),
  staleTime: 0,
})

const isUnwell = (status: UpstreamStatus | null | undefined): boolean =>
  status?.state === 'slow' || status?.state === 'down'

/** The same, as long as somebody looks; undefined until it is known, and where there is none. */
export function useUpstreamStatus(): UpstreamStatus | undefined {
  const hasUpstream = useCapabilities()?.front !== undefined
  return useQuery({ ...upstreamQuery, enabled: hasUpstream }).data ?? undefined
}
