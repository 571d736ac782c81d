import {
  type AddedImagesResult,
  type DeleteImagesResult,
  type ImageCategory,
  type ImageChanges,
  type ImageCopy,
  type ImageDays,
  type ImageMediaType,
  type ImageNamesResult,
  type ImageOrder,
  type ImageOrigin,
  type ImagePosition,
  type ImageRecord,
  type ImageUrls,
  imagePaths,
  type RemovedImagesResult,
} from '#contract/image.ts'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import type { NamedMetadata, NormalMetadata } from '#contract/metadata.ts'
import { pathOf } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Which images, in which order. Rows in the trash belong to no view. */
export interface View {
  /** A board's id, `none` for the uncategorized images, absent for every board. An unknown id is an empty view. */
  boardId?: string
  categories?: readonly ImageCategory[]
  imageOrigin?: ImageOrigin
  /** Absent: both kinds. */
  isIntermediate?: boolean
  orderBy: ImageOrder
  orderDir: 'ASC' | 'DESC'
  starredFirst: boolean
  /** A case-insensitive substring of the metadata text or of created_at, with `%` and `_` as wildcards (wire 2.4). */
  searchTerm?: string
  /** Words and "phrases" for the full-text index. */
  query?: string
}

/** A view in an order in which the images of a day stand together. */
export type DatedView = View & { orderBy: 'created_at' | 'taken_at' }

/** Which part of a view: by position, or behind a named image. `limit` -1 means all. */
export type PageWindow = { limit: number } & ({ offset: number } | { after: string })

/** Images of a page, and how many there are in the whole view. */
export interface ImagesOfPage {
  items: ImageRecord[]
  total: number
  /** Bytes of all files of the view; null for a search. */
  totalBytes: number | null
}

/** What was read out of a file, beside its pixels. */
export interface EmbeddedMetadata {
  /**
   * InvokeAI's own object, or what the upload's `metadata` part gave: the JSON text as it was written,
   * since a parsed number may be another (`1.0`, seeds beyond 2^53).
   */
  invokeai: string | null
  normal: NormalMetadata | null
  workflow: string | null
  graph: string | null
}

/** JSON that an image has: InvokeAI's object, the normal form, or both texts of `ImageWorkflow`. */
export type EmbeddedText = 'invokeai' | 'normal' | 'workflow'

/** Which metadata an image has. */
export interface EmbeddedTexts {
  hasInvokeai: boolean
  /** The names in `raw` of the normal form; empty without a normal form. */
  rawNames: string[]
}

/** JSON in UTF-8, of which one piece is in memory at a time. */
export interface JsonText {
  bytes: number
  pieces: AsyncIterable<Uint8Array>
}

/** Every name of a view. The list is text: as strings, a million names take three times the memory. */
export interface NamesOfView extends Omit<ImageNamesResult, 'image_names'> {
  /** A JSON array, which can be read once. */
  image_names: JsonText
}

/** An image whose bytes are durable and whose row is about to be written. */
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
  media_type: ImageMediaType
  content_hash: string
  /** At most 25 bytes. */
  thumbhash: Uint8Array
  /** Milliseconds since 1970. */
  taken_at: number | null
  /** Milliseconds since 1970; absent: now. */
  created_at?: number
  starred?: boolean
  upload_id: string | null
  metadata: EmbeddedMetadata
}

/** What an archive needs to know of an image. */
export interface ArchiveEntry {
  image_name: string
  image_category: ImageCategory
  file_name: string | null
  file_size: number
  /** SHA-256, hexadecimal. */
  content_hash: string
}

