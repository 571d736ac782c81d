import {
  DEFAULT_HASH_DISTANCE,
  dismissDuplicates,
  listDuplicates,
  resolveDuplicates,
  undismissDuplicates,
  unresolveDuplicates,
} from '#contract/likeness/duplicates.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

export const duplicateRoutes: readonly Route[] = [
  defineRoute(listDuplicates, ({ duplicates }, { query }) => {
    const { match = 'picture', distance = DEFAULT_HASH_DISTANCE, offset = 0, limit = 50 } = query
    const view = viewOf({ ...query, kind: query.kind ?? 'all', is_intermediate: false })
    return duplicates.list(view, { match, distance, offset, limit })
  }),
  defineRoute(resolveDuplicates, ({ duplicates }, { body }) => duplicates.resolve(body.groups)),
  defineRoute(unresolveDuplicates, ({ duplicates }, { body }) =>
    duplicates.unresolve(body.resolve_ids),
  ),
  defineRoute(dismissDuplicates, ({ duplicates }, { body }) => duplicates.dismiss(body.groups)),
  defineRoute(undismissDuplicates, ({ duplicates }, { body }) => duplicates.undismiss(body.groups)),
]
