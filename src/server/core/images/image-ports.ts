import type { NamedItem } from '#contract/downloads/name-pattern.ts'
import type { GalleryItem } from '#contract/gallery-operations.ts'
import type {
  AddedImagesResult,
  DeleteImagesResult,
  ImageCategory,
  ImageChanges,
  ImageCopy,
  ImageDays,
  ImageMediaType,
  ImageNamesResult,
  ImageOrder,
  ImageOrigin,
  ImagePosition,
  ImageRecord,
  RatedImagesResult,
  RemovedImagesResult,
} from '#contract/image.ts'
import type { ImageFilter } from '#contract/image-filter.ts'
import type { ImageRatios } from '#contract/image-ratios.ts'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import type { NamedMetadata, NormalMetadata } from '#contract/metadata.ts'
import type { FacetKey, ImageFacets } from '#contract/search/facets.ts'
import type { ImageInsights, InsightKey } from '#contract/search/insights.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import type { VideoCodec, VideoMediaType } from '#contract/videos/video-details.ts'
import type { Fingerprint } from '#server/core/likeness/fingerprint.ts'
import { Refusal } from '#server/core/refusal.ts'

/** A filter and order of images. No view contains images in the trash. */
export interface View extends ImageFilter {
  /** ID of a board, `none` for uncategorized images, absent for all boards. An unknown ID gives an empty view. */
  boardId?: string
  orderBy: ImageOrder
  orderDir: 'ASC' | 'DESC'
  starredFirst: boolean
  /** Case-insensitive substring of the metadata text or of created_at, with the wildcards `%` and `_`. */
  searchTerm?: string
  /** Words and "phrases" for the full-text index. */
  query?: string
}

/** A view whose order puts the images of a day next to each other. */
export type DatedView = View & { orderBy: 'created_at' | 'taken_at' }

export interface FacetOptions {
  keys: readonly FacetKey[]
  /** Only values that contain this text. Absent: all values. */
  text?: string | undefined
  /** Maximum number of values of each property. */
  limit: number
  /** IANA name. It divides time into months. */
  timeZone: string
  /** False: conditions on a property limit its own values too. Default: true. */
  alternatives?: boolean
}

/** The parts of `insights`. */
export interface InsightOptions {
  keys: readonly InsightKey[]
  /** Maximum number of values of each list. */
  limit: number
}

/** A part of a view: from a position, or after a named image. `limit` -1 means all. */
export type PageWindow = { limit: number } & ({ offset: number } | { after: string })

export interface ImagesOfPage {
  items: ImageRecord[]
  total: number
  /** Total size of the files of the view in bytes; null for a search. */
  totalBytes: number | null
  /** Videos among `total`; null for a search. */
  videoCount: number | null
}

export interface EmbeddedMetadata {
  /**
   * InvokeAI's object, or the upload's `metadata` part, as the original JSON text: parsing would change some numbers
   * (`1.0`, seeds beyond 2^53).
   */
  invokeai: string | null
  normal: NormalMetadata | null
  workflow: string | null
  graph: string | null
}

/** Stored JSON of an image: InvokeAI's object, the normal form, or both texts of `ImageWorkflow`. */
export type EmbeddedText = 'invokeai' | 'normal' | 'workflow'

/** Kinds of metadata that an image has. */
export interface EmbeddedTexts {
  hasInvokeai: boolean
  /** Names in `raw` of the normal form; empty if there is no normal form. */
  rawNames: string[]
}

/** JSON in UTF-8, streamed so that only one piece is in memory. */
export interface JsonText {
  bytes: number
  pieces: AsyncIterable<Uint8Array>
}

/** All names of a view. The list is JSON text: as strings, a million names take three times the memory. */
export interface NamesOfView extends Omit<ImageNamesResult, 'image_names'> {
  /** A JSON array that can be read only once. */
  image_names: JsonText
}

/** The properties of a video that images do not have. */
export interface VideoFacts {
  duration_ms: number
  /** Frames in 1,000 seconds. null: unknown. */
  frame_rate: number | null
  codec: VideoCodec
  has_sound: boolean
}

/** An image whose bytes are durable and whose row is not yet written. */
export interface NewImage {
  image_name: string
  board_id: string | null
  image_origin: ImageOrigin
  image_category: ImageCategory
  is_intermediate: boolean
  session_id: string | null
  node_id: string | null
  width: number
  height: number
  file_name: string | null
  file_size: number
  media_type: ImageMediaType | VideoMediaType
  /** Absent for an image. */
  video?: VideoFacts
  /** Time of the chosen poster of a video, in milliseconds. Absent or null: none was chosen. */
  poster_ms?: number | null
  content_hash: string
  /** At most 25 bytes. */
  thumbhash: Uint8Array
  /** null: a video without a poster. */
  fingerprint: Fingerprint | null
  is_animated: boolean
  /** Milliseconds since 1970. */
  taken_at: number | null
  /** Milliseconds since 1970; absent: now. */
  created_at?: number
  starred?: boolean
  /** 1 to 5. Absent or 0: not rated. */
  rating?: number
  /** Valid names of tags (`tagNameIn`). Absent: none. */
  tags?: readonly string[]
  upload_id: string | null
  metadata: EmbeddedMetadata
}

export interface ArchiveEntry extends NamedItem {
  image_category: ImageCategory
  file_size: number
  /** SHA-256, hexadecimal. */
  content_hash: string
}

