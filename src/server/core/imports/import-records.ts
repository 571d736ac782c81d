import type { NewImage } from '#server/core/images/image-ports.ts'
import type { SourceBoard } from './import-ports.ts'

/** What is known of a file without reading it. */
export interface FileMark {
  /** Absolute. */
  path: string
  bytes: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}

/** A file that an import has read, and what became of it. */
export interface ImportedFile {
  /** To be remembered, so that the next import need not read the file again. null: it may still change unseen. */
  mark: (FileMark & { contentHash: string }) | null
  /** Its bytes lie under their final name. null: an image with these bytes was there. */
  image: NewImage | null
}

/** `known`: an image that stands for it is there already, perhaps in the trash. */
export type ImportOutcome = 'added' | 'known' | 'board_not_found'

/** A board of a source, and which of its boards of that name it is: 0 is the first. */
export type BoardToImport = Omit<SourceBoard, 'boardKey' | 'cover'> & { nth: number }

/** What imports keep of their own, and what they ask of a library. Each method is one unit of work. */
export interface ImportRecords {
  /**
   * Which of these files need not be read, in their order: a file without `uploadId` is known when it is as it
   * was when it was read and an image with its bytes is there, in the trash or not; one with, when an image
   * came in under it, or is called `imageName`.
   */
  areKnown(
    files: readonly (FileMark & { uploadId: string | null; imageName: string | null })[],
  ): Promise<boolean[]>
  /** Those of these names that an image has, in the trash or not, or whose deleted file may still exist. */
  takenNames(imageNames: readonly string[]): Promise<string[]>
  /** Whether an image with these bytes is there, in the trash or not; intermediate ones do not count. */
  hasBytes(contentHash: string): Promise<boolean>
  /**
   * Adds images in this order, and remembers the files of those that are there afterwards. One without an
   * `upload_id` is known by its bytes, one with by that.
   */
  add(arrivals: readonly ImportedFile[]): Promise<ImportOutcome[]>
  /** The id of the oldest board of this name, archived ones included, which is made if there is none. */
  boardNamed(boardName: string): Promise<string>
  /**
   * Finds or creates a board of a source. `boardId` finds it even if a person has renamed it; otherwise its name
   * does, where `nth` 1 means the second oldest of this name, and so on. A known board is not changed. A new one
   * gets `boardId` if no board has it, in the trash or not.
   */
  addBoard(board: BoardToImport): Promise<string>
  /** Makes the image that came in under `uploadId` the cover of a board that has none chosen. */
  setCover(boardId: string, uploadId: string): Promise<void>
}
