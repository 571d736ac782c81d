import type { Readable } from 'node:stream'
import type { ImageRecord } from '#contract/image.ts'

/** An image with the expected size and SHA-256 of its file. */
export type Original = Pick<ImageRecord, 'image_name' | 'file_size' | 'content_hash'>

/** A file under a temporary name. Its bytes are flushed to disk. */
export interface StagedFile {
  path: string
  /** SHA-256, hexadecimal, if it is known. */
  contentHash?: string
}

/** Received bytes without an image name. */
export interface IncomingFile extends StagedFile {
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
}

export interface SetAsideFile {
  path: string
  imageName: string
}

/** The size and dates of a file, in milliseconds since 1970. */
export interface FileDates {
  bytes: number
  modifiedAt: number
  /** When the file was renamed or last changed. A copy or link may have an older `modifiedAt`. */
  changedAt: number
  /** SHA-256, hexadecimal, if the store returns it with the dates. Then the file need not be read to be checked. */
  contentHash?: string
}

/** A part of a file, in bytes. Both ends are included. */
export interface ByteRange {
  start: number
  end: number
}

/** A stored file that is being read. Deleting it does not cut off its content. */
export interface StoredFile {
  bytes: number
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** To be read to its end or destroyed. */
  content: Readable
}

/** A stored file on the disk of this machine, for decoders. It may be a copy, which is deleted when it is disposed. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string
}

/**
 * The original files, on this machine or elsewhere. Names are checked in one place, which refuses every name that this
 * server does not generate (`image_not_found`).
 */
