import type { Original } from '#server/core/images/original-check.ts'
/** A file under a temporary name. Its bytes are flushed to disk. */
export interface StagedFile {
  path: string
}

/** Bytes that came in and have no name yet. */
export interface IncomingFile extends StagedFile {
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
}

/** A file in `set-aside/`. */
export interface SetAsideFile {
  path: string
  imageName: string
}

/** The size and dates of a file, in milliseconds since 1970. */
export interface FileDates {
  bytes: number
  modifiedAt: number
  /** When the file got its name here or was last changed. A copy or link may keep an older `modifiedAt`. */
  changedAt: number
}

/** The full-resolution files. A stored path is built in one place, which refuses what leads outside its root. */
export interface ImageFiles {
  /**
   * Streams bytes to a temporary name and flushes them. Memory stays flat.
   *
   * @throws {Refusal} `file_too_large`, `upload_cut_off`, `disk_full`. The temporary file is gone then.
   */
  receive(source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<IncomingFile>
  /**
   * Stages the bytes of an image again, without re-encoding them. They share disk space with the original where
   * the file system can.
   *
   * @returns null: the original's file is missing.
   * @throws {Refusal} `disk_full`. The temporary file is gone then.
   */
  duplicate(imageName: string): Promise<StagedFile | null>
  /** Renames staged files to their final names, then flushes each directory once. A failure may leave some renamed. */
  keep(files: readonly { incoming: StagedFile; imageName: string }[]): Promise<void>
  /** Removes a staged file. */
  discard(incoming: StagedFile): Promise<void>
  /** Where the bytes of an image lie, whether or not they are there. */
  pathOf(imageName: string): string
  read(imageName: string): AsyncIterable<Uint8Array>
  /** Size and date (milliseconds since 1970) of the file of an image. null: there is none. */
  stat(imageName: string): Promise<FileDates | null>
  /** The SHA-256 of a file, hexadecimal. Memory stays flat. */
  contentHash(path: string): Promise<string>
  /** Unlinks; a file that is not there is no error. */
  remove(imageNames: readonly string[]): Promise<void>
  /** Names of all files, folder by folder; a folder is the last two digits of the ids in it. Empty ones too. */
  list(): AsyncIterable<{ folder: string; imageNames: string[] }>
  /** Whether there is any file at all. */
  hasAny(): Promise<boolean>
  /** Moves a file without a record to `set-aside/` and never deletes it. Returns its new path. */
  setAside(imageName: string): Promise<string>
  /** Files that were set aside, by the image name that each one had. A name can occur more than once. */
  listSetAside(): Promise<SetAsideFile[]>
  /** Moves a file that was set aside back to its place. Replaces nothing that is there. */
  takeBack(file: SetAsideFile): Promise<void>
  /** File names of temporaries: uploads under way, or leftovers of an earlier run. */
  listTemporaries(): Promise<string[]>
  /** Removes temporaries that an earlier run left. Returns how many. */
  sweepTemporaries(): Promise<number>
  /** Bytes that are free on the disk. */
  freeBytes(): Promise<number>
}

/** Thumbnails on disk, by image and size. They can be made again, so they need not survive a power cut. */
export interface ThumbnailFiles {
  write(imageName: string, sizePx: number, webp: Uint8Array): Promise<void>
  /** Gives a copy of an image the thumbnails of its original. Missing ones are made on first use, as always. */
  duplicate(imageName: string, copyName: string): Promise<void>
  /** null: not made yet. */
  pathOf(imageName: string, sizePx: number): Promise<string | null>
  /** The bytes. null: not made yet, or a link is in its place. */
  read(imageName: string, sizePx: number): Promise<Uint8Array | null>
  remove(imageNames: readonly string[]): Promise<void>
  /** Names of the images that have thumbnails, folder by folder as `ImageFiles.list`, each once. */
  list(): AsyncIterable<{ folder: string; imageNames: string[] }>
}

/** An image and the name it goes by in a zip. */
export interface ZipEntry {
  image: Original
  entryName: string
}

/**
 * Zips of originals. Nothing is compressed again, and memory stays flat. Files that are missing or damaged are left
 * out, and a text file in the zip lists them.
 */
export interface ZipArchives {
  /** A zip that is made while it is read. */
  stream(entries: readonly ZipEntry[]): AsyncIterable<Uint8Array>
  /** Makes a zip on disk, to be taken once. An unfinished one cannot be taken. */
  write(zipName: string, entries: readonly ZipEntry[], signal: AbortSignal): Promise<void>
  /** The zip, which is gone when it was read. null: there is none of this name. */
  take(zipName: string): Promise<{ bytes: number; content: AsyncIterable<Uint8Array> } | null>
  /** Removes what an earlier run left. Returns how many. */
  sweep(): Promise<number>
}
