import type { BoardVisibility } from '#contract/board.ts'
import type { ImageCategory, ImageOrigin } from '#contract/image.ts'
import type { FolderListing } from '#contract/import-operations.ts'

/**
 * A folder of images somewhere on this machine. It is read and never written: not a byte, not a date.
 * What kind it is (plain folders, an InvokeAI root, what `tessera export` wrote) is decided when it is opened.
 */
export interface ImportSource {
  readonly kind: 'folder' | 'invokeai' | 'export'
  /** Absolute, with symbolic links resolved. */
  readonly folder: string
  /** Boards of which the source knows more than their name, empty ones too. Plain folders have none. */
  boards(): AsyncIterable<SourceBoard>
  /** Everything to take in, in an order that is the same each time. What cannot be read is told and ends nothing. */
  entries(signal: AbortSignal): AsyncIterable<SourceEntry | SourceFault>
  /**
   * What has come or changed after `since` (milliseconds since 1970) and goes on coming, each when it is written
   * whole. Ends with the signal. Absent: this kind cannot be watched.
   */
  newFiles?(since: number, signal: AbortSignal): AsyncIterable<SourceEntry | SourceFault>
  /** How many images are left out on purpose: intermediate ones. Absent: there is nothing of the kind. */
  leftOut?(): Promise<number>
  close(): Promise<void>
}

/** A file, and what its place and its source's records say of it. */
export interface SourceEntry {
  /** Absolute. */
  path: string
  /** Below the source's folder, with `/` between names. */
  relativePath: string
  bytes: number
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** The board's name in the source, for plain folders the path of folders (`A/B`); null: on no board. */
  boardName: string | null
  /** That of its board, where the source tells boards of one name apart. */
  boardKey?: string
  /** Absent: the file is all there is. */
  record?: SourceRecord
}

/** What a source knows of an image beyond its bytes. It counts before what the file embeds. */
export interface SourceRecord {
  /** Names the image in its source for good: two of equal bytes are two images, and a second import knows each. */
  identity: string
  /** The image's name in its source, to be kept if it is valid and free. */
  imageName?: string
  /** SHA-256 of the bytes that it tells of, hexadecimal. Absent: of whatever stands there. */
  contentHash?: string
  fileName: string | null
  category: ImageCategory
  origin: ImageOrigin
  isIntermediate: boolean
  starred: boolean
  /** Milliseconds since 1970, as the next one. */
  createdAt: number
  takenAt: number | null
  sessionId: string | null
  nodeId: string | null
  /** JSON text as it was written, as the next two; null: what the file embeds counts. */
  metadata: string | null
  workflow: string | null
  graph: string | null
}

export interface SourceBoard {
  boardName: string
  /** Tells boards of one name apart, within the source. */
  boardKey: string
  /** The board's id in its source, to be kept if it is valid and free. */
  boardId?: string
  /** Milliseconds since 1970. */
  createdAt: number
  description: string | null
  archived: boolean
  starred: boolean
  visibility: BoardVisibility
  /** The `identity` of its chosen cover; null: none was chosen. */
  cover: string | null
}

/** What could not be read, and why, in words for a person. */
export interface SourceFault {
  /** Absolute. */
  path: string
  reason: string
}

/** @throws {Refusal} `folder_not_found`, `folder_unreadable`: with the folder and what to do. */
export type OpenImportSource = (folder: string) => Promise<ImportSource>

/**
 * Looks into a folder of this machine, for choosing one to import.
 *
 * @param path - Absolute; null: the home folder of whoever runs the server.
 * @throws {Refusal} `folder_not_found`, `folder_unreadable`: with the folder and why.
 */
export type ListFolders = (path: string | null) => Promise<FolderListing>
