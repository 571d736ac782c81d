import { resumeImport } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const resumeImportRoute = defineRoute(resumeImport, async ({ imports }, { params }) =>
  imports.resume(params.import_id),
)