export interface ImageFiles {
  /**
   * Streams bytes to a temporary file and flushes it, with constant memory.
   *
   * @throws {Refusal} `file_too_large`, `upload_cut_off`, `disk_full`. The temporary file is deleted.
   */
  receive(source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<IncomingFile>
  /**
   * Stages a copy of the bytes of an image. It shares disk space with the original if the file system can.
   *
   * @returns null if the original's file is missing.
   * @throws {Refusal} `disk_full`. The temporary file is deleted.
   */
  duplicate(imageName: string): Promise<StagedFile | null>
  /**
   * Gives staged files their final names, durably. After a failure some may have them, and the other staged files may
   * be gone.
   */
  keep(files: readonly { incoming: StagedFile; imageName: string }[]): Promise<void>
  discard(incoming: StagedFile): Promise<void>
  /** Opens a file with constant memory. null: there is no file, or a link that this server did not make. */
  read(imageName: string): Promise<StoredFile | null>
  /** Returns a part of a file that contains it. null: there is no file. A stream is to be read to its end or destroyed. */
  readPart(imageName: string, range: ByteRange): Promise<Uint8Array | Readable | null>
  /** Returns a file with a path, until it is disposed. null: there is no file. */
  local(imageName: string): Promise<LocalFile | null>
  stat(imageName: string): Promise<FileDates | null>
  /** Returns the SHA-256 of the stored bytes, hexadecimal, with constant memory. Fails if there is no file. */
  contentHash(imageName: string): Promise<string>
  /** Deletes files. Missing files are ignored. */
  remove(imageNames: readonly string[]): Promise<void>
  /** Yields the names of all files by folder (the last two digits of their IDs), including empty folders. */
  list(): AsyncIterable<{ folder: string; imageNames: string[] }>
  hasAny(): Promise<boolean>
  /** Moves a file without a record to `set-aside/` and returns its new path. It is never deleted. */
  setAside(imageName: string): Promise<string>
  /** Lists the files in `set-aside/` with their former image names. A name can occur more than once. */
  listSetAside(): Promise<SetAsideFile[]>
  /** Returns the SHA-256 of a file in `set-aside/`, hexadecimal. */
  setAsideHash(file: SetAsideFile): Promise<string>
  /** Moves a file in `set-aside/` back to its place. Never replaces an existing file. */
  takeBack(file: SetAsideFile): Promise<void>
  /** Lists temporary files: active uploads, or leftovers of an earlier run. */
  listTemporaries(): Promise<string[]>
  /** Deletes temporary files of an earlier run. Returns their number. */
  sweepTemporaries(): Promise<number>
  freeBytes(): Promise<number>
}

/** An upload that can go on after a break. */
export interface UnfinishedUpload {
  key: string
  /** Size of the file, in bytes. */
  bytes: number
  /** Number of bytes that arrived and are flushed. */
  offset: number
  /** Values of the sender, as it gave them. */
  metadata: Readonly<Record<string, string | null>>
  /** Time of its beginning or of its last bytes, in milliseconds since 1970. */
  changedAt: number
}

/** Files of unfinished uploads. They survive a restart. */
export interface UnfinishedFiles {
  /** Adds an upload, or changes the metadata of an existing one. */
  put(upload: UnfinishedUpload): Promise<void>
  get(key: string): Promise<UnfinishedUpload | null>
  /** Also deletes what a crash left. Must not run at the same time as `put` of a new upload. */
  list(): Promise<UnfinishedUpload[]>
  /**
   * Streams bytes to the end of a file and flushes them, with constant memory. Bytes that arrived before an error stay.
   *
   * @returns The new offset.
   * @throws {Refusal} `upload_cut_off`, `disk_full`.
   */
  append(
    upload: UnfinishedUpload,
    source: AsyncIterable<Uint8Array>,
    clock: () => number,
  ): Promise<number>
  /** Stages a complete file. The unfinished one stays, so that a failure loses nothing. */
  stage(key: string): Promise<IncomingFile>
  remove(key: string): Promise<void>
}

/**
 * Thumbnails by image and size, and strips of videos with the size `STRIP_FRAME_PX`. They can be made again, so they need
 * not survive a power failure.
 */
export interface ThumbnailFiles {
  write(imageName: string, sizePx: number, webp: Uint8Array): Promise<void>
  /** Copies the thumbnails of an image for its copy. Missing ones are made on first use. */
  duplicate(imageName: string, copyName: string): Promise<void>
  /** Returns the bytes; null if the thumbnail does not exist or is a link. */
  read(imageName: string, sizePx: number): Promise<Uint8Array | null>
  remove(imageNames: readonly string[]): Promise<void>
  /** Yields the names of images with thumbnails by folder, like `ImageFiles.list`, each name once. */
  list(): AsyncIterable<{ folder: string; imageNames: string[] }>
}

/**
 * Names whose files are stored before their rows. The commit of a row removes its name, so that a crash leaves only
 * names whose files may have no record.
 */
export interface PendingFiles {
  /** Must be durable before a file is stored. */
  add(imageNames: readonly string[]): Promise<void>
  /**
   * Begins to sweep names that were added at least `ageMs` ago, or goes on with an unfinished sweep. Returns them, the
   * oldest first. From then on no row can be committed for them (`busy`), unless they are added again.
   */
  sweep(ageMs: number, limit: number): Promise<string[]>
  /** `sweep` does not return these names again. Rows for them are still refused. */
  endSweep(imageNames: readonly string[]): Promise<void>
}

export interface ZipEntry {
  image: Original
  entryName: string
  /** The content of the file, or why it is left out. Absent: the stored file. */
  content?: Uint8Array | { leftOut: string }
}

/** Temporary links to stored files, which browsers open without this server. */
export interface FileLinks {
  /** Origin of all links. */
  readonly origin: string
  original(
    imageName: string,
    answer: { mediaType: string; contentDisposition: string },
  ): Promise<string>
  /**
   * null: the thumbnail has not been made yet.
   *
   * @param version - Another version has another link, because browsers cache them.
   */
  thumbnail(imageName: string, sizePx: number, version?: string): Promise<string | null>
}

/** Finished zips that wait for their download, in whichever process of the library. */
export interface Downloads {
  /** Stores a zip for one `take`. An unfinished zip cannot be taken. */
  write(zipName: string, content: Readable, signal: AbortSignal): Promise<void>
  /** Returns a zip and deletes it after it was read; null if there is none with this name. */
  take(zipName: string): Promise<{ bytes: number; content: AsyncIterable<Uint8Array> } | null>
  /** Deletes zips that nobody will take any more. Returns their number. */
  sweep(): Promise<number>
}

/**
 * Creates zips of originals or of other contents, uncompressed and with constant memory. Missing and damaged files are omitted and listed
 * in a text file in the zip.
 */
export interface ZipArchives extends Pick<Downloads, 'take' | 'sweep'> {
  /** Streams a zip while it is made. */
  stream(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncIterable<Uint8Array>
  /** Stores a zip for one `take`. */
  write(zipName: string, entries: readonly ZipEntry[], signal: AbortSignal): Promise<void>
}
