import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ArchiveContent } from '#server/core/archive-service.ts'
import { contentDisposition } from '#server/http/bytes/content-disposition.ts'

/** Streams a zip. Whoever hangs up ends the making of it. */
export function sendZip(reply: FastifyReply, zip: ArchiveContent, kind: 'inline' | 'attachment') {
  if (zip.bytes !== null) reply.header('content-length', zip.bytes)
  return reply
    .header('content-disposition', contentDisposition(kind, zip.fileName))
    .type('application/zip')
    .send(Readable.from(zip.content, { objectMode: false }))
}
