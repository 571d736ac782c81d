import type { BoardVisibility } from '#contract/board.ts'
import type { ImageCategory, ImageOrigin } from '#contract/image.ts'
import type { FolderListing } from '#contract/import-operations.ts'

/**
 * A folder of images on this machine. It is only read: no file or date in it changes. Its kind (plain folders, an
 * InvokeAI root, an export of `tessera export`) is detected when it is opened.
 */
export interface ImportSource {
  readonly kind: 'folder' | 'invokeai' | 'export'
  /** Absolute, with symbolic links resolved. */
  readonly folder: string
  /** Yields boards of which the source has more data than their name, including empty ones. Plain folders have none. */
  boards(): AsyncIterable<SourceBoard>
  /** Yields all files to import, in a stable order. Unreadable files are yielded as faults and do not end it. */
  entries(signal: AbortSignal): AsyncIterable<SourceEntry | SourceFault>
  /**
   * Yields files added or changed after `since` (milliseconds since 1970), now and in the future, each when it is
   * completely written. Ends with the signal. Absent: this kind cannot be watched.
   */
  newFiles?(since: number, signal: AbortSignal): AsyncIterable<SourceEntry | SourceFault>
  /** Counts images that are skipped intentionally, such as intermediate ones. Absent: the source skips none. */
  leftOut?(): Promise<number>
  /**
   * Returns the number of files so far that are no images, by extension in lower case. `''`: without one, or others.
   * Absent: the source lists its files.
   */
  leftFiles?(): ReadonlyMap<string, number>
  close(): Promise<void>
}

/** A file with the data given by its path and the records of its source. */
export interface SourceEntry {
  /** Absolute. */
  path: string
  /** Relative to the source's folder, with `/` as separator. */
  relativePath: string
  bytes: number
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** Name of the board in the source, the folder path (`A/B`) for plain folders; null: no board. */
  boardName: string | null
  /** Key of its board, if the source distinguishes boards of the same name. */
  boardKey?: string
  /** Absent: the source has only the file. */
  record?: SourceRecord
}

/** Data of an image in the records of its source. It takes precedence over embedded data. */
export interface SourceRecord {
  /** Permanent ID of the image in its source. A second import recognizes two images with equal bytes. */
  identity: string
  /** Name of the image in its source, reused if it is valid and free. */
  imageName?: string
  /** SHA-256 of the described bytes, hexadecimal. Absent: the record applies to whatever the file contains. */
  contentHash?: string
  fileName: string | null
  category: ImageCategory
  origin: ImageOrigin
  isIntermediate: boolean
  starred: boolean
  /** Absent: as the file says, like `tags`. */
  rating?: number
  tags?: readonly string[]
  /** Milliseconds since 1970, like `takenAt`. */
  createdAt: number
  takenAt: number | null
  sessionId: string | null
  nodeId: string | null
  /** Original JSON text, like `workflow` and `graph`; null: the embedded data applies. */
  metadata: string | null
  workflow: string | null
  graph: string | null
  /** Time of the chosen poster of a video. Absent or null: this server chooses one. */
  posterMs?: number | null
}

export interface SourceBoard {
  boardName: string
  /** Distinguishes boards of the same name within the source. */
  boardKey: string
  /** ID of the board in its source, reused if it is valid and free. */
  boardId?: string
  /** Milliseconds since 1970. */
  createdAt: number
  description: string | null
  archived: boolean
  starred: boolean
  visibility: BoardVisibility
  /** The `identity` of the chosen cover; null if none was chosen. */
  cover: string | null
  /** Key of the order by hand; null if the board was never moved. */
  position: string | null
}

/** An unreadable file or folder, with a reason for the user. */
export interface SourceFault {
  /** Absolute. */
  path: string
  reason: string
}

/** @throws {Refusal} `folder_not_found`, `folder_unreadable`. The message names the folder and a remedy. */
export type OpenImportSource = (folder: string) => Promise<ImportSource>

/**
 * Lists the subfolders of a folder, so that the user can choose one to import.
 *
 * @param path - Absolute; null: the home folder of the user who runs the server.
 * @throws {Refusal} `folder_not_found`, `folder_unreadable`. The message names the folder and the reason.
 */
export type ListFolders = (path: string | null) => Promise<FolderListing>
