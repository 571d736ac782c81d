import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import {
  createArchive,
  downloadImages,
  getArchive,
  getBulkDownload,
} from '#contract/download-operations.ts'
import type { ArchiveContent } from '#server/core/exports/archive-service.ts'
import { contentDisposition } from '#server/http/bytes/content-disposition.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const downloadRoutes: readonly Route[] = [
  defineRoute(createArchive, ({ archives }, { body }) => archives.create(body)),
  defineRoute(getArchive, async ({ archives }, { params, reply }) =>
    sendZip(reply, await archives.open(params.archive_id), 'attachment'),
  ),
  defineRoute(downloadImages, ({ archives }, { body }) => archives.startBulkDownload(body)),
  defineRoute(getBulkDownload, async ({ archives }, { params, reply }) =>
    sendZip(reply, await archives.takeBulkDownload(params.bulk_download_item_name), 'inline'),
  ),
]

/** Streams a zip. Packing stops when the client disconnects. */
function sendZip(reply: FastifyReply, zip: ArchiveContent, kind: 'inline' | 'attachment') {
  if (zip.bytes !== null) reply.header('content-length', zip.bytes)
  return reply
    .header('content-disposition', contentDisposition(kind, zip.fileName))
    .type('application/zip')
    .send(Readable.from(zip.content, { objectMode: false }))
}
