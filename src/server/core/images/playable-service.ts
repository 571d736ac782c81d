import pLimit from 'p-limit'
import type { PlayableProgress, VideoRecord } from '#contract/videos/video.ts'
import type { ByteRange, ImageFiles } from '#server/core/intake/file-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { PlayableFiles, VideoConverter } from './playable-ports.ts'

/** A guess at the size of a second of a copy. The limit of the cache counts the real size. */
const BYTES_PER_SECOND = 1_000_000

type Video = Pick<VideoRecord, 'video_name' | 'duration' | 'file_size'>

export interface PlayableParts {
  files: Pick<ImageFiles, 'local'>
  copies: PlayableFiles
  converter: VideoConverter
}

/** A conversion, for which any number of clients wait. */
class Conversion {
  readonly #stopping = new AbortController()
  #listeners: (() => void)[] = []
  clients = 0
  progress = 0
  /** `error` is null if there is a copy now. */
  end: { error: unknown } | null = null

  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  stop(reason: Refusal): void {
    this.#stopping.abort(reason)
  }

  /** Resolves with the next `notify`. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve))
  }

  notify(): void {
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

/** Makes copies of videos that every browser can play, one at a time. */
export class PlayableService {
  readonly #parts: PlayableParts
  readonly #conversions = new Map<string, Conversion>()
  readonly #running = new Set<Promise<void>>()
  readonly #oneAtATime = pLimit(1)
  #isClosed = false

  constructor(parts: PlayableParts) {
    this.#parts = parts
  }

  find(videoName: string) {
    return this.#parts.copies.find(videoName)
  }

  read(videoName: string, range?: ByteRange) {
    return this.#parts.copies.read(videoName, range)
  }

  /**
   * Makes a copy and yields the progress. Clients that ask for the same copy share the work, which ends when the last
   * of them leaves.
   *
   * @param signal - Aborted when the client leaves.
   * @throws {Refusal} `cannot_convert`, `conversion_failed`, `disk_full`, `stopping`.
   */
  async *make(video: Video, signal: AbortSignal): AsyncGenerator<PlayableProgress> {
    if (await this.find(video.video_name)) {
      yield { done: true }
      return
    }
    if (signal.aborted) return
    if (this.#isClosed) throw new Refusal('stopping')
    const conversion = this.#conversions.get(video.video_name) ?? this.#start(video)
    const wake = () => conversion.notify()
    signal.addEventListener('abort', wake)
    conversion.clients += 1
    try {
      while (conversion.end === null && !signal.aborted) {
        const { progress } = conversion
        yield { progress }
        if (conversion.progress === progress && conversion.end === null && !signal.aborted)
          await conversion.changed()
      }
      if (signal.aborted || conversion.end === null) return
      if (conversion.end.error !== null) throw conversion.end.error
      yield { done: true }
    } finally {
      signal.removeEventListener('abort', wake)
      conversion.clients -= 1
      if (conversion.clients === 0) this.#abandon(video.video_name, conversion)
    }
  }

  /** Stops all conversions and waits for the end of their processes. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const conversion of this.#conversions.values()) conversion.stop(new Refusal('stopping'))
    await Promise.all(this.#running)
  }

  #start(video: Video): Conversion {
    const conversion = new Conversion()
    this.#conversions.set(video.video_name, conversion)
    const running = this.#oneAtATime(() => this.#convert(video, conversion))
      .then(
        () => null,
        (error: unknown) => error,
      )
      .then((error) => {
        this.#forget(video.video_name, conversion)
        this.#running.delete(running)
        conversion.end = { error }
        conversion.notify()
      })
    this.#running.add(running)
    return conversion
  }

  async #convert({ video_name, duration, file_size }: Video, conversion: Conversion) {
    const { files, copies, converter } = this.#parts
    const { signal } = conversion
    signal.throwIfAborted()
    await using original = orRefuse(await files.local(video_name), 'video_not_found')
    const expectedBytes = Math.max(file_size ?? 0, (duration ?? 0) * BYTES_PER_SECOND)
    await copies.write(video_name, expectedBytes, (path) =>
      converter.convert(original.path, path, {
        durationMs: (duration ?? 0) * 1000,
        signal,
        onProgress: (share) => {
          conversion.progress = share
          conversion.notify()
        },
      }),
    )
  }

  /** Nobody waits any more. Another request for the same copy begins anew. */
  #abandon(videoName: string, conversion: Conversion): void {
    this.#forget(videoName, conversion)
    conversion.stop(new Refusal('conversion_failed'))
  }

  #forget(videoName: string, conversion: Conversion): void {
    if (this.#conversions.get(videoName) === conversion) this.#conversions.delete(videoName)
  }
}
