import { finished } from 'node:stream/promises'
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { failureOf, type ValidationFailure } from '#server/core/validation/fault-list.ts'
import { findings } from '#server/core/validation/findings.ts'

export interface TextPart {
  kind: 'text'
  name: string
  text: string
}

/** A part that is a file. Its bytes must be read or dropped before the next part arrives. */
export interface FilePart {
  kind: 'file'
  fileName: string | null
  /** If iteration ends early, the rest of the file is dropped, so that the parts after it still arrive. */
  bytes: AsyncIterable<Uint8Array>
  /** Resolves when the file has been read, dropped or cut off. */
  ended: Promise<void>
  drop(): void
}

/** Limit of parts, larger than any upload of our clients. */
const MAX_PARTS = 5_000

/**
 * Yields the parts of an upload as they arrive.
 *
 * @param maxBytes - Limit of one file. One byte more is read, to detect a larger file; the rest is dropped.
 * @throws {Refusal} `invalid_multipart`, `upload_cut_off`.
 */
export async function* readParts(
  request: FastifyRequest,
  maxBytes: number,
): AsyncGenerator<TextPart | FilePart> {
  if (!request.isMultipart()) return
  const limits = {
    fileSize: maxBytes + 1,
    fieldSize: MAX_JSON_BYTES,
    files: MAX_PARTS,
    fields: MAX_PARTS,
    parts: MAX_PARTS,
  }
  const parts = request.parts({ limits })
  let isDone = false
  let current: Multipart | null = null
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => {
        isDone = true
        throw multipartFailure(error, request)
      })
      isDone = next.done === true
      if (next.done) return
      current = next.value
      yield current.type === 'file' ? filePart(current) : textPart(current)
    }
  } finally {
    // Some clients receive no response until the server has read the whole upload, even a refused one.
    if (!isDone) void dropRest(parts, current).catch(() => {})
  }
}

async function dropRest(parts: AsyncIterableIterator<Multipart>, current: Multipart | null) {
  if (current?.type === 'file') current.file.resume()
  for await (const part of parts) {
    if (part.type === 'file') part.file.resume()
  }
}

/** Busboy's errors have messages but no codes. */
const multipartFailure = (cause: unknown, request: FastifyRequest): Refusal =>
  request.raw.destroyed && !request.raw.complete
    ? new Refusal('upload_cut_off', undefined, { cause })
    : new Refusal('invalid_multipart', undefined, { cause })

const textPart = ({ fieldname, value }: MultipartValue): TextPart => ({
  kind: 'text',
  name: fieldname,
  // The parser has already parsed a part with the content type JSON.
  text: typeof value === 'string' ? value : JSON.stringify(value),
})

const filePart = ({ filename, file }: MultipartFile): FilePart => ({
  kind: 'file',
  fileName: filename || null,
  bytes: { [Symbol.asyncIterator]: () => readToEnd(file) },
  ended: finished(file).catch(() => {}),
  drop: () => file.resume(),
})

/**
 * Yields the chunks of a file. Without `destroyOnReturn: false`, a reader that stops early would destroy the file
 * stream and with it all later parts.
 */
async function* readToEnd(file: MultipartFile['file']): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) yield chunk
  } finally {
    file.resume()
  }
}

/** The error for an upload without a `file` part. */
export const missingFile = (): ValidationFailure =>
  failureOf(findings.missing, ['body', 'file'], null)
