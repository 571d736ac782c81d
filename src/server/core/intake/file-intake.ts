import type {
  DecodedImage,
  FileMetadata,
  ImageCodec,
  ItemKind,
} from '#server/core/images/picture-ports.ts'
import type { IncomingFile } from './file-ports.ts'

/** State of a file of this machine when it was read. */
export interface ReadFile {
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
  /** Modification date of the original when it was read, in milliseconds since 1970. */
  modifiedAt: number
  /** True if it was modified so recently that another change might not alter size or date. */
  isFresh: boolean
}

/** A staged file of this machine. */
export interface TakenFile extends IncomingFile, ReadFile {
  /** True for a hard link: the owner of the original may change the file later. */
  isLinked: boolean
}

export interface SizeLimits {
  maxBytes: number
  /** For files whose bytes begin like a video. Default: `maxBytes`. */
  maxVideoBytes?: number
}

/** Reads files of this machine for an import, sequentially and with lower priority than other requests. */
export interface FileIntake extends Pick<ImageCodec, 'thumbnail' | 'fingerprint'> {
  /** Starts the process early, because a first file will follow soon. */
  prepare(): void
  /**
   * Copies a file to a temporary name, or with `link` creates a hard link if the file system can, and flushes it. The
   * original does not change.
   *
   * @throws {Refusal} `file_too_large`, `unreadable_file`, `file_changed` (while it was read), `disk_full`. No
   *   temporary file remains.
   */
  takeIn(path: string, options: SizeLimits & { link: boolean }): Promise<TakenFile>
  /** Reads a file like `takeIn`, without staging it. */
  look(path: string, options: SizeLimits): Promise<ReadFile>
  /** Decodes a file like `ImageCodec.decode`, with the metadata of the text files beside the path `beside`. Also refuses it as `damaged_image` if the decoder crashes. */
  decode(
    path: string,
    given: {
      metadata: string | null
      beside?: string | null
      kind?: ItemKind | 'any'
      /** Time of the poster of a video. null, the default: a frame with good contrast. */
      posterMs?: number | null
    },
  ): Promise<DecodedImage>
  /**
   * Reads the metadata of a file like `decode`, without its pixels.
   *
   * @throws {Refusal} The refusals of `decode`; `damaged_image` also if it takes too long.
   */
  readMetadata(
    path: string,
    given: { metadata: string | null; sidecars: Readonly<Record<string, string>> },
  ): Promise<FileMetadata>
  /** Stops active reads. */
  close(): Promise<void>
}
