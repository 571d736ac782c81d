import type { NewImage } from '#server/core/images/image-ports.ts'
import type { SourceBoard } from './import-ports.ts'

/** Data of a file that is known without reading it. */
export interface FileMark {
  /** Absolute. */
  path: string
  bytes: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}

/** A file read by an import, with its result. */
export interface ImportedFile {
  /** Stored so that the next import need not read the file. null: it may still change without a new size or date. */
  mark: (FileMark & { contentHash: string }) | null
  /** Image whose file already has its final name. null: an image with these bytes exists. */
  image: NewImage | null
}

/** `known`: an image for this file exists, perhaps in the trash. */
export type ImportOutcome = 'added' | 'known' | 'board_not_found'

/** A board of a source. `nth` is its index among boards of the same name. */
export type BoardToImport = Omit<SourceBoard, 'boardKey' | 'cover'> & { nth: number }

/** Storage of imports, and their queries of the library. Each method is one unit of work. */
export interface ImportRecords {
  /**
   * Returns for each file, in order, whether it need not be read. A file without `uploadId` is known if its size and
   * date did not change since it was read and an image with its bytes exists, even in the trash. A file with an
   * `uploadId` is known if an image was imported under it or is named `imageName`.
   */
  areKnown(
    files: readonly (FileMark & { uploadId: string | null; imageName: string | null })[],
  ): Promise<boolean[]>
  /** Returns the given names that are used by an image, even in the trash, or whose deleted file may still exist. */
  takenNames(imageNames: readonly string[]): Promise<string[]>
  /** Returns true if an image with these bytes exists, even in the trash, except intermediate ones. */
  hasBytes(contentHash: string): Promise<boolean>
  /**
   * Adds images in this order, and stores the marks of files that have an image afterwards. Images are recognized by
   * `upload_id`, without one by their bytes.
   */
  add(files: readonly ImportedFile[]): Promise<ImportOutcome[]>
  /** Returns the ID of the oldest board with this name, including archived ones. Creates the board if there is none. */
  boardNamed(boardName: string): Promise<string>
  /**
   * Finds or creates a board of a source. `boardId` finds it even if the user has renamed it; otherwise its name
   * does, where `nth` 1 means the second oldest board of this name, and so on. An existing board is not changed. A
   * new one gets `boardId` if no board has it, even in the trash.
   */
  addBoard(board: BoardToImport): Promise<string>
  /** Makes the image imported under `uploadId` the cover of a board without a chosen cover. */
  setCover(boardId: string, uploadId: string): Promise<void>
}