/** Reads of videos, and changes that only videos have. Whatever changes images also changes videos, by name (`ImageRecords`). */
export interface VideoRecords {
  get(videoName: string): Promise<VideoRecord | null>
  /**
   * Stores which frame is the poster of a video. `timeMs` null: the server chose the frame. An empty `thumbhash`: the
   * video has no poster.
   *
   * @returns null: no such video outside the trash.
   */
  setPoster(
    videoName: string,
    poster: {
      timeMs: number | null
      thumbhash: Uint8Array
      /** null: the video has no poster. */
      fingerprint: Fingerprint | null
    },
  ): Promise<VideoRecord | null>
  /** Pages of videos; `view.kind` is ignored. */
  page(
    view: View,
    window: { offset: number; limit: number },
  ): Promise<{ items: VideoRecord[]; total: number }>
}

/** Reads of images and videos together. */
export interface GalleryRecords {
  page(
    view: View,
    window: { offset: number; limit: number },
  ): Promise<{ items: GalleryItem[]; total: number }>
}

/** Images and videos. What takes names serves both kinds; a view contains images unless its `kind` asks for others. */
export interface ImageRecords {
  /** Adds a row, or returns the image whose `upload_id` is known. `board_not_found`: nothing was added. */
  add(image: NewImage): Promise<{ image: ImageRecord; isRepeat: boolean } | 'board_not_found'>
  /** Adds new images, all or none, without looking up upload IDs. Returns their number, or `board_not_found`. */
  addMany(images: readonly NewImage[]): Promise<number | 'board_not_found'>
  /**
   * Adds copies to a board (`none` allowed), in this order. A copy has all data of its original except name, board,
   * creation time and `upload_id`. Skips originals that are unknown or in the trash.
   *
   * @returns The names of the added copies, or `'board_not_found'` if nothing was added.
   */
  addCopies(copies: readonly ImageCopy[], boardId: string): Promise<string[] | 'board_not_found'>
  get(imageName: string): Promise<ImageRecord | null>
  /** True if an item of this name exists, also a video or in the trash. */
  isThere(imageName: string): Promise<boolean>
  getByUploadId(uploadId: string): Promise<ImageRecord | null>
  /** Returns the oldest image with these bytes (SHA-256, hexadecimal) that a gallery shows, or null. */
  getByContentHash(contentHash: string): Promise<ImageRecord | null>
  /** Returns images in the order of the names. Skips unknown names and repeats repeated ones. */
  listByNames(imageNames: readonly string[]): Promise<ImageRecord[]>
  /** Returns null if the image named by `after` does not exist. */
  page(view: View, window: PageWindow): Promise<ImagesOfPage | null>
  names(view: View): Promise<NamesOfView>
  /** Counts the images of a view by day of a time zone. The time zone must be valid. */
  days(view: DatedView, timeZone: string): Promise<ImageDays>
  /** Sums the ratios of a view. A valid time zone divides a dated view by day; null: one group. */
  ratios(view: View, timeZone: string | null): Promise<ImageRatios>
  /** Counts the values of properties in a view. The time zone must be valid. */
  facets(view: View, options: FacetOptions): Promise<ImageFacets>
  /** Sums up the images of a view. The uncategorized board has no name. */
  insights(view: View, options: InsightOptions): Promise<ImageInsights>
  /** Returns null if the image does not exist. */
  position(view: View, imageName: string): Promise<ImagePosition | null>
  /** Returns the image names of a board; null for an unknown board, never for `none`. */
  namesOnBoard(
    view: View & { boardId: string },
    window?: { offset: number; limit: number },
  ): Promise<JsonText | null>
  metadata(imageName: string): Promise<EmbeddedMetadata | null>
  /** Returns the normal form of each image, with an empty `raw`. Skips unknown names. */
  listMetadata(imageNames: readonly string[]): Promise<NamedMetadata[]>
  /** Returns null if the image does not exist. */
  embeddedTexts(imageName: string): Promise<EmbeddedTexts | null>
  /** Streams stored JSON, `null` if the image has no such text. Returns null if the image does not exist. */
  embeddedJson(imageName: string, text: EmbeddedText): Promise<JsonText | null>
  update(imageName: string, changes: ImageChanges): Promise<ImageRecord | null>
  /** Skips unknown names. */
  setStarred(
    imageNames: readonly string[],
    starred: boolean,
  ): Promise<{ affected_boards: string[]; image_names: string[] }>
  /** Skips unknown names. */
  setRating(imageNames: readonly string[], rating: number): Promise<RatedImagesResult>
  /** Adds images to a board. Returns null if the board does not exist. Skips unknown names. */
  addToBoard(imageNames: readonly string[], boardId: string): Promise<AddedImagesResult | null>
  removeFromBoard(imageNames: readonly string[]): Promise<RemovedImagesResult>
  /** Permanently deletes rows, also of the trash, and adds tombstones. Unknown names are in `failed_images`. */
  remove(imageNames: readonly string[]): Promise<DeleteImagesResult>
  removeUncategorized(kind?: 'image' | 'video'): Promise<DeleteImagesResult>
  countIntermediates(): Promise<number>
  removeIntermediates(): Promise<number>
  /** Returns entries of a board (`none` allowed; null if it does not exist) or of names. Skips unknown names. */
  archiveEntries(
    source: { boardId: string } | { imageNames: readonly string[] },
  ): Promise<ArchiveEntry[] | null>
}

/** @throws {Refusal} `too_many_names`. */
export const assertNamesFit = (...lists: readonly (readonly string[])[]): void => {
  const count = lists.reduce((sum, names) => sum + names.length, 0)
  if (count > MAX_NAMES_PER_REQUEST) throw new Refusal('too_many_names')
}
