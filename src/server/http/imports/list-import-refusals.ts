import { listImportRefusals } from '#contract/import-operations.ts'
import { MAX_NAMED_REFUSALS } from '#contract/limits.ts'
import { defineRoute } from '#server/http/route.ts'

export const listImportRefusalsRoute = defineRoute(
  listImportRefusals,
  async ({ imports }, { params, query: { offset = 0, limit = MAX_NAMED_REFUSALS } }) =>
    imports.refusals(params.import_id, { offset, limit }),
)
