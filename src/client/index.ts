export { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
export type { EventData, EventName, ServerEvent } from '#contract/events.ts'
export { AuthOperations, type LoginOptions } from './auth-operations.ts'
export { type Board, isUncategorized, uncategorizedBoard } from './board.ts'
export { BoardHandle, type HandleUploadOptions, type OpenFile } from './board-handle.ts'
export { BoardOperations, type ListBoardsOptions } from './board-operations.ts'
export { BoardRepository } from './board-repository.ts'
export type { CallOptions, UploadProgress } from './call.ts'
export {
  type ConnectOptions,
  connect,
  type EventStreamOptions,
  type TesseraClient,
} from './connect.ts'
export { DownloadOperations, type DownloadSource } from './download-operations.ts'
export {
  ConnectionError,
  DeletionFailedError,
  GalleryError,
  ImageNotFoundError,
  ImageNotOnBoardError,
  isRefused,
  type RefusedCode,
  RefusedError,
} from './errors.ts'
export type { EventClock } from './event-clock.ts'
export type { EventSocket, EventSocketClass } from './event-socket.ts'
export {
  EventStream,
  type EventStreamState,
  type EventStreamTiming,
} from './event-stream.ts'
export type { Fetch, HttpOptions } from './http.ts'
export { ImageOperations, type MoveImagesResult } from './image-operations.ts'
export type { ImageView, ImageWindow } from './image-view.ts'
export { ImportOperations } from './import-operations.ts'
export type { ListImagesOptions } from './list-images.ts'
export { type ListModelsOptions, ModelOperations } from './model-operations.ts'
export { type Lane, Pacer, type PacerClock, type PacerState } from './pacer.ts'
export { type EnqueueOptions, QueueOperations } from './queue-operations.ts'
export { type QueueCallOptions, QueueReading } from './queue-operations-reading.ts'
export type {
  Account,
  Archive,
  Batch,
  BatchStatus,
  BatchUploadLine,
  BoardChanges,
  BoardVisibility,
  BulkDownload,
  Capabilities,
  CopiedImagesResult,
  DeleteBoardResult,
  DeleteImagesResult,
  DemoProgress,
  DestinationCounts,
  EmptyTrashResult,
  EnqueueBatchResult,
  Extension,
  FolderEntry,
  FolderListing,
  Health,
  ImageCategory,
  ImageChanges,
  ImageCopy,
  ImageDay,
  ImageDays,
  ImageNamesResult,
  ImageOrder,
  ImageOrigin,
  ImagePosition,
  ImageRecord,
  ImagesPage,
  ImageWorkflow,
  Import,
  ImportRefusal,
  ImportRequest,
  ImportState,
  ModelCacheStats,
  ModelRecord,
  NormalMetadata,
  ProcessorStatus,
  QueueItem,
  QueueItemStatus,
  QueueItemSummary,
  QueueStatus,
  RefusalCode,
  RestoreResult,
  StarredImagesResult,
  TrashPage,
  TrashResult,
  UnstarredImagesResult,
  UpstreamStatus,
} from './records.ts'
export { ServerOperations } from './server-operations.ts'
export type { TokenKeeper } from './token-keeper.ts'
export { TrashOperations } from './trash-operations.ts'
export { type UploadFile, UploadOperations, type UploadOptions } from './upload-operations.ts'
