import {
  cancelImport,
  getImport,
  listAddedImages,
  listFolders,
  listImportRefusals,
  listImports,
  pauseImport,
  resumeImport,
  startImport,
} from '#contract/import-operations.ts'
import {
  MAX_LISTED_ADDED_IMAGES,
  MAX_LISTED_REFUSALS,
  MAX_NAMED_REFUSALS,
} from '#contract/limits.ts'
import type { TypedOperation } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

/** Like `defineRoute`. Refuses if several processes use the library, because each has another disk. */
const defineImportRoute = <T extends TypedOperation>(
  operation: T,
  handle: Parameters<typeof defineRoute<T>>[1],
): Route =>
  defineRoute<T>(operation, async (parts, call) => {
    if (parts.about.extensions.includes('imports')) return handle(parts, call)
    throw new Refusal(
      'not_on_this_machine',
      'Several processes use this library, and each has another disk. Drop the folder into the page instead.',
    )
  })

export const importRoutes: readonly Route[] = [
  defineImportRoute(listFolders, ({ listFolders }, { query }) => listFolders(query.path ?? null)),
  defineImportRoute(startImport, ({ imports }, { body }) => imports.start(body)),
  defineImportRoute(listImports, async ({ imports }) =>
    imports.list().map((one) => ({ ...one, refusals: one.refusals.slice(0, MAX_LISTED_REFUSALS) })),
  ),
  defineImportRoute(getImport, async ({ imports }, { params }) => imports.get(params.import_id)),
  defineImportRoute(
    listImportRefusals,
    async ({ imports }, { params, query: { offset = 0, limit = MAX_NAMED_REFUSALS } }) =>
      imports.refusals(params.import_id, { offset, limit }),
  ),
  defineImportRoute(
    listAddedImages,
    async ({ imports }, { params, query: { offset = 0, limit = MAX_LISTED_ADDED_IMAGES } }) =>
      imports.added(params.import_id, { offset, limit }),
  ),
  defineImportRoute(pauseImport, async ({ imports }, { params }) =>
    imports.pause(params.import_id),
  ),
  defineImportRoute(resumeImport, async ({ imports }, { params }) =>
    imports.resume(params.import_id),
  ),
  defineImportRoute(cancelImport, async ({ imports }, { params }) =>
    imports.cancel(params.import_id),
  ),
]
