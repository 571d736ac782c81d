import type { Board, BoardChanges, BoardVisibility, DeleteBoardResult } from '#contract/board.ts'
import type { ItemKind } from '#contract/image.ts'
import { MAX_CLIENT_STATE_KEYS, MAX_CLIENT_STATE_LENGTH } from '#contract/limits.ts'
import type {
  EmptyTrashResult,
  RestoreResult,
  TrashOrder,
  TrashPage,
  TrashResult,
} from '#contract/trash-operations.ts'
import type { ChangeRecords } from '#server/core/changes/change-ports.ts'
import type { ExportRecords } from '#server/core/exports/export-ports.ts'
import type { GalleryRecords, ImageRecords, VideoRecords } from '#server/core/images/image-ports.ts'
import type { FileMetadata } from '#server/core/images/picture-ports.ts'
import type { ActiveImportRecords } from '#server/core/imports/active-imports.ts'
import type { ImportRecords } from '#server/core/imports/import-records.ts'
import type { PendingFiles } from '#server/core/intake/file-ports.ts'
import type { DuplicateRecords } from '#server/core/likeness/duplicate-ports.ts'
import type { Fingerprint } from '#server/core/likeness/fingerprint.ts'
import type { ProcessorRecords, QueueRecords } from '#server/core/queue/queue-ports.ts'
import type { SavedSearchRecords } from '#server/core/searches/search-ports.ts'
import type { TagRecords } from '#server/core/tags/tag-ports.ts'
import type { ProcessLocks } from '#server/core/upkeep/process-locks.ts'
import type { WorkflowRecords } from '#server/core/workflows/workflow-ports.ts'
import { Refusal } from './refusal.ts'

/**
 * The storage interfaces that core needs. Every method is one unit of work: it succeeds completely or changes
 * nothing, and no transaction is open when it returns. Records have the form of the API in every layer.
 */

export interface BoardRecords {
  /** Lists all boards if `page` is absent. `total` counts all matching boards. */
  list(options: {
    orderBy: 'created_at' | 'board_name'
    direction: 'ASC' | 'DESC'
    includeArchived: boolean
    page?: { offset: number; limit: number }
  }): Promise<{ items: Board[]; total: number }>
  get(boardId: string): Promise<Board | null>
  create(board: { board_name: string; board_visibility: BoardVisibility }): Promise<Board>
  /** Returns null if the board does not exist, or `'cover_image_not_found'` if nothing was changed. */
  update(boardId: string, changes: BoardChanges): Promise<Board | null | 'cover_image_not_found'>
  /** Deletes the rows permanently and adds tombstones for their files. Returns null if the board does not exist. */
  remove(boardId: string, options: { images: 'keep' | 'delete' }): Promise<DeleteBoardResult | null>
}

export interface TrashImagesOptions {
  /** True: images that were restored to another board return to the board that they had in the trash. */
  undoesRestore?: boolean | undefined
}

export interface TrashBoardOptions {
  images: 'keep' | 'trash'
  /** Maximum number of images per unit of work. The board remains while it has more images. */
  maxImages?: number | undefined
}

export interface RestoreRequest {
  imageNames: readonly string[]
  boardIds: readonly string[]
  /** Maximum number of images per board and unit of work. The board is restored with the first of them. */
  maxImagesOfBoard?: number | undefined
}

/** A part of the trash. The default order is `deleted_at`, descending. */
export interface TrashWindow {
  offset: number
  limit: number
  orderBy?: TrashOrder | undefined
  orderDir?: 'ASC' | 'DESC' | undefined
  /** True adds the size of all images in the trash, which reads every one of them. */
  includeSize?: boolean | undefined
  /** Default: images. */
  kind?: ItemKind | undefined
}

export interface TrashRecords {
  trashImages(imageNames: readonly string[], options?: TrashImagesOptions): Promise<TrashResult>
  /** Returns null for an unknown board. With `keep`, images are uncategorized until the board is restored. */
  trashBoard(boardId: string, options: TrashBoardOptions): Promise<TrashResult | null>
  /** Also returns the images of a board that {@link TrashBoardOptions.maxImages} trashed only in part. */
  restore(what: RestoreRequest): Promise<RestoreResult>
  /** Restores images to a board instead of theirs; `none` is uncategorized. Returns null for an unknown board. */
  restoreTo(boardId: string, imageNames: readonly string[]): Promise<RestoreResult | null>
  page(window: TrashWindow): Promise<TrashPage>
  /** Permanently deletes images and boards that were trashed before `before` (milliseconds since 1970). */
  purge(before: number): Promise<EmptyTrashResult>
}

/** Expected file of a record. */
export interface RecordedFile {
  imageName: string
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
}

/** One kind of damage. */
export interface DatabaseFault {
  kind: 'structure' | 'index' | 'schema' | 'references' | 'counters' | 'search'
  /** One sentence for the user. */
  text: string
  /** True if the rest of the database suffices to repair it. */
  canRepair: boolean
}

