import { pauseImport } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const pauseImportRoute = defineRoute(pauseImport, async ({ imports }, { params }) =>
  imports.pause(params.import_id),
)
