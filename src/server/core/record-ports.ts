import type { Board, BoardChanges, BoardVisibility, DeleteBoardResult } from '#contract/board.ts'
import type {
  EmptyTrashResult,
  RestoreResult,
  TrashPage,
  TrashResult,
} from '#contract/trash-operations.ts'
import type { ExportRecords } from '#server/core/exports/export-ports.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import type { ActiveImportRecords } from '#server/core/imports/active-imports.ts'
import type { ImportRecords } from '#server/core/imports/import-records.ts'
import type { QueueRecords } from '#server/core/queue/queue-ports.ts'

/**
 * What core needs from the outside. Every method is one whole unit of work: it happens entirely or not
 * at all, and no transaction is open when it returns. Records have the wire's form in every layer.
 */

export interface BoardRecords {
  list(options: {
    orderBy: 'created_at' | 'board_name'
    direction: 'ASC' | 'DESC'
    includeArchived: boolean
    page?: { offset: number; limit: number }
  }): Promise<{ items: Board[]; total: number }>
  get(boardId: string): Promise<Board | null>
  create(board: { board_name: string; board_visibility: BoardVisibility }): Promise<Board>
  /** null: no such board. `'cover_image_not_found'`: nothing was changed. */
  update(boardId: string, changes: BoardChanges): Promise<Board | null | 'cover_image_not_found'>
  /** Rows out and tombstones in, for good. null: no such board. */
  remove(boardId: string, options: { images: 'keep' | 'delete' }): Promise<DeleteBoardResult | null>
}

export interface TrashBoardOptions {
  images: 'keep' | 'trash'
  /** Images in this unit of work. While more are left, the board stays. */
  maxImages?: number | undefined
}

export interface RestoreRequest {
  imageNames: readonly string[]
  boardIds: readonly string[]
  /** Images of each board in this unit of work. The board comes back with the first of them. */
  maxImagesOfBoard?: number | undefined
}

export interface TrashRecords {
  trashImages(imageNames: readonly string[]): Promise<TrashResult>
  /** null: no such board. Images that are kept become uncategorized, and return when the board is restored. */
  trashBoard(boardId: string, options: TrashBoardOptions): Promise<TrashResult | null>
  /** A board of which only some images have gone with {@link TrashBoardOptions.maxImages} gets them back. */
  restore(what: RestoreRequest): Promise<RestoreResult>
  page(window: { offset: number; limit: number }): Promise<TrashPage>
  /** Deletes for good what went to the trash before `before` (milliseconds since 1970). */
  purge(before: number): Promise<EmptyTrashResult>
}

/** The file that a record expects. */
export interface RecordedFile {
  imageName: string
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
}

/** Damage of one kind. */
export interface DatabaseFault {
  kind: 'structure' | 'index' | 'schema' | 'references' | 'counters' | 'search'
  /** One sentence for a person. */
  text: string
  /** Whether it can be repaired from the rest of the database. */
  canRepair: boolean
}

/** Keeps records and files in step (design 3). */
export interface Upkeep {
  /** Names whose rows are gone and whose files are still to be unlinked. */
  tombstones(limit: number): Promise<string[]>
  forgetTombstones(imageNames: readonly string[]): Promise<void>
  /** Every image name there is, in the trash or not, in order of name: those behind `after`. */
  allNames(after: string | null, limit: number): Promise<string[]>
  /** Those of the names that no image has, in the trash or not. */
  unknownNames(imageNames: readonly string[]): Promise<string[]>
  /** The number of images, in the trash or not. */
  countImages(): Promise<number>
  /**
   * Looks for damage. `quick` takes seconds for a million images, `full` a minute.
   *
   * @param signal - Cancels the check. The promise settles when its connection to the database is closed.
   * @returns Empty if there is no damage.
   */
  checkDatabase(depth: 'quick' | 'full', signal?: AbortSignal): Promise<DatabaseFault[]>
  /** Repairs damage that `canRepair`, except in the search index. Deletes no image and no board. */
  repairDatabase(): Promise<void>
  /** Builds the search index again. Called with the number of images done. */
  rebuildSearch(onProgress: (done: number) => void): Promise<void>
  /** Connects again and writes to the database and beside it. Throws while the disk does not work. */
  checkDisk(): Promise<void>
  /** The files that records expect, in the trash or not, in order of name: those after `after`. */
  files(after: string | null, limit: number): Promise<RecordedFile[]>
  /** Times that were remembered with `setTimes`, by name, in milliseconds since 1970. */
  getTimes(): Promise<Record<string, number>>
  setTimes(times: Readonly<Record<string, number>>): Promise<void>
  /** When the database was made, in milliseconds since 1970. */
  madeAt(): Promise<number>
  /** Grows with every change of a record. Lists carry it in their ETag, so that an unchanged one costs no query. */
  revision(): number
}

/** What clients keep for themselves, text by key (wire 8). */
export interface ClientStateRecords {
  /** null: nothing is kept under this key. */
  get(key: string): Promise<string | null>
  /** False: there are `maxKeys` others already, and nothing was changed. */
  set(key: string, value: string, bounds: { maxKeys: number }): Promise<boolean>
  /** The keys that begin with `prefix`, in order. */
  keys(prefix: string): Promise<string[]>
  /** Deletes what is kept under a key, or everything for null. */
  delete(key: string | null): Promise<void>
}

/** All records of a library. */
export interface Records {
  boards: BoardRecords
  exports: ExportRecords
  images: ImageRecords
  imports: ImportRecords
  activeImports: ActiveImportRecords
  trash: TrashRecords
  queue: QueueRecords
  clientState: ClientStateRecords
  upkeep: Upkeep
  close(): Promise<void>
}
