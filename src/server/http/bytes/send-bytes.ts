import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'

/** Bytes that never change under their address. */
interface UnchangingBytes {
  mediaType: string
  /** Without quotes. */
  etag: string
  contentDisposition?: string
}

/** A stored file. */
export interface StoredBytes extends UnchangingBytes {
  path: string
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
  reply.headers(headersOf(bytes))
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

const headersOf = ({ etag, contentDisposition }: UnchangingBytes) => ({
  etag: `"${etag}"`,
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  ...(contentDisposition && { 'content-disposition': contentDisposition }),
})

/** Whether a request is for all bytes, whatever the client has. */
export const asksForWhole = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.range === undefined && headers['if-none-match'] === undefined

/** Sends bytes that are in memory. A small file is read faster at once than as a stream. */
export const sendWhole = (
  reply: FastifyReply,
  { bytes, ...about }: UnchangingBytes & { bytes: Uint8Array },
) =>
  reply
    .headers({ ...headersOf(about), 'accept-ranges': 'bytes' })
    .type(about.mediaType)
    .send(bytes)
