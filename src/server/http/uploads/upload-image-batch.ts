import { Readable } from 'node:stream'
import { DEFAULT_IMAGE_CATEGORY } from '#contract/image.ts'
import type { QueryOf } from '#contract/operation.ts'
import { uploadImageBatch } from '#contract/upload-operations.ts'
import type { Upload } from '#server/core/ingest-service.ts'
import { defineRoute } from '#server/http/route.ts'
import { BatchIntake } from './batch-intake.ts'
import { readParts } from './read-parts.ts'

/** What the query says of all files. */
const commonOf = (query: QueryOf<typeof uploadImageBatch>): Omit<Upload, 'source'> => ({
  category: query.image_category ?? DEFAULT_IMAGE_CATEGORY,
  isIntermediate: query.is_intermediate ?? false,
  boardId: query.board_id,
  sessionId: query.session_id ?? null,
})

export const uploadImageBatchRoute = defineRoute(
  uploadImageBatch,
  async ({ ingest, about, underWay }, { query, request, reply }) => {
    await ingest.assertBoard(query.board_id)
    const parts = readParts(request, about.limits.max_upload_bytes)
    // Never full: whoever reads only when all is sent would else wait for us, and we for them.
    const lines = new Readable({ read: () => {} })
    lines.on('error', () => {}) // after a hang-up nobody else listens
    const intake = new BatchIntake(ingest, commonOf(query), {
      say: (line) => lines.push(`${JSON.stringify(line)}\n`),
      onFault: (error) => request.log.error({ err: error }, 'a file of a batch failed'),
    })
    underWay.track(intake.takeIn(parts)).then(
      () => lines.push(null),
      (error) => lines.destroy(error),
    )
    return reply.code(200).type('application/x-ndjson').send(lines)
  },
)
