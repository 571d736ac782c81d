import type { Generated, Kysely } from 'kysely'
import type { BoardVisibility } from '#contract/board.ts'
import type { ImageMediaType } from '#contract/image.ts'
import type { ImageGenerator } from '#contract/metadata.ts'
import type { TagColor } from '#contract/search/tags.ts'
import type { VideoCodec, VideoMediaType } from '#contract/videos/video-details.ts'
import type { ActiveImport, ImportCounts } from '#server/core/imports/active-imports.ts'
import type { StoredSearch } from '#server/core/searches/search-ports.ts'
import type { WorkflowSummary } from '#server/core/workflows/workflow-ports.ts'
import type { QueueTables } from '#server/storage/sql/queue/queue-tables.ts'

/** 0 or 1, because SQLite has no booleans. */
export type Flag = 0 | 1

/**
 * The kind of an item: 0 an image, 1 an intermediate image, 2 a video, 3 an intermediate video. It is the first column of
 * each index of lists and of the counters, so that a list of images neither reads nor counts videos.
 */
export type Kind = 0 | 1 | 2 | 3

/** The row of `boards` for uncategorized images. It is in no list of boards. */
export const UNCATEGORIZED = 0

export interface BoardsTable {
  id: Generated<number>
  board_id: string
  board_name: string
  description: string | null
  board_visibility: BoardVisibility
  archived: Generated<Flag>
  starred: Flag | null
  /** The cover that the user chose. It is used only while it is on the board. */
  cover_image_name: string | null
  /** Milliseconds since 1970, like every time in these tables. */
  created_at: number
  updated_at: number
  deleted_at: number | null
  /** When an image was last uploaded, generated, copied or moved to the board. */
  last_added_at: number | null
  /** The key of the order by hand. null: the board was never moved. */
  position: string | null
}

/** A row is an image or a video. */
export interface ImagesTable {
  id: Generated<number>
  image_name: string
  /** `boards.id`; 0 is uncategorized. */
  board: number
  /** Index into `categories` of codes.ts. */
  category: number
  /** Index into `origins` of codes.ts. */
  origin: number
  kind: Kind
  starred: Flag
  /** 1 to 5. 0: not rated. */
  rating: Generated<number>
  has_workflow: Flag
  width: number
  height: number
  created_at: number
  updated_at: number
  deleted_at: number | null
  taken_at: number | null
  /** `taken_at`, or else `created_at`: the value for sorting and grouping by date. */
  dated_at: number
  /** The value for sorting by name: see name-key.ts. */
  name_key: string
  session_id: string | null
  node_id: string | null
  upload_id: string | null
  file_name: string | null
  file_size: number
  media_type: ImageMediaType | VideoMediaType
  content_hash: Uint8Array
  thumbhash: Uint8Array
  /** The beginning of the prompt. Null without a prompt. */
  prompt_start: string | null
  /** null: not known, because an earlier version added the image. */
  is_animated: Flag | null
  generator: ImageGenerator | null
  /** The version of the reader that read the metadata. 0: an earlier version of Tessera read it. */
  reader_version: number
  /** The trashed board that this image belonged to. Restoring that board restores the image. */
  left_board: number | null
  /** The next five columns are null for an image. In milliseconds. */
  duration: number | null
  /** Frames in 1,000 seconds. null: unknown. */
  frame_rate: number | null
  codec: VideoCodec | null
  has_sound: Flag | null
  /** The time of the chosen poster in milliseconds. null: the server chose one. */
  poster_ms: number | null
}

export interface ImageMetadataTable {
  image: number
  /** InvokeAI's metadata object, as JSON. */
  invokeai: string | null
  /** The normalized metadata, as JSON. */
  normal: string | null
  workflow: string | null
  graph: string | null
}

/** The names of models, LoRAs and so on. */
export interface PropertyValuesTable {
  id: Generated<number>
  /** Index into `namedProperties`. */
  property: number
  /** The same for all spellings. */
  name_key: string
  value: string
}

/** Properties of an image that searches compare. The first five are ids of `property_values`. */
export interface ImagePropertiesTable {
  image: number
  model: number | null
  sampler: number | null
  scheduler: number | null
  camera: number | null
  lens: number | null
  steps: number | null
  /** In thousandths. */
  cfg: number | null
  /** Decimal digits, because numbers have only 53 bits. */
  seed: string | null
}

/** The fingerprint of an image: see core/likeness/fingerprint.ts. */
export interface ImageFingerprintsTable {
  image: number
  hash_high: number
  hash_low: number
  colors_top: number
  colors_middle: number
  colors_bottom: number
}

