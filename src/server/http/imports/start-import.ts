import { startImport } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const startImportRoute = defineRoute(startImport, ({ imports }, { body }) =>
  imports.start(body),
)
