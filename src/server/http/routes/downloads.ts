import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import {
  createArchive,
  downloadImages,
  getArchive,
  getBulkDownload,
} from '#contract/downloads/download-operations.ts'
import type { ArchiveContent } from '#server/core/exports/archive-service.ts'
import { contentDisposition } from '#server/http/bytes/content-disposition.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const downloadRoutes: readonly Route[] = [
  defineRoute(createArchive, ({ archives }, { body }) => archives.create(body)),
  defineRoute(getArchive, async ({ archives }, { params, reply }) =>
    sendDownload(reply, await archives.open(params.archive_id), 'attachment'),
  ),
  defineRoute(downloadImages, ({ archives }, { body }) => archives.startBulkDownload(body)),
  defineRoute(getBulkDownload, async ({ archives }, { params, reply }) =>
    sendDownload(reply, await archives.takeBulkDownload(params.bulk_download_item_name), 'inline'),
  ),
]

/** Streams a zip or a file. Packing stops when the client disconnects. */
function sendDownload(
  reply: FastifyReply,
  download: ArchiveContent,
  kind: 'inline' | 'attachment',
) {
  if (download.bytes !== null) reply.header('content-length', download.bytes)
  return reply
    .header('content-disposition', contentDisposition(kind, download.fileName))
    .type(download.mediaType)
    .send(Readable.from(download.content, { objectMode: false }))
}
