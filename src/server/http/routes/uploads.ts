import { Readable } from 'node:stream'
import { DEFAULT_IMAGE_CATEGORY } from '#contract/image.ts'
import { getFullImage } from '#contract/image-operations.ts'
import { pathOf, type QueryOf } from '#contract/operation.ts'
import { uploadImage, uploadImageBatch } from '#contract/uploads/upload-operations.ts'
import type { Upload } from '#server/core/intake/ingest-service.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { processBatch } from '#server/http/uploads/batch-intake.ts'
import { formDetails } from '#server/http/uploads/form-details.ts'
import { readParts } from '#server/http/uploads/read-parts.ts'
import { readSingleUpload } from '#server/http/uploads/read-single-upload.ts'

export const uploadRoutes: readonly Route[] = [
  defineRoute(uploadImage, async ({ ingest, about }, { query, request, reply }) => {
    await ingest.assertBoard(query.board_id)
    const { image } = await readSingleUpload(
      request,
      about.limits.max_upload_bytes,
      (file, texts) =>
        ingest.ingest({
          source: file.bytes,
          fileName: file.fileName,
          category: query.image_category,
          isIntermediate: query.is_intermediate,
          boardId: query.board_id,
          sessionId: query.session_id ?? null,
          uploadId: query.upload_id ?? null,
          cropVisible: query.crop_visible ?? false,
          rest: async () => formDetails(await texts()),
        }),
    )
    const location = pathOf(getFullImage, { image_name: image.image_name }).slice(1)
    reply.header('location', location)
    return image
  }),
  defineRoute(
    uploadImageBatch,
    async ({ ingest, about, requestWork }, { query, request, reply }) => {
      await ingest.assertBoard(query.board_id)
      const { max_upload_bytes, max_video_bytes = 0 } = about.limits
      const parts = readParts(request, Math.max(max_upload_bytes, max_video_bytes))
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
