import { cancelImport } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const cancelImportRoute = defineRoute(cancelImport, async ({ imports }, { params }) =>
  imports.cancel(params.import_id),
)
