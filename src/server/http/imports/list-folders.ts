import { listFolders } from '#contract/import-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const listFoldersRoute = defineRoute(listFolders, ({ listFolders }, { query }) =>
  listFolders(query.path ?? null),
)
