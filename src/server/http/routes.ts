import { appRoutes } from '#server/http/routes/app.ts'
import { boardRoutes } from '#server/http/routes/boards.ts'
import { changeRoutes } from '#server/http/routes/changes.ts'
import { clientStateRoutes } from '#server/http/routes/client-state.ts'
import { downloadRoutes } from '#server/http/routes/downloads.ts'
import { duplicateRoutes } from '#server/http/routes/duplicates.ts'
import { galleryRoutes } from '#server/http/routes/gallery.ts'
import { imageRoutes } from '#server/http/routes/images.ts'
import { importRoutes } from '#server/http/routes/imports.ts'
import { modelRoutes } from '#server/http/routes/models.ts'
import { unservedRoutes } from '#server/http/routes/not-implemented.ts'
import { queueRoutes } from '#server/http/routes/queue.ts'
import { resumableUploadRoutes } from '#server/http/routes/resumable-uploads.ts'
import { searchRoutes } from '#server/http/routes/searches.ts'
import { tagRoutes } from '#server/http/routes/tags.ts'
import { trashRoutes } from '#server/http/routes/trash.ts'
import { uploadRoutes } from '#server/http/routes/uploads.ts'
import { videoRoutes } from '#server/http/routes/videos.ts'
import { workflowRoutes } from '#server/http/routes/workflows.ts'
import type { Route } from './route.ts'

/** All operations of the server. */
export const routes: readonly Route[] = [
  ...appRoutes,
  ...boardRoutes,
  ...clientStateRoutes,
  ...downloadRoutes,
  ...duplicateRoutes,
  ...galleryRoutes,
  ...imageRoutes,
  ...importRoutes,
  ...modelRoutes,
  ...queueRoutes,
  ...searchRoutes,
  ...tagRoutes,
  ...trashRoutes,
  ...uploadRoutes,
  ...resumableUploadRoutes,
  ...videoRoutes,
  ...changeRoutes,
  ...workflowRoutes,
  ...unservedRoutes,
]
