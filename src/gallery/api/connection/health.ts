import { queryOptions } from '@tanstack/react-query'
import type { Health } from '#contract/server/app-operations.ts'
import { gallery } from './connection.ts'

/** Polling interval in milliseconds. Health requests count in no limit. */
const CHECK_EVERY_MS = 2_000

/** Tells if the library is read-only, and why. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }): Promise<Health> => gallery.server.health({ signal }),
  refetchInterval: CHECK_EVERY_MS,
  staleTime: 0,
})