/** Keeps records and files consistent. */
export interface Upkeep {
  /** Returns names of images whose rows are deleted and whose files must still be deleted. */
  tombstones(limit: number): Promise<string[]>
  forgetTombstones(imageNames: readonly string[]): Promise<void>
  /** Returns image names after `after`, in order of name, including images in the trash. */
  allNames(after: string | null, limit: number): Promise<string[]>
  /** Returns the given names that have no image, not even in the trash. */
  unknownNames(imageNames: readonly string[]): Promise<string[]>
  /** Counts images, including those in the trash. */
  countImages(): Promise<number>
  /**
   * Checks the database for damage. `quick` takes seconds for a million images, `full` a minute.
   *
   * @param signal - Cancels the check. The promise settles after its database connection is closed.
   * @returns Empty if there is no damage.
   */
  checkDatabase(depth: 'quick' | 'full', signal?: AbortSignal): Promise<DatabaseFault[]>
  /** Repairs damage with `canRepair`, except in the search index. Deletes no image and no board. */
  repairDatabase(): Promise<void>
  /** Rebuilds the search index. Calls `onProgress` with the number of indexed images. */
  rebuildSearch(onProgress: (done: number) => void): Promise<void>
  /** Reconnects and writes to the database and to its folder. Throws while the disk fails. */
  checkDisk(): Promise<void>
  /** Opens the database again at its path, after its folder was away. Throws if another library is there now. */
  reopen(): Promise<void>
  /** Returns expected files of records after `after`, in order of name, including images in the trash. */
  files(after: string | null, limit: number): Promise<RecordedFile[]>
  /** Returns the times stored with `setTimes`, by name, in milliseconds since 1970. */
  getTimes(): Promise<Record<string, number>>
  setTimes(times: Readonly<Record<string, number>>): Promise<void>
  /** Returns when the database was created, in milliseconds since 1970. */
  madeAt(): Promise<number>
  /** Returns the time in milliseconds since 1970, by a clock that all processes of the library share. */
  now(): Promise<number>
  /** Grows with every change of a record. It is part of the ETag of lists: an unchanged list needs no query. */
  revision(): Promise<number>
}

/** An image that an earlier reader read. */
export interface OutdatedImage {
  imageName: string
  /** False: only its fingerprint is missing. */
  needsMetadata: boolean
  /** Time of the chosen poster of a video. null: none was chosen. */
  posterMs: number | null
  /** The `metadata` part of the upload, as JSON text. */
  given: string | null
  /** The texts of the files beside an imported file, by file name. */
  sidecars: Readonly<Record<string, string>>
}

/** An image that was read again. It is not listed again. */
export interface RereadImage {
  imageName: string
  /** null: its file was not read, or cannot be read. The stored metadata stays. */
  read: FileMetadata | null
  /** Absent or null: nothing was drawn, or can be. The stored fingerprint stays. */
  fingerprint?: Fingerprint | null
}

/** Finds images that earlier readers read, also in the trash. A reader with a higher version reads more. */
export interface RereadRecords {
  /** Counts images that a reader below this version read. */
  count(readerVersion: number): Promise<number>
  /** Returns images that a reader below this version read, the newest first. */
  list(readerVersion: number, limit: number): Promise<OutdatedImage[]>
  /**
   * Replaces metadata, with the words of the search and the values that lists show, and fingerprints. Skips images that
   * were deleted or read meanwhile. Names, boards, stars, categories and dates stay.
   */
  store(readerVersion: number, images: readonly RereadImage[]): Promise<void>
  /**
   * Stores the properties of images whose metadata is complete, and which were added before there were properties.
   * Returns their number. 0: all images have their properties.
   */
  describe(limit: number): Promise<number>
}

/** Texts that clients store, by key, within the limits that {@link storeClientState} checks. */
export interface ClientStateRecords {
  /** Returns null if the key has no value. */
  get(key: string): Promise<string | null>
  /** Returns false, without a change, if there are already `maxKeys` other keys. */
  set(key: string, value: string, bounds: { maxKeys: number }): Promise<boolean>
  /** Returns the keys that begin with `prefix`, in order. */
  keys(prefix: string): Promise<string[]>
  /** Deletes the value of a key, or all values if `key` is null. */
  delete(key: string | null): Promise<void>
}

/** @throws {Refusal} `body_too_large`: the text is too long, or the maximum number of keys is reached. */
export async function storeClientState(
  records: ClientStateRecords,
  key: string,
  value: string,
): Promise<void> {
  if (value.length > MAX_CLIENT_STATE_LENGTH) {
    const detail = `At most ${MAX_CLIENT_STATE_LENGTH} characters are kept under a key.`
    throw new Refusal('body_too_large', detail)
  }
  const isStored = await records.set(key, value, { maxKeys: MAX_CLIENT_STATE_KEYS })
  if (isStored) return
  throw new Refusal('body_too_large', `At most ${MAX_CLIENT_STATE_KEYS} keys are kept.`)
}

export interface Records {
  boards: BoardRecords
  changes: ChangeRecords
  exports: ExportRecords
  images: ImageRecords
  videos: VideoRecords
  gallery: GalleryRecords
  imports: ImportRecords
  activeImports: ActiveImportRecords
  trash: TrashRecords
  queue: QueueRecords
  clientState: ClientStateRecords
  workflows: WorkflowRecords
  savedSearches: SavedSearchRecords
  duplicates: DuplicateRecords
  tags: TagRecords
  upkeep: Upkeep
  rereads: RereadRecords
  /** Only in a database that several processes can use. */
  processors?: ProcessorRecords
  /** Only in a database that several processes can use. */
  locks?: ProcessLocks
  /** Only in a database that is used with a store which is too large to be compared with the records. */
  pending?: PendingFiles
  close(): Promise<void>
}
