import { getImport } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getImportRoute = defineRoute(getImport, async ({ imports }, { params }) =>
  imports.get(params.import_id),
)