/** Sets of images that a person said are not duplicates of each other. */
export interface DismissedDuplicatesTable {
  /** SHA-256 of `image_names`. */
  set_key: string
  /** A JSON array, sorted. */
  image_names: string
}

/** Resolved groups of duplicates. */
export interface DuplicateResolutionsTable {
  resolve_id: string
  at: number
  /** JSON of a `Resolution`. */
  undo: string
}

export interface TagsTable {
  id: Generated<number>
  name: string
  /** The same for all spellings. */
  name_key: string
  color: TagColor | null
  /** When the tag was last added to an image. */
  used_at: number
  /** The change that deleted the tag or merged it with another. It and its images stay for an undo. null: the tag exists. */
  gone_by: string | null
}

export interface ImageTagsTable {
  image: number
  tag: number
  /** 1: the tag was merged with another one, which the image had too. */
  had_other: Generated<Flag>
}

export interface TagChangesTable {
  change_id: string
  at: number
  /** JSON of a `TagUndo`. */
  undo: string
}

/** The number of images outside the trash that share these properties. Maintained by triggers. */
export interface ImageCountsTable {
  board: number
  kind: Kind
  category: number
  origin: number
  starred: Flag
  n: number
  bytes: number
}

/** The log of changed images: see migrations/0008-image-changes.ts and 0009-previous-places.ts. */
export interface ImageChangesTable {
  seq: Generated<number>
  /** 0: a board changed. Negative: the image was removed. */
  image: number
  /** 1: the words of the image are new, because it was added or its metadata was read again. */
  is_new: Flag
  /** The board before the change. null: the image was in no view. */
  board: number | null
  kind: Kind | null
  starred: Flag | null
}

/** The searched texts of an image, with spaces between the characters of scripts without word breaks. */
export interface SearchText {
  prompt: string
  negative_prompt: string
  parameters: string
  file_name: string
}

/** Files that imports have read. The key is half of a SHA-256 of the path. */
export interface ImportedFilesTable {
  path_key: Uint8Array
  bytes: number
  /** Microseconds since 1970: precise enough for file systems, and an integer. */
  modified_us: number
  content_hash: Uint8Array
}

/** Unfinished imports, at most one per folder. */
export interface ActiveImportsTable
  extends Pick<ActiveImport, 'folder' | 'import_id' | 'source' | 'boards' | 'board_name'>,
    Omit<ImportCounts, 'is_counted'> {
  link: Flag
  watch: Flag
  /** null: this kind of source leaves out no images. */
  left_out: number | null
  is_counted: Flag
  started_at: number
}

export interface WorkflowsTable extends Omit<WorkflowSummary, 'is_public'> {
  is_public: Flag
  /** JSON. */
  workflow: string
}

export interface SavedSearchesTable extends Omit<StoredSearch, 'filter'> {
  /** JSON. */
  filter: string | null
}

export interface Tables extends QueueTables {
  boards: BoardsTable
  images: ImagesTable
  image_metadata: ImageMetadataTable
  property_values: PropertyValuesTable
  image_properties: ImagePropertiesTable
  image_fingerprints: ImageFingerprintsTable
  dismissed_duplicates: DismissedDuplicatesTable
  duplicate_resolutions: DuplicateResolutionsTable
  image_loras: { image: number; lora: number }
  image_counts: ImageCountsTable
  image_changes: ImageChangesTable
  tombstones: { image_name: string }
  images_fts: SearchText & { rowid: number }
  boards_fts: { rowid: number; board_name: string }
  client_state: { id: Generated<number>; key: string; value: string; updated_at: number }
  imported_files: ImportedFilesTable
  /** `at`: milliseconds since 1970. */
  upkeep_times: { name: string; at: number }
  imports_under_way: ActiveImportsTable
  workflows: WorkflowsTable
  saved_searches: SavedSearchesTable
  tags: TagsTable
  image_tags: ImageTagsTable
  tag_changes: TagChangesTable
  library_changes: LibraryChangesTable
}

/** The log of changes, which clients read. */
export interface LibraryChangesTable {
  seq: Generated<number>
  /** Random. Tells the states of two libraries apart. */
  mark: string
  /** The state before the change. */
  since: string
  /** Milliseconds since 1970. */
  at: number
  /** The source of the change, as its request names it. */
  origin: string | null
  /** JSON of a `LibraryChange`. */
  change: string
}

/** A connection, or the transaction of a unit of work. */
export type Db = Kysely<Tables>
