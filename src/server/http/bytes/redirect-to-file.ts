import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from '#server/http/list-etag.ts'

/** Shorter than a link is valid, so that a browser never follows a cached redirect to an expired one. */
const CACHE_S = 240

/**
 * Destinations of files that browsers display. `fetch` gets the bytes from this server, because the bucket allows no
 * other site to read them (CORS). Programs send no such header and get the bytes too.
 */
const displayed: readonly unknown[] = ['image', 'video', 'document']

/**
 * Answers a request for a file with a redirect to its store, or with 304.
 *
 * @param etag - Without quotes.
 * @param linkTo - Returns null if the store does not have the file yet.
 * @returns False if this server must send the bytes.
 */
export async function redirectToFile(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  linkTo: () => Promise<string | null>,
): Promise<boolean> {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Sec-Fetch-Dest' : `${vary}, Sec-Fetch-Dest`)
  const isForDisplay = method === 'GET' && displayed.includes(headers['sec-fetch-dest'])
  if (!isForDisplay || headers.range !== undefined) return false
  const isCached = namesTag(headers['if-none-match'], `"${etag}"`)
  const link = isCached ? null : await linkTo()
  if (link === null && !isCached) return false
  reply.headers({ etag: `"${etag}"`, 'cache-control': `private, max-age=${CACHE_S}` })
  if (link === null) reply.code(304).send()
  else reply.redirect(link, 302)
  return true
}