export interface ImageRecords {
  /**
   * Adds a row. A known `upload_id` adds nothing and answers the image that is there.
   * `'board_not_found'`: nothing was added.
   */
  add(image: NewImage): Promise<{ image: ImageRecord; isRepeat: boolean } | 'board_not_found'>
  /**
   * Adds the rows of new images, all or none, for filling a library: upload_ids are not looked up.
   * `'board_not_found'`: nothing was added, else how many were.
   */
  addMany(images: readonly NewImage[]): Promise<number | 'board_not_found'>
  /**
   * Adds copies to a board (`none` allowed), in this order. A copy has everything that is known of its original
   * except name, board, arrival and `upload_id`. Originals that are unknown or in the trash are left out.
   *
   * @returns The names of the copies that were added. `'board_not_found'`: none was.
   */
  addCopies(copies: readonly ImageCopy[], boardId: string): Promise<string[] | 'board_not_found'>
  get(imageName: string): Promise<ImageRecord | null>
  getByUploadId(uploadId: string): Promise<ImageRecord | null>
  /** The oldest image with these bytes (SHA-256, hexadecimal) that a gallery shows; null: there is none. */
  getByContentHash(contentHash: string): Promise<ImageRecord | null>
  /** In the order asked for; unknown names are left out, repeats are repeated. */
  listByNames(imageNames: readonly string[]): Promise<ImageRecord[]>
  /** null: the image named by `after` is not there. */
  page(view: View, window: PageWindow): Promise<ImagesOfPage | null>
  names(view: View): Promise<NamesOfView>
  /** How a view divides into days of a time zone, which is one that is known. */
  days(view: DatedView, timeZone: string): Promise<ImageDays>
  /** null: no such image. */
  position(view: View, imageName: string): Promise<ImagePosition | null>
  /** `board_id/image_names` (wire 1): null for an unknown board, never for `none`. */
  namesOnBoard(
    view: View & { boardId: string },
    window?: { offset: number; limit: number },
  ): Promise<JsonText | null>
  metadata(imageName: string): Promise<EmbeddedMetadata | null>
  /** The normal form of each, with an empty `raw`; unknown names are left out. */
  listMetadata(imageNames: readonly string[]): Promise<NamedMetadata[]>
  /** null: no such image. */
  embeddedTexts(imageName: string): Promise<EmbeddedTexts | null>
  /** Megabytes of JSON in pieces: `null` where the image has no such text. null: no such image. */
  embeddedJson(imageName: string, text: EmbeddedText): Promise<JsonText | null>
  update(imageName: string, changes: ImageChanges): Promise<ImageRecord | null>
  /** Unknown names are left out of the answer. */
  setStarred(
    imageNames: readonly string[],
    starred: boolean,
  ): Promise<{ affected_boards: string[]; image_names: string[] }>
  /** Puts images on a board. null: no such board. Unknown names are left out. */
  addToBoard(imageNames: readonly string[], boardId: string): Promise<AddedImagesResult | null>
  removeFromBoard(imageNames: readonly string[]): Promise<RemovedImagesResult>
  /** Rows out and tombstones in, for good, trashed images included. Unknown names land in `failed_images`. */
  remove(imageNames: readonly string[]): Promise<DeleteImagesResult>
  removeUncategorized(): Promise<DeleteImagesResult>
  countIntermediates(): Promise<number>
  removeIntermediates(): Promise<number>
  /** Of a board (`none` allowed; null: no such board) or of names; unknown names are left out. */
  archiveEntries(
    source: { boardId: string } | { imageNames: readonly string[] },
  ): Promise<ArchiveEntry[] | null>
}

/** @throws {Refusal} `too_many_names`. */
export const assertNamesFit = (...lists: readonly (readonly string[])[]): void => {
  const count = lists.reduce((sum, names) => sum + names.length, 0)
  if (count > MAX_NAMES_PER_REQUEST) throw new Refusal('too_many_names')
}

/** Where an image is served, relative to the server and without a leading slash (wire 0). */
export const imageUrls = (imageName: string): ImageUrls => ({
  image_name: imageName,
  image_url: pathOf({ path: imagePaths.full }, { image_name: imageName }).slice(1),
  thumbnail_url: pathOf({ path: imagePaths.thumbnail }, { image_name: imageName }).slice(1),
})
