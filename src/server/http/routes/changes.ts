import { MAX_LISTED_CHANGES } from '#contract/limits.ts'
import { listChanges } from '#contract/server/change-operations.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const changeRoutes: readonly Route[] = [
  defineRoute(listChanges, ({ changes }, { query }) => {
    const { since, limit = MAX_LISTED_CHANGES, except_origin, include_records } = query
    return changes.list({
      since,
      limit,
      exceptOrigin: except_origin ?? null,
      includesRecords: include_records ?? false,
    })
  }),
]
