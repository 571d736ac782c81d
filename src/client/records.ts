import type {
  BoardChanges as WireBoardChanges,
  BoardVisibility as WireBoardVisibility,
  DeleteBoardResult as WireDeleteBoardResult,
} from '#contract/board.ts'
import type {
  Archive as WireArchive,
  BulkDownload as WireBulkDownload,
} from '#contract/download-operations.ts'
import type {
  CopiedImagesResult as WireCopiedImagesResult,
  DeleteImagesResult as WireDeleteImagesResult,
  ImageCategory as WireImageCategory,
  ImageChanges as WireImageChanges,
  ImageCopy as WireImageCopy,
  ImageDay as WireImageDay,
  ImageDays as WireImageDays,
  ImageNamesResult as WireImageNamesResult,
  ImageOrder as WireImageOrder,
  ImageOrigin as WireImageOrigin,
  ImagePosition as WireImagePosition,
  ImageRecord as WireImageRecord,
  ImagesPage as WireImagesPage,
  StarredImagesResult as WireStarredImagesResult,
  UnstarredImagesResult as WireUnstarredImagesResult,
} from '#contract/image.ts'
import type {
  Import as WireImport,
  ImportRefusal as WireImportRefusal,
  ImportRequest as WireImportRequest,
  ImportState as WireImportState,
} from '#contract/import.ts'
import type {
  FolderEntry as WireFolderEntry,
  FolderListing as WireFolderListing,
} from '#contract/import-operations.ts'
import type {
  ImageWorkflow as WireImageWorkflow,
  NormalMetadata as WireNormalMetadata,
} from '#contract/metadata.ts'
import type {
  ModelCacheStats as WireModelCacheStats,
  ModelRecord as WireModelRecord,
} from '#contract/models/model.ts'
import type {
  Batch as WireBatch,
  BatchStatus as WireBatchStatus,
  DestinationCounts as WireDestinationCounts,
  EnqueueBatchResult as WireEnqueueBatchResult,
  ProcessorStatus as WireProcessorStatus,
  QueueItem as WireQueueItem,
  QueueItemStatus as WireQueueItemStatus,
  QueueItemSummary as WireQueueItemSummary,
  QueueStatus as WireQueueStatus,
} from '#contract/queue/queue.ts'
import type { RefusalCode as WireRefusalCode } from '#contract/refusal.ts'
import type {
  Capabilities as WireCapabilities,
  DemoProgress as WireDemoProgress,
  Extension as WireExtension,
  Health as WireHealth,
} from '#contract/server/app-operations.ts'
import type { Account as WireAccount } from '#contract/server/auth-operations.ts'
import type { UpstreamStatus as WireUpstreamStatus } from '#contract/server/upstream-operations.ts'
import type {
  EmptyTrashResult as WireEmptyTrashResult,
  RestoreResult as WireRestoreResult,
  TrashPage as WireTrashPage,
  TrashResult as WireTrashResult,
} from '#contract/trash-operations.ts'
import type { BatchUploadLine as WireBatchUploadLine } from '#contract/upload-operations.ts'

// The public names of the contract's records. They are types only, whereas the contract's names are
// also schemas.

/** Kind of the server, its extensions to InvokeAI's API, and its limits. */
export type Capabilities = WireCapabilities
/** Number of demo images drawn so far, and the total. */
export type DemoProgress = WireDemoProgress
/** Name of an extension to InvokeAI's API. */
export type Extension = WireExtension
/** Health of a server. A response means that the server can read its library. */
export type Health = WireHealth

/** Changes to a board. An absent or null field leaves the property unchanged. */
export type BoardChanges = WireBoardChanges
/** Visibility of a board: who can see it. */
export type BoardVisibility = WireBoardVisibility
/** Result of deleting a board. `deleted_board_images` is filled if its images became uncategorized. */
export type DeleteBoardResult = WireDeleteBoardResult

/** A zip file that the server creates during the download (extension `archives`). */
export type Archive = WireArchive
/** Name under which a zip file can be downloaded once it is ready. */
export type BulkDownload = WireBulkDownload

