export { type Board, isUncategorized, uncategorizedBoard } from '#client/boards/board.ts'
export {
  BoardHandle,
  type HandleUploadOptions,
  type OpenFile,
} from '#client/boards/board-handle.ts'
export { BoardOperations, type ListBoardsOptions } from '#client/boards/board-operations.ts'
export { BoardRepository } from '#client/boards/board-repository.ts'
export { ChangeOperations } from '#client/changes/change-operations.ts'
export type { ListChangesOptions, WatchChangesOptions } from '#client/changes/watch-changes.ts'
export type { EventClock } from '#client/events/event-clock.ts'
export type { EventSocket, EventSocketClass } from '#client/events/event-socket.ts'
export {
  EventStream,
  type EventStreamState,
  type EventStreamTiming,
  type StopListening,
} from '#client/events/event-stream.ts'
export { DownloadOperations, type DownloadSource } from '#client/images/download-operations.ts'
export { ImageOperations, type MoveImagesResult } from '#client/images/image-operations.ts'
export type { ImageView, ImageWindow } from '#client/images/image-view.ts'
export { ImportOperations } from '#client/images/import-operations.ts'
export type { ListImagesOptions } from '#client/images/list-images.ts'
export {
  discardResumable,
  type ResumableOptions,
  uploadResumable,
} from '#client/images/resumable-upload.ts'
export { TrashOperations } from '#client/images/trash-operations.ts'
export { UploadOperations } from '#client/images/upload-operations.ts'
export type {
  UploadFile,
  UploadOptions,
} from '#client/images/upload-options.ts'
export { VideoOperations, type VideoView } from '#client/images/video-operations.ts'
export { DuplicateOperations, type DuplicateView } from '#client/likeness/duplicate-operations.ts'
export { JobHandle, type WaitOptions } from '#client/queue/job-handle.ts'
export { type ListModelsOptions, ModelOperations } from '#client/queue/model-operations.ts'
export { type EnqueueOptions, QueueOperations } from '#client/queue/queue-operations.ts'
export { type QueueCallOptions, QueueReading } from '#client/queue/queue-reading.ts'
export { SearchOperations } from '#client/searches/search-operations.ts'
export { TagOperations } from '#client/tags/tag-operations.ts'
export type { CallOptions, UploadProgress } from '#client/transport/call.ts'
export type { Fetch, HttpOptions } from '#client/transport/http.ts'
export {
  type CallPriority,
  Pacer,
  type PacerClock,
  type PacerState,
} from '#client/transport/pacer.ts'
export type { TokenKeeper } from '#client/transport/token-keeper.ts'
export type { BoardChanges, BoardVisibility, DeleteBoardResult } from '#contract/board.ts'
export { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
export type {
  Archive,
  BulkDownload,
  DownloadOptions,
} from '#contract/downloads/download-operations.ts'
export type { EventData, EventName, ServerEvent } from '#contract/events.ts'
export type {
  CopiedImagesResult,
  DeleteImagesResult,
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
  RatedImagesResult,
  StarredImagesResult,
  TaggedImages,
  TaggedImagesResult,
  UnstarredImagesResult,
} from '#contract/image.ts'
export type { ImageFilter } from '#contract/image-filter.ts'
export type { ImageRatios, RatioGroup } from '#contract/image-ratios.ts'
export type {
  AddedImage,
  Import,
  ImportRefusal,
  ImportRequest,
  ImportState,
} from '#contract/import.ts'
export type { FolderEntry, FolderListing } from '#contract/import-operations.ts'
export type {
  DismissedGroup,
  DuplicateGroup,
  DuplicateMatch,
  DuplicateProgress,
  DuplicatesPage,
  KeepReason,
  ResolvedGroup,
  ResolveResult,
  UnresolveResult,
} from '#contract/likeness/duplicates.ts'
export type { ImageWorkflow, NormalMetadata } from '#contract/metadata.ts'
export type { ModelCacheStats, ModelRecord } from '#contract/models/model.ts'
export type {
  Batch,
  BatchStatus,
  DestinationCounts,
  EnqueueBatchResult,
  ProcessorStatus,
  QueueItem,
  QueueItemStatus,
  QueueItemSummary,
  QueueStatus,
} from '#contract/queue/queue.ts'
export type { RefusalCode } from '#contract/refusal.ts'
export type { Facet, FacetKey, FacetValue, ImageFacets } from '#contract/search/facets.ts'
export type {
  BoardStorage,
  ImageInsights,
  InsightKey,
  SeedInsight,
  StorageInsight,
  TypeStorage,
  WordInsight,
} from '#contract/search/insights.ts'
export type {
  CountedSearch,
  NewSearch,
  SavedSearch,
  SearchChanges,
  SearchFilter,
  SearchIcon,
} from '#contract/search/saved-searches.ts'
export type { Tag, TagChange, TagChanges, TagColor } from '#contract/search/tags.ts'
export type {
  Capabilities,
  DemoProgress,
  Extension,
  Rereading,
} from '#contract/server/app-operations.ts'
export type { Account } from '#contract/server/auth-operations.ts'
export type { LibraryChanges } from '#contract/server/change-operations.ts'
export type { Health } from '#contract/server/health-operations.ts'
export type { UpstreamStatus } from '#contract/server/upstream-operations.ts'
export type {
  EmptyTrashResult,
  RestoreResult,
  TrashOrder,
  TrashPage,
  TrashResult,
} from '#contract/trash-operations.ts'
export type { BatchUploadLine } from '#contract/uploads/upload-operations.ts'
export type {
  DeleteVideosResult,
  StarredVideosResult,
  UnstarredVideosResult,
  VideoChanges,
  VideoNamesResult,
  VideoRecord,
  VideosPage,
} from '#contract/videos/video.ts'
export type { VideoCodec, VideoDetails, VideoMediaType } from '#contract/videos/video-details.ts'
export { AuthOperations, type LoginOptions } from './auth-operations.ts'
export {
  type ConnectOptions,
  connect,
  type EventStreamOptions,
  type TesseraClient,
} from './connect.ts'
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
export { ServerOperations } from './server-operations.ts'
