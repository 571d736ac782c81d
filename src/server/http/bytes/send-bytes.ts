import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '#server/core/intake/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { namesTag } from '#server/http/list-etag.ts'
import { parseRange } from './byte-range.ts'

/** Bytes at a URL. */
interface BytesAtUrl {
  mediaType: string
  /** Without quotes. */
  etag: string
  contentDisposition?: string
  bytes: number
  /** True for bytes that can change, so that browsers ask for them again. Default: they never change. */
  isRevalidated?: boolean
  /** Refuses a request for several ranges, as InvokeAI does for videos. Default: everything is sent. */
  hasOneRangeOnly?: boolean | undefined
  /** Returns everything or a part. null: the file was deleted meanwhile. */
  read(range?: ByteRange): Promise<Uint8Array | Readable | null>
}

/**
 * Sends bytes with range support, a strong ETag and caching. The CSP sandbox blocks scripts in them. All
 * conditions of a request for bytes are evaluated here, wherever the bytes are stored.
 */
export async function sendBytes(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  {
    mediaType,
    contentDisposition,
    bytes,
    read,
    hasOneRangeOnly = false,
    isRevalidated = false,
    ...about
  }: BytesAtUrl,
) {
  const etag = `"${about.etag}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': isRevalidated ? 'private, no-cache' : 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    ...(contentDisposition && { 'content-disposition': contentDisposition }),
  })
  if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send()
  const ifRange = headers['if-range'] ?? etag
  const isRangeValid = method === 'GET' && String(ifRange).trim() === etag
  const isRefused = hasOneRangeOnly && headers.range?.includes(',')
  const parsed = isRefused ? 'unsatisfiable' : parseRange(headers.range, bytes)
  const range = isRangeValid ? parsed : null
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new Refusal('range_not_satisfiable')
  }
  const content = method === 'HEAD' ? undefined : await read(range ?? undefined)
  if (content === null) throw new Refusal('image_not_found')
  reply.type(mediaType)
  if (range === null) return reply.header('content-length', bytes).send(content)
  const { start, end } = range
  return reply
    .code(206)
    .headers({
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${bytes}`,
    })
    .send(content)
}