/** Result of a bulk copy (extension `copies`). */
export type CopiedImagesResult = WireCopiedImagesResult
/** Names of a copy and of its original. */
export type ImageCopy = WireImageCopy
/** Result of a bulk delete. */
export type DeleteImagesResult = WireDeleteImagesResult
/** Category of an image. The specification's `USER` is `user` here. */
export type ImageCategory = WireImageCategory
/** Changes to an image. A null field leaves the property unchanged. */
export type ImageChanges = WireImageChanges
/** All image names of a view. `starred_count` is 0 unless starred images come first. */
export type ImageNamesResult = WireImageNamesResult
/** One day of a view and the number of its images. */
export type ImageDay = WireImageDay
/** The days of a view in view order. Starred images that come first precede all days. */
export type ImageDays = WireImageDays
/** Sort key of a view. */
export type ImageOrder = WireImageOrder
/** Origin of an image: created by a node, or uploaded. */
export type ImageOrigin = WireImageOrigin
/** Zero-based position of an image in a view; null if the image is not in it. */
export type ImagePosition = WireImagePosition
/** Record of an image. Fields that the server does not know are null. */
export type ImageRecord = WireImageRecord
/** A page of images. `total` counts all matching images. */
export type ImagesPage = WireImagesPage
/** Result of starring images. */
export type StarredImagesResult = WireStarredImagesResult
/** Result of removing the star from images. */
export type UnstarredImagesResult = WireUnstarredImagesResult

/** Embedded workflow and graph of an image, as JSON text. */
export type ImageWorkflow = WireImageWorkflow
/** Metadata that image generators and cameras write into files, in one normalized form. */
export type NormalMetadata = WireNormalMetadata

/** An import and its progress. */
export type Import = WireImport
/** A file that the import refused, and the reason. */
export type ImportRefusal = WireImportRefusal
/** A folder to import, and the options of the import. */
export type ImportRequest = WireImportRequest
/** State of an import. `completed`, `failed` and `canceled` are final. */
export type ImportState = WireImportState
/** A folder on the server's machine, as an entry of a folder listing. */
export type FolderEntry = WireFolderEntry
/** A folder on the server's machine and its subfolders. */
export type FolderListing = WireFolderListing

/** An account of an InvokeAI in multi-user mode. */
export type Account = WireAccount
/** State of the InvokeAI behind a Tessera. */
export type UpstreamStatus = WireUpstreamStatus

/** Code of a refusal. Branch on it, never on the message. */
export type RefusalCode = WireRefusalCode

/** Result of emptying the trash: the permanently deleted images and boards. */
export type EmptyTrashResult = WireEmptyTrashResult
/** Result of restoring images and boards from the trash. */
export type RestoreResult = WireRestoreResult
/** A page of the trash, most recently trashed first. */
export type TrashPage = WireTrashPage
/** Result of moving images or a board to the trash. */
export type TrashResult = WireTrashResult

/** One line of a batch upload's response: a record or a refusal. */
export type BatchUploadLine = WireBatchUploadLine

/** A model that the server can run, with the fields that all kinds of models share. */
export type ModelRecord = WireModelRecord
/** Statistics of the model cache since the server started. */
export type ModelCacheStats = WireModelCacheStats

/** A graph to run, and the number of runs. */
export type Batch = WireBatch
/** Number of items of a batch by status. */
export type BatchStatus = WireBatchStatus
/** Number of items of a destination by status. */
export type DestinationCounts = WireDestinationCounts
/** State of the queue processor. `is_started` is false while it is paused. */
export type ProcessorStatus = WireProcessorStatus
/** A queue item without its graph and other large fields. */
export type QueueItemSummary = WireQueueItemSummary
/** Result of enqueueing a batch. `item_ids` is sorted newest first. */
export type EnqueueBatchResult = WireEnqueueBatchResult
/** One run of a graph. */
export type QueueItem = WireQueueItem
/** Status of a queue item. `completed`, `failed` and `canceled` are final. */
export type QueueItemStatus = WireQueueItemStatus
/** Number of queue items by status, and the running item. */
export type QueueStatus = WireQueueStatus
