import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'

/** A stored file that never changes under its address. */
export interface StoredBytes {
  path: string
  mediaType: string
  /** Without quotes. */
  etag: string
  contentDisposition?: string
}

const namesTag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))

/**
 * Sends stored bytes: ranges, a strong ETag, cached for good, and nothing in them can run.
 *
 * The tag is the content's hash; the file sender knows only size and date, so what depends on the tag
 * (`If-None-Match`, `If-Range`) is decided here.
 */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: StoredBytes) {
  // A file of the library is never a link. One that somebody put in its place leads out of the library.
  const isLink = await lstat(bytes.path).then(
    (file) => file.isSymbolicLink(),
    () => false,
  )
  if (isLink) throw new Refusal('image_not_found')
  const etag = `"${bytes.etag}"`
  const { headers } = request
  reply.headers({
    etag,
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    ...(bytes.contentDisposition && { 'content-disposition': bytes.contentDisposition }),
  })
  if (headers['if-none-match'] !== undefined) {
    if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send()
    delete headers['if-none-match']
  }
  delete headers['if-modified-since']
  if (headers['if-range'] !== undefined) {
    if (String(headers['if-range']).trim() !== etag) delete headers.range
    delete headers['if-range']
  }
  return reply.type(bytes.mediaType).sendFile(basename(bytes.path), dirname(bytes.path), {
    contentType: false,
    cacheControl: false,
    lastModified: false,
    etag: false,
    dotfiles: 'allow',
  })
}
