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

// The library's names for what travels: types alone, while the contract's names are schemas as well.

/** Which server answers, what it adds to InvokeAI and within which limits. */
export type Capabilities = WireCapabilities
/** How many pictures of a demo library are drawn, of how many. */
export type DemoProgress = WireDemoProgress
/** What a server can do beyond InvokeAI, by name. */
export type Extension = WireExtension
/** A server that can read its library. */
export type Health = WireHealth

/** What may be changed about a board. An absent or null key leaves that property as it is. */
export type BoardChanges = WireBoardChanges
/** Who may see a board (wire 1). */
export type BoardVisibility = WireBoardVisibility
/** What deleting a board did. `deleted_board_images` is filled when its images were kept. */
export type DeleteBoardResult = WireDeleteBoardResult

/** A zip that is made while it is fetched (extension `archives`). */
export type Archive = WireArchive
/** Where a zip will be found when it is made (wire 2.7). */
export type BulkDownload = WireBulkDownload

/** The result of a bulk copy (extension `copies`). */
export type CopiedImagesResult = WireCopiedImagesResult
/** A copy and the image that it was made from. */
export type ImageCopy = WireImageCopy
/** What a bulk delete did (spec 2.4). */
export type DeleteImagesResult = WireDeleteImagesResult
/** What an image is for (wire 2.1). The specification's `USER` is `user`. */
export type ImageCategory = WireImageCategory
/** What may be changed about an image. Null leaves as it is. */
export type ImageChanges = WireImageChanges
/** Every name of a view. `starred_count` is 0 unless starred images come first. */
export type ImageNamesResult = WireImageNamesResult
/** One day of a view and how many of its images it has. */
export type ImageDay = WireImageDay
/** The days of a view, in its order, behind what starred images stand before them. */
export type ImageDays = WireImageDays
/** By what a view can be ordered. */
export type ImageOrder = WireImageOrder
/** Where an image came from: made by a node, or uploaded. */
export type ImageOrigin = WireImageOrigin
/** Where an image stands in a view, from 0; null: not in it. */
export type ImagePosition = WireImagePosition
/** An image (spec 2.3). Null for what the server does not know. */
export type ImageRecord = WireImageRecord
/** A page of images. `total` counts all that match. */
export type ImagesPage = WireImagesPage
/** What starring many images did. */
export type StarredImagesResult = WireStarredImagesResult
/** What taking the star from many images did. */
export type UnstarredImagesResult = WireUnstarredImagesResult

/** The embedded workflow and graph, as JSON text. */
export type ImageWorkflow = WireImageWorkflow
/** What generators and cameras write into their files, in one form. */
export type NormalMetadata = WireNormalMetadata

/** An import and how far it is. */
export type Import = WireImport
/** A file that was not taken in, and why. */
export type ImportRefusal = WireImportRefusal
/** A folder to bring in, and how. */
export type ImportRequest = WireImportRequest
/** `completed`, `failed` and `canceled` are final. */
export type ImportState = WireImportState
/** A folder on the server's machine, as one to choose. */
export type FolderEntry = WireFolderEntry
/** A folder on the server's machine and the folders in it. */
export type FolderListing = WireFolderListing

/** An account of an InvokeAI in multi-user mode. */
export type Account = WireAccount
/** What a Tessera that stands in front of an InvokeAI knows of it. */
export type UpstreamStatus = WireUpstreamStatus

/** The name of a refusal. Branch on it, never on the words. */
export type RefusalCode = WireRefusalCode

/** What emptying the trash deleted for good. */
export type EmptyTrashResult = WireEmptyTrashResult
/** What came back from the trash. */
export type RestoreResult = WireRestoreResult
/** What is in the trash, newest there first. */
export type TrashPage = WireTrashPage
/** What went to the trash. */
export type TrashResult = WireTrashResult

/** One line of a batch upload's answer: a record or a refusal. */
export type BatchUploadLine = WireBatchUploadLine

/** A model that a server can run: what all kinds have in common. */
export type ModelRecord = WireModelRecord
/** What keeping models in memory came to since the server started. */
export type ModelCacheStats = WireModelCacheStats

/** A graph to be run, and how often. */
export type Batch = WireBatch
/** How many items of a batch stand where. */
export type BatchStatus = WireBatchStatus
/** How many items with a destination stand where. */
export type DestinationCounts = WireDestinationCounts
/** Whether the queue is being worked through. Paused: `is_started` is false. */
export type ProcessorStatus = WireProcessorStatus
/** What of a queue item is short. */
export type QueueItemSummary = WireQueueItemSummary
/** What enqueueing did. `item_ids` has the newest first. */
export type EnqueueBatchResult = WireEnqueueBatchResult
/** One run of a graph. */
export type QueueItem = WireQueueItem
/** What becomes of a queue item. `completed`, `failed` and `canceled` are final. */
export type QueueItemStatus = WireQueueItemStatus
/** How many items stand where, and which of them runs. */
export type QueueStatus = WireQueueStatus
