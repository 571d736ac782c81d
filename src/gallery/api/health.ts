import { queryOptions } from '@tanstack/react-query'
import type { Health } from '#contract/app-operations.ts'
import { gallery } from './connection.ts'

/** How often a library that may be read-only is looked at, in milliseconds. It counts in no limit. */
const CHECK_EVERY_MS = 2_000

/** Whether the library takes changes. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }): Promise<Health> => gallery.server.health({ signal }),
  refetchInterval: CHECK_EVERY_MS,
  staleTime: 0,
})
