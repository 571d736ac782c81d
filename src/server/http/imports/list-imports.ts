import { listImports } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listImportsRoute = defineRoute(listImports, async ({ imports }) => imports.list())
