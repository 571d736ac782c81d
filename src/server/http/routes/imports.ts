import {
  cancelImport,
  getImport,
  listFolders,
  listImportRefusals,
  listImports,
  pauseImport,
  resumeImport,
  startImport,
} from '#contract/import-operations.ts'
import { MAX_LISTED_REFUSALS, MAX_NAMED_REFUSALS } from '#contract/limits.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const importRoutes: readonly Route[] = [
  defineRoute(listFolders, ({ listFolders }, { query }) => listFolders(query.path ?? null)),
  defineRoute(startImport, ({ imports }, { body }) => imports.start(body)),
  defineRoute(listImports, async ({ imports }) =>
    imports.list().map((one) => ({ ...one, refusals: one.refusals.slice(0, MAX_LISTED_REFUSALS) })),
  ),
  defineRoute(getImport, async ({ imports }, { params }) => imports.get(params.import_id)),
  defineRoute(
    listImportRefusals,
    async ({ imports }, { params, query: { offset = 0, limit = MAX_NAMED_REFUSALS } }) =>
      imports.refusals(params.import_id, { offset, limit }),
  ),
  defineRoute(pauseImport, async ({ imports }, { params }) => imports.pause(params.import_id)),
  defineRoute(resumeImport, async ({ imports }, { params }) => imports.resume(params.import_id)),
  defineRoute(cancelImport, async ({ imports }, { params }) => imports.cancel(params.import_id)),
]
