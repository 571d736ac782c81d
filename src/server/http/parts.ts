import type { Capabilities } from '#contract/server/app-operations.ts'
import type { ActiveWork } from '#server/core/active-work.ts'
import type { BoardService } from '#server/core/boards/board-service.ts'
import type { ChangeFeed } from '#server/core/changes/change-feed.ts'
import type { ChangeOrigin } from '#server/core/changes/change-ports.ts'
import type { ArchiveService } from '#server/core/exports/archive-service.ts'
import type { CopyService } from '#server/core/images/copy-service.ts'
import type { GalleryService } from '#server/core/images/gallery-service.ts'
import type { ImageService } from '#server/core/images/image-service.ts'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type { PlayableService } from '#server/core/images/playable-service.ts'
import type { PosterService } from '#server/core/images/poster-service.ts'
import type { ThumbnailService } from '#server/core/images/thumbnail-service.ts'
import type { TrashService } from '#server/core/images/trash-service.ts'
import type { VideoService } from '#server/core/images/video-service.ts'
import type { ListFolders } from '#server/core/imports/import-ports.ts'
import type { ImportService } from '#server/core/imports/import-service.ts'
import type { DemoService } from '#server/core/intake/demo-service.ts'
import type { FileLinks, ImageFiles } from '#server/core/intake/file-ports.ts'
import type { IngestService } from '#server/core/intake/ingest-service.ts'
import type { ResumableUploads } from '#server/core/intake/resumable-uploads.ts'
import type { DuplicateService } from '#server/core/likeness/duplicate-service.ts'
import type { RequestLimits } from '#server/core/limits/request-limits.ts'
import type { ModelService } from '#server/core/models/model-service.ts'
import type { GraphEngine } from '#server/core/queue/engine-ports.ts'
import type { QueueProcessor } from '#server/core/queue/queue-processor.ts'
import type { QueueService } from '#server/core/queue/queue-service.ts'
import type { Records } from '#server/core/record-ports.ts'
import type { SearchService } from '#server/core/searches/search-service.ts'
import type { TagService } from '#server/core/tags/tag-service.ts'
import type { LibraryState } from '#server/core/upkeep/library-state.ts'
import type { ReadinessService } from '#server/core/upkeep/readiness.ts'
import type { RereadService } from '#server/core/upkeep/reread-service.ts'
import type { WorkflowService } from '#server/core/workflows/workflow-service.ts'
import type { EventConnections } from '#server/http/events/event-routes.ts'
import type { MetricSource } from './metrics.ts'

/** Services that the routes call, and records for requests without further rules. */
export interface Parts {
  records: Pick<Records, 'boards' | 'images' | 'queue' | 'clientState'>
  boards: BoardService
  changes: Pick<ChangeFeed, 'list'>
  /** The origin of the request that runs now. */
  origin: ChangeOrigin
  images: ImageService
  videos: VideoService
  posters: PosterService
  /** null: this server makes no playable copies. */
  playable: PlayableService | null
  trash: TrashService
  archives: ArchiveService
  gallery: GalleryService
  copies: CopyService
  demo: DemoService
  imports: ImportService
  listFolders: ListFolders
  ingest: IngestService
  /** null: uploads cannot go on after a break. */
  resumable: ResumableUploads | null
  thumbnails: ThumbnailService
  models: ModelService
  queue: QueueService
  workflows: WorkflowService
  searches: SearchService
  duplicates: DuplicateService
  tags: TagService
  processor: QueueProcessor
  invocationCache: GraphEngine['cache']
  originals: OriginalCheck
  files: Pick<ImageFiles, 'read' | 'readPart'>
  /** Links to the store of the files; null: this server sends all bytes. */
  links: FileLinks | null
  /** Work of requests, which continues when the client disconnects. */
  requestWork: ActiveWork
  eventConnections: EventConnections
  requestLimits: RequestLimits
  /** The read-only state of the library, with its reason. */
  state: LibraryState
  readiness: ReadinessService
  rereads: Pick<RereadService, 'noteUse' | 'progress'>
  /** Numbers of the parts for `/metrics`. */
  metricSources: readonly MetricSource[]
  /** Version, limits and extensions of this server. */
  about: Capabilities
  /** Returns a string that changes with every change of a record. */
  revision(): Promise<string>
}
