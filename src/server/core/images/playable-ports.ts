import type { Readable } from 'node:stream'
import type { ByteRange } from '#server/core/intake/file-ports.ts'

/** A stored playable copy. */
export interface PlayableCopy {
  bytes: number
  /** Differs between two copies of the same video. */
  tag: string
}

/** The playable copies of videos on the disk of this process. They can be made again at any time. */
export interface PlayableFiles {
  /** Returns a copy and notes that it was used now. Returns null if there is none. */
  find(videoName: string): Promise<PlayableCopy | null>
  read(videoName: string, range?: ByteRange): Promise<Readable | null>
  /**
   * Stores the file that `make` writes. The copies that were not used for the longest time give it their space.
   *
   * @throws {Refusal} `disk_full`, `conversion_failed`, or the error of `make`. Nothing is left.
   */
  write(
    videoName: string,
    expectedBytes: number,
    make: (path: string) => Promise<void>,
  ): Promise<void>
  /** Deletes copies. Missing ones are ignored. */
  remove(videoNames: readonly string[]): Promise<void>
  /** Deletes unfinished files of an earlier run, and copies above the limit. */
  sweep(): Promise<void>
}

export interface ConvertOptions {
  durationMs: number
  /** Called with the finished share, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

/** Writes a file with the pictures and sound of a video that every browser can play. */
export interface VideoConverter {
  /** @throws {Refusal} `cannot_convert`, `conversion_failed`, `disk_full`; or the reason of `signal`. */
  convert(from: string, to: string, options: ConvertOptions): Promise<void>
}
