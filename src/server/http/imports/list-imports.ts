import { listImports } from '#contract/import-operations.ts'
import { MAX_LISTED_REFUSALS } from '#contract/limits.ts'
import { defineRoute } from '#server/http/route.ts'

export const listImportsRoute = defineRoute(listImports, async ({ imports }) =>
  imports.list().map((one) => ({ ...one, refusals: one.refusals.slice(0, MAX_LISTED_REFUSALS) })),
)
