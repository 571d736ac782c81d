import type { Route } from '#server/http/route.ts'
import { cancelImportRoute } from './cancel-import.ts'
import { getImportRoute } from './get-import.ts'
import { listFoldersRoute } from './list-folders.ts'
import { listImportRefusalsRoute } from './list-import-refusals.ts'
import { listImportsRoute } from './list-imports.ts'
import { pauseImportRoute } from './pause-import.ts'
import { resumeImportRoute } from './resume-import.ts'
import { startImportRoute } from './start-import.ts'

/** Folders of this machine are brought in. */
export const importRoutes: readonly Route[] = [
  listFoldersRoute,
  startImportRoute,
  listImportsRoute,
  getImportRoute,
  listImportRefusalsRoute,
  pauseImportRoute,
  resumeImportRoute,
  cancelImportRoute,
]
