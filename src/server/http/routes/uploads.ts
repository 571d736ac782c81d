import { Readable } from 'node:stream'
import { DEFAULT_IMAGE_CATEGORY } from '#contract/image.ts'
import { getFullImage } from '#contract/image-operations.ts'
import { pathOf, type QueryOf } from '#contract/operation.ts'
import { uploadImage, uploadImageBatch } from '#contract/upload-operations.ts'
import type { Upload } from '#server/core/intake/ingest-service.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { processBatch } from '#server/http/uploads/batch-intake.ts'
import { formDetails } from '#server/http/uploads/form-details.ts'
import { type FilePart, missingFile, readParts } from '#server/http/uploads/read-parts.ts'

export const uploadRoutes: readonly Route[] = [
  defineRoute(uploadImage, async ({ ingest, about }, { query, request, reply }) => {
    await ingest.assertBoard(query.board_id)
    const parts = readParts(request, about.limits.max_upload_bytes)
    const texts = new Map<string, string>()

    /** Reads to the next file. Parts arrive in any order: text about the file may follow it. */
    const nextFile = async (): Promise<FilePart | null> => {
      for (;;) {
        const { value: part } = await parts.next()
        if (!part) return null
        if (part.kind === 'file') return part
        texts.set(part.name, part.text)
      }
    }

    try {
      const file = await nextFile()
      if (file === null) throw missingFile()
      const { image } = await ingest.ingest({
        source: file.bytes,
        fileName: file.fileName,
        category: query.image_category,
        isIntermediate: query.is_intermediate,
        boardId: query.board_id,
        sessionId: query.session_id ?? null,
        uploadId: query.upload_id ?? null,
        cropVisible: query.crop_visible ?? false,
        rest: async () => {
          for (let more = await nextFile(); more !== null; more = await nextFile()) more.drop()
          return formDetails(texts)
        },
      })
      const location = pathOf(getFullImage, { image_name: image.image_name }).slice(1)
      reply.header('location', location)
      return image
    } finally {
      await parts.return(undefined)
    }
  }),
  defineRoute(
    uploadImageBatch,
    async ({ ingest, about, requestWork }, { query, request, reply }) => {
      await ingest.assertBoard(query.board_id)
      const parts = readParts(request, about.limits.max_upload_bytes)
      // No backpressure here: a client that reads only after sending everything would deadlock.
      const lines = new Readable({ read: () => {} })
      lines.on('error', () => {}) // emitted when the client disconnects; an unhandled error would end the process
      const processing = processBatch(parts, {
        ingest,
        common: sharedFieldsOf(query),
        write: (line) => lines.push(`${JSON.stringify(line)}\n`),
        onFault: (error) => request.log.error({ err: error }, 'a file of a batch failed'),
      })
      requestWork.track(processing).then(
        () => lines.push(null),
        (error) => lines.destroy(error),
      )
      return reply.code(200).type('application/x-ndjson').send(lines)
    },
  ),
]

const sharedFieldsOf = (query: QueryOf<typeof uploadImageBatch>): Omit<Upload, 'source'> => ({
  category: query.image_category ?? DEFAULT_IMAGE_CATEGORY,
  isIntermediate: query.is_intermediate ?? false,
  boardId: query.board_id,
  sessionId: query.session_id ?? null,
})
