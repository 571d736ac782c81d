import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { namesTag } from '#server/http/list-etag.ts'

/** Metadata of bytes that never change at their URL. */
interface UnchangingBytes {
  mediaType: string
  /** Without quotes. */
  etag: string
  contentDisposition?: string
}

/**
 * Sends a stored file with range support, a strong ETag and immutable caching. The CSP sandbox blocks scripts in it.
 *
 * The ETag is the content hash. `sendFile` knows only size and date, so `If-None-Match` and `If-Range` are evaluated
 * here.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: UnchangingBytes & { path: string },
) {
  // The server never stores links. A link placed in the library by someone else may point outside of it.
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

/** True if the request is unconditional and asks for the whole file. */
export const asksForWhole = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.range === undefined && headers['if-none-match'] === undefined

/** Sends bytes from memory. Reading a small file at once is faster than streaming it. */
export const sendWhole = (
  reply: FastifyReply,
  { bytes, ...about }: UnchangingBytes & { bytes: Uint8Array },
) =>
  reply
    .headers({ ...headersOf(about), 'accept-ranges': 'bytes' })
    .type(about.mediaType)
    .send(bytes)
