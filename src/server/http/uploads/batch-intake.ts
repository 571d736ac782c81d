import { MAX_FILES_PER_BATCH } from '#contract/limits.ts'
import type { BatchUploadLine } from '#contract/uploads/upload-operations.ts'
import type { IngestService, Upload } from '#server/core/intake/ingest-service.ts'
import { Refusal } from '#server/core/refusal.ts'
import { asRefusal, refusalLineOf, sameImageOf } from '#server/http/error-handler.ts'
import { parseBatchItem, parseTimestamp } from './form-details.ts'
import { type FilePart, missingFile, type TextPart } from './read-parts.ts'

/** Limit of files that are received and not yet decoded. At the limit, the sender waits. */
const MAX_IN_FLIGHT = 8

interface BatchOptions {
  ingest: IngestService
  /** The fields that all files share. */
  common: Omit<Upload, 'source'>
  /** Called for each file as soon as it is durable or refused, in that order. */
  write: (line: BatchUploadLine) => void
  /** Called for each internal error. */
  onFault: (error: unknown) => void
}

/**
 * Processes the files of a batch upload. Each file succeeds or fails alone. An `upload` part describes the `file` part
 * that follows it.
 *
 * @throws {ValidationFailure} No part was a file. `write` was not called in this case.
 */
export async function processBatch(
  parts: AsyncIterable<TextPart | FilePart>,
  options: BatchOptions,
): Promise<void> {
  const inFlight = new Set<Promise<void>>()
  let count = 0
  let about: string | undefined
  try {
    for await (const part of parts) {
      if (part.kind === 'text') {
        if (part.name === 'upload') about = part.text
        continue
      }
      const task = processFile(count++, part, about, options).finally(() => inFlight.delete(task))
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

async function processFile(
  index: number,
  file: FilePart,
  about: string | undefined,
  { ingest, common, write, onFault }: BatchOptions,
): Promise<void> {
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
    const { image, isRepeat } = await ingest.ingest({
      ...common,
      kind: 'any',
      source: file.bytes,
      fileName: file.fileName,
      uploadId: item.upload_id ?? null,
      takenAt: parseTimestamp(item.taken_at),
      knownBytes: item.known_bytes ?? 'keep',
    })
    write({ ...line, image, is_repeat: isRepeat })
  } catch (error) {
    file.drop()
    if (asRefusal(error) === null) onFault(error)
    write({ ...line, refusal: refusalOf(error) })
  }
}

const refusalOf = (error: unknown): BatchUploadLine['refusal'] => ({
  ...refusalLineOf(error),
  ...sameImageOf(error),
})

const badItem = 'The `upload` part before the file is not the JSON object that it should be.'
