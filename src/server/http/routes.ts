import { fillDemoLibraryRoute } from '#server/http/app/fill-demo-library.ts'
import { getAppDepsRoute } from '#server/http/app/get-app-deps.ts'
import { getAuthStatusRoute } from '#server/http/app/get-auth-status.ts'
import { getCapabilitiesRoute } from '#server/http/app/get-capabilities.ts'
import { getHealthRoute } from '#server/http/app/get-health.ts'
import { getLoggingLevelRoute } from '#server/http/app/get-logging-level.ts'
import { getPatchmatchStatusRoute } from '#server/http/app/get-patchmatch-status.ts'
import { getRuntimeConfigRoute } from '#server/http/app/get-runtime-config.ts'
import { getVersionRoute } from '#server/http/app/get-version.ts'
import { unservedRoutes } from '#server/http/app/unserved-routes.ts'
import { addImageToBoardRoute } from '#server/http/board-images/add-image-to-board.ts'
import { addImagesToBoardRoute } from '#server/http/board-images/add-images-to-board.ts'
import { removeImageFromBoardRoute } from '#server/http/board-images/remove-image-from-board.ts'
import { removeImagesFromBoardRoute } from '#server/http/board-images/remove-images-from-board.ts'
import { createBoardRoute } from '#server/http/boards/create-board.ts'
import { deleteBoardRoute } from '#server/http/boards/delete-board.ts'
import { getBoardRoute } from '#server/http/boards/get-board.ts'
import { listBoardImageNamesRoute } from '#server/http/boards/list-board-image-names.ts'
import { listBoardsRoute } from '#server/http/boards/list-boards.ts'
import { updateBoardRoute } from '#server/http/boards/update-board.ts'
import { clientStateRoutes } from '#server/http/client-state/client-state-routes.ts'
import { createArchiveRoute } from '#server/http/downloads/create-archive.ts'
import { downloadImagesRoute } from '#server/http/downloads/download-images.ts'
import { getArchiveRoute } from '#server/http/downloads/get-archive.ts'
import { getBulkDownloadRoute } from '#server/http/downloads/get-bulk-download.ts'
import {
  listGalleryItemNamesOldRoute,
  listGalleryItemNamesRoute,
} from '#server/http/gallery/list-gallery-item-names.ts'
import { listGalleryItemsRoute } from '#server/http/gallery/list-gallery-items.ts'
import { listVideosRoute } from '#server/http/gallery/list-videos.ts'
import { copyImagesRoute } from '#server/http/images/copy-images.ts'
import { countIntermediatesRoute } from '#server/http/images/count-intermediates.ts'
import { createImageEntryRoute } from '#server/http/images/create-image-entry.ts'
import { deleteImageRoute } from '#server/http/images/delete-image.ts'
import { deleteImagesRoute } from '#server/http/images/delete-images.ts'
import { deleteIntermediatesRoute } from '#server/http/images/delete-intermediates.ts'
import { deleteUncategorizedImagesRoute } from '#server/http/images/delete-uncategorized-images.ts'
import { getFullImageRoute } from '#server/http/images/get-full-image.ts'
import { getImageRoute } from '#server/http/images/get-image.ts'
import {
  getImageMetadataRoute,
  listImageMetadataRoute,
} from '#server/http/images/get-image-metadata.ts'
import { getImagePositionRoute } from '#server/http/images/get-image-position.ts'
import { getImageUrlsRoute } from '#server/http/images/get-image-urls.ts'
import { getImageWorkflowRoute } from '#server/http/images/get-image-workflow.ts'
import { getThumbnailRoute } from '#server/http/images/get-thumbnail.ts'
import { listImageDaysRoute } from '#server/http/images/list-image-days.ts'
import { listImageNamesRoute } from '#server/http/images/list-image-names.ts'
import { listImagesRoute } from '#server/http/images/list-images.ts'
import { listImagesByNamesRoute } from '#server/http/images/list-images-by-names.ts'
import { starImagesRoute } from '#server/http/images/star-images.ts'
import { unstarImagesRoute } from '#server/http/images/unstar-images.ts'
import { updateImageRoute } from '#server/http/images/update-image.ts'
import { importRoutes } from '#server/http/imports/import-routes.ts'
import { modelRoutes } from '#server/http/models/model-routes.ts'
import { queueRoutes } from '#server/http/queue/queue-routes.ts'
import { emptyTrashRoute } from '#server/http/trash/empty-trash.ts'
import { listTrashRoute } from '#server/http/trash/list-trash.ts'
import { restoreFromTrashRoute } from '#server/http/trash/restore-from-trash.ts'
import { trashBoardRoute } from '#server/http/trash/trash-board.ts'
import { trashImagesRoute } from '#server/http/trash/trash-images.ts'
import { uploadImageRoute } from '#server/http/uploads/upload-image.ts'
import { uploadImageBatchRoute } from '#server/http/uploads/upload-image-batch.ts'
import type { Route } from './route.ts'

/** Every operation that the server carries out. */
export const routes: readonly Route[] = [
  fillDemoLibraryRoute,
  getAppDepsRoute,
  getPatchmatchStatusRoute,
  getLoggingLevelRoute,
  getRuntimeConfigRoute,
  ...clientStateRoutes,
  ...unservedRoutes,
  listGalleryItemNamesOldRoute,
  listGalleryItemNamesRoute,
  listGalleryItemsRoute,
  listVideosRoute,
  getAuthStatusRoute,
  getCapabilitiesRoute,
  getHealthRoute,
  getVersionRoute,
  addImageToBoardRoute,
  addImagesToBoardRoute,
  removeImageFromBoardRoute,
  removeImagesFromBoardRoute,
  createBoardRoute,
  deleteBoardRoute,
  getBoardRoute,
  listBoardImageNamesRoute,
  listBoardsRoute,
  updateBoardRoute,
  createArchiveRoute,
  downloadImagesRoute,
  getArchiveRoute,
  getBulkDownloadRoute,
  copyImagesRoute,
  countIntermediatesRoute,
  createImageEntryRoute,
  deleteImageRoute,
  deleteImagesRoute,
  deleteIntermediatesRoute,
  deleteUncategorizedImagesRoute,
  getFullImageRoute,
  getImageMetadataRoute,
  listImageMetadataRoute,
  getImagePositionRoute,
  getImageUrlsRoute,
  getImageWorkflowRoute,
  getImageRoute,
  getThumbnailRoute,
  listImageDaysRoute,
  listImageNamesRoute,
  listImagesByNamesRoute,
  listImagesRoute,
  starImagesRoute,
  unstarImagesRoute,
  updateImageRoute,
  ...importRoutes,
  ...modelRoutes,
  ...queueRoutes,
  emptyTrashRoute,
  listTrashRoute,
  restoreFromTrashRoute,
  trashBoardRoute,
  trashImagesRoute,
  uploadImageBatchRoute,
  uploadImageRoute,
]
