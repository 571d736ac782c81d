import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Rereading, TesseraClient } from '#client/index.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useHasExtension } from './capabilities.ts'

/** Interval of requests while metadata is read, in milliseconds. They count in no rate limit. */
const LOOK_MS = 3_000

/** How far the server has read metadata again after an update. null: it has ended, until the server starts again. */
const rereadingQuery = (client: TesseraClient) =>
  queryOptions({
    queryKey: ['rereading'],
    queryFn: ({ signal }): Promise<Rereading | null> => client.server.rereading({ signal }),
    refetchInterval: ({ state }) => (state.data ? LOOK_MS : false),
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  })

export function useRereading(): Rereading | null {
  const { client } = useGallery()
  const isKnown = useHasExtension('rereading')
  return useQuery({ ...rereadingQuery(client), enabled: isKnown }).data ?? null
}
