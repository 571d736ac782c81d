import type { ImageRecord } from '#contract/image.ts'
import { imageExtensions } from '#contract/image-formats.ts'
import {
  MAX_UNFINISHED_UPLOADS,
  UNFINISHED_UPLOAD_HOURS,
  UNFINISHED_UPLOADS_FACTOR,
} from '#contract/limits.ts'
import { refusals } from '#contract/refusal.ts'
import type { Clock } from '#server/core/clock.ts'
import type { ImageRecords } from '#server/core/images/image-ports.ts'
import { orRefuse, Refusal, tooLarge } from '#server/core/refusal.ts'
import type { ImageFiles, UnfinishedFiles, UnfinishedUpload } from './file-ports.ts'
import type { IngestService, Upload } from './ingest-service.ts'
import { Turns } from './turns.ts'

const HOUR_MS = 3_600_000

/** Time without a byte after which an upload makes room for a new one if there are too many or they are too large. */
const IDLE_MS = HOUR_MS

/** A file that a sender wants to upload. */
export interface NewUpload extends Pick<UnfinishedUpload, 'key' | 'bytes' | 'metadata'> {
  details: Omit<Upload, 'source'>
}

export interface ResumableParts {
  unfinished: UnfinishedFiles
  ingest: Pick<IngestService, 'assertBoard' | 'ingest'>
  images: Pick<ImageRecords, 'getByUploadId'>
  files: Pick<ImageFiles, 'freeBytes'>
  limits: { maxUploadBytes: number; maxVideoBytes: number }
  clock: Clock
}

/** Uploads that go on after a break: their bytes are kept until the last one arrives. */
export class ResumableUploads {
  readonly #parts: ResumableParts
  /** For the requests of an upload. */
  readonly turns = new Turns()
  /** For the checks of new uploads. */
  readonly #creations = new Turns()
  readonly #finishing = new Map<string, Promise<ImageRecord>>()

  constructor(parts: ResumableParts) {
    this.#parts = parts
  }

  /** Returns the record of an upload that was completed before. */
  async completed({ bytes, details }: NewUpload): Promise<ImageRecord | null> {
    const { uploadId = null } = details
    const known = uploadId === null ? null : await this.#parts.images.getByUploadId(uploadId)
    if (known !== null && known.file_size !== bytes) throw new Refusal('upload_id_taken')
    return known
  }

  /**
   * Begins an upload, or finds an unfinished one of the same key and takes over the metadata.
   *
   * @throws {Refusal} `board_not_found`, `file_too_large`, `upload_id_taken`, `disk_full`, `uploads_full`.
   */
  async begin({ details, ...upload }: NewUpload): Promise<UnfinishedUpload> {
    const { unfinished, ingest, clock } = this.#parts
    await ingest.assertBoard(details.boardId)
    const maxBytes = this.#maxBytesOf(details.fileName ?? '')
    if (upload.bytes > maxBytes) throw tooLarge(maxBytes)
    // An earlier request may still write: its bytes count.
    return this.turns.run(upload.key, () =>
      this.#creations.run('', async () => {
        const earlier = await this.get(upload.key)
        if (earlier !== null && earlier.bytes !== upload.bytes) throw new Refusal('upload_id_taken')
        if (earlier === null) await this.#makeRoom(upload.bytes)
        const begun = { ...upload, offset: earlier?.offset ?? 0, changedAt: clock() }
        await unfinished.put(begun)
        return begun
      }),
    )
  }

  /** Returns an unfinished upload. null: there is none, or it has expired. */
  async get(key: string): Promise<UnfinishedUpload | null> {
    const upload = await this.#parts.unfinished.get(key)
    return upload === null || this.#isExpired(upload) ? null : upload
  }

  /** Adds bytes. Returns the new offset. */
  async append(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    const { unfinished, clock } = this.#parts
    const upload = orRefuse(await this.get(key), 'upload_not_found')
    return unfinished.append(upload, source, clock)
  }

  /** Takes in the complete file. After a failure of this server it stays, so that the sender can ask again. */
  finish(key: string, details: Omit<Upload, 'source'>): Promise<ImageRecord> {
    const running =
      this.#finishing.get(key) ??
      this.#finish(key, details).finally(() => this.#finishing.delete(key))
    this.#finishing.set(key, running)
    return running
  }

  async remove(key: string): Promise<void> {
    orRefuse(await this.get(key), 'upload_not_found')
    await this.#parts.unfinished.remove(key)
  }

  /** Deletes expired uploads. Returns their number. */
  sweep(): Promise<number> {
    return this.#creations.run('', () => this.#sweep())
  }

  async #sweep(): Promise<number> {
    const { unfinished } = this.#parts
    const expired = (await unfinished.list()).filter((upload) => this.#isExpired(upload))
    for (const { key } of expired) await unfinished.remove(key)
    return expired.length
  }

  async #finish(key: string, details: Omit<Upload, 'source'>): Promise<ImageRecord> {
    const { unfinished, ingest } = this.#parts
    try {
      const source = () => unfinished.stage(key)
      const { image } = await ingest.ingest({ ...details, kind: 'any', source })
      await unfinished.remove(key)
      return image
    } catch (error) {
      if (isFaultOfFile(error)) await unfinished.remove(key)
      throw error
    }
  }

  /** @throws {Refusal} `disk_full`, `uploads_full`. */
  async #makeRoom(bytes: number): Promise<void> {
    const { unfinished, files } = this.#parts
    await this.#sweep()
    const others = (await unfinished.list()).toSorted(
      (one, other) => one.changedAt - other.changedAt,
    )
    while (!this.#hasRoom(others, bytes)) {
      const oldest = others.shift()
      if (oldest === undefined || this.ageOf(oldest) < IDLE_MS) throw new Refusal('uploads_full')
      await unfinished.remove(oldest.key)
    }
    const promised = others.reduce((sum, other) => sum + other.bytes - other.offset, 0)
    if ((await files.freeBytes()) - promised < bytes) throw new Refusal('disk_full')
  }

  #hasRoom(others: readonly UnfinishedUpload[], bytes: number): boolean {
    const { maxUploadBytes, maxVideoBytes } = this.#parts.limits
    const maxBytes = UNFINISHED_UPLOADS_FACTOR * Math.max(maxUploadBytes, maxVideoBytes)
    const total = others.reduce((sum, other) => sum + other.bytes, bytes)
    return others.length < MAX_UNFINISHED_UPLOADS && total <= maxBytes
  }

  /** The bytes decide at the end. A name can only tell earlier that an image is too large. */
  #maxBytesOf(fileName: string): number {
    const { maxUploadBytes, maxVideoBytes } = this.#parts.limits
    const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
    return imageExtensions.includes(extension)
      ? maxUploadBytes
      : Math.max(maxUploadBytes, maxVideoBytes)
  }

  /** Returns the milliseconds since the last byte. */
  ageOf({ changedAt }: UnfinishedUpload): number {
    return this.#parts.clock() - changedAt
  }

  #isExpired(upload: UnfinishedUpload): boolean {
    return this.ageOf(upload) > UNFINISHED_UPLOAD_HOURS * HOUR_MS
  }
}

/** True if the file can never be taken in. A missing board or a duplicate is up to the sender. */
const isFaultOfFile = (error: unknown): boolean =>
  error instanceof Refusal &&
  refusals[error.code].status < 500 &&
  !['board_not_found', 'already_here'].includes(error.code)
