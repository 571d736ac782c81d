import type { DecodedImage } from '#server/core/images/picture-ports.ts'
import type { IncomingFile } from './file-ports.ts'

/** What a file of this machine was when it was read. */
export interface ReadFile {
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
  /** Of the original when it was read, in milliseconds since 1970. */
  modifiedAt: number
  /** It was written so lately that one more change could leave size and date as they are. */
  isFresh: boolean
}

/** A file of this machine that was taken in. */
export interface TakenFile extends IncomingFile, ReadFile {
  /** By a hard link: it is the very file, and its owner may change it later. */
  isLinked: boolean
}

/** Reads files of this machine for an import, many after another, and yields to all else that is asked of the server. */
export interface FileIntake {
  /** Makes ready for a first file that is about to come. */
  prepare(): void
  /**
   * Copies a file of this machine to a temporary name, or with `link` makes a hard link where the file system
   * can, and flushes it. The original stays as it is.
   *
   * @throws {Refusal} `file_too_large`, `unreadable_file`, `file_changed` (while it was read), `disk_full`.
   *   Nothing is left then.
   */
  takeIn(path: string, options: { maxBytes: number; link: boolean }): Promise<TakenFile>
  /** Reads a file of this machine as `takeIn` does, and keeps nothing of it. */
  look(path: string, options: { maxBytes: number }): Promise<ReadFile>
  /**
   * Decodes a file of this machine as `ImageCodec.decode` does.
   *
   * @throws {Refusal} as there; `damaged_image` too, where the decoder does not survive the file.
   */
  decode(path: string, given: { metadata: string | null }): Promise<DecodedImage>
  /** Ends what is under way. */
  close(): Promise<void>
}
