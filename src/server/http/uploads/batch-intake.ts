import { MAX_FILES_PER_BATCH } from '#contract/limits.ts'
import { refusals } from '#contract/refusal.ts'
import type { BatchUploadLine } from '#contract/upload-operations.ts'
import type { IngestService, Upload } from '#server/core/intake/ingest-service.ts'
import { AlreadyHere, Refusal } from '#server/core/refusal.ts'
import { asRefusal } from '#server/http/error-handler.ts'
import { parseBatchItem, parseTimestamp } from './form-details.ts'
import { assertImagePart, type FilePart, missingFile, type TextPart } from './read-parts.ts'

/** Limit of files that are received and not yet decoded. At the limit, the sender waits. */
const MAX_IN_FLIGHT = 8

/** Processes the files of a batch upload. Each file succeeds or fails alone. */
export class BatchIntake {
  readonly #ingest: IngestService
  readonly #common: Omit<Upload, 'source'>
  readonly #write: (line: BatchUploadLine) => void
  readonly #onFault: (error: unknown) => void

  /**
   * @param hooks - `write` is called for each file as soon as it is durable or refused, in that order. `onFault` is
   *   called for each internal error.
   */
  constructor(
    ingest: IngestService,
    common: Omit<Upload, 'source'>,
    hooks: { write: (line: BatchUploadLine) => void; onFault: (error: unknown) => void },
  ) {
    this.#ingest = ingest
    this.#common = common
    this.#write = hooks.write
    this.#onFault = hooks.onFault
  }

  /**
   * Reads all parts. An `upload` part describes the `file` part that follows it.
   *
   * @throws {ValidationFailure} No part was a file. `write` was not called in this case.
   */
  async processParts(parts: AsyncIterable<TextPart | FilePart>): Promise<void> {
    const inFlight = new Set<Promise<void>>()
    let count = 0
    let about: string | undefined
    try {
      for await (const part of parts) {
        if (part.kind === 'text') {
          if (part.name === 'upload') about = part.text
          continue
        }
        const task = this.#processFile(count++, part, about).finally(() => inFlight.delete(task))
        inFlight.add(task)
        about = undefined
        await part.ended
        if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight)
      }
    } finally {
      await Promise.all(inFlight)
    }
    if (count === 0) throw missingFile()
  }

  async #processFile(index: number, file: FilePart, about: string | undefined): Promise<void> {
    const item = parseBatchItem(about)
    const line = {
      index,
      upload_id: item?.upload_id ?? null,
      file_name: file.fileName,
      image: null,
      is_repeat: false,
      refusal: null,
    }
    try {
      if (index >= MAX_FILES_PER_BATCH) throw new Refusal('too_many_files')
      if (item === null) throw new Refusal('invalid_multipart', badItem)
      assertImagePart(file)
      const { image, isRepeat } = await this.#ingest.ingest({
        ...this.#common,
        source: file.bytes,
        fileName: file.fileName,
        uploadId: item.upload_id ?? null,
        takenAt: parseTimestamp(item.taken_at),
        knownBytes: item.known_bytes ?? 'keep',
      })
      this.#write({ ...line, image, is_repeat: isRepeat })
    } catch (error) {
      file.drop()
      this.#write({ ...line, refusal: this.#refusalOf(error) })
    }
  }

  #refusalOf(error: unknown): BatchUploadLine['refusal'] {
    const refusal = asRefusal(error)
    if (refusal === null) {
      this.#onFault(error)
      return { code: 'internal', status: 500, detail: 'Internal Server Error' }
    }
    const { code, message } = refusal
    const same = refusal instanceof AlreadyHere ? { same_image: refusal.image } : {}
    return { code, status: refusals[code].status, detail: message, ...same }
  }
}

const badItem = 'The `upload` part before the file is not the JSON object that it should be.'
