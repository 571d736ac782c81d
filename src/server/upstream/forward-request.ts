import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFUSAL_CODE_HEADER } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { headersForBrowser, headersForUpstream } from './forwarded-headers.ts'
import { cookieForUpstream, cookiesForBrowser } from './media-cookie.ts'
import { answerTo, poolFor, type Upstream, type UpstreamRequest } from './upstream.ts'
import { upstreamPath } from './upstream-path.ts'
import { upstreamRefusal } from './upstream-refusal.ts'

export interface ProxyContext {
  upstream: Upstream
  /** True if the bearer is the gallery's own token, which must not reach the upstream. */
  isOwnToken(bearer: string): boolean
  /** The name of this server in `Via`, which detects requests that loop back to it. */
  via: string
  onOutcome(outcome: 'answered' | 'failed'): void
}

/** Forwards a request and its response. Both bodies stream. When one side disconnects, the other is closed too. */
export async function forwardRequest(
  context: ProxyContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const upstreamRequest = toUpstreamRequest(context, request)
  const { origin } = context.upstream.address
  try {
    const answer = await ask(context.upstream, upstreamRequest, { request, reply })
    context.onOutcome('answered')
    // Engine.IO labels its "ok" as HTML. All of its responses are sent to the browser as text.
    if (upstreamRequest.pool === 'events')
      answer.headers['content-type'] = 'text/plain; charset=utf-8'
    return sendAnswer(answer, { request, reply, origin })
  } catch (error) {
    if (!(error instanceof Refusal) && !reply.raw.destroyed) context.onOutcome('failed')
    throw upstreamRefusal(origin, error)
  }
}

/** @throws {Refusal} `not_found`: the path is not forwarded. */
export function toUpstreamRequest(
  { upstream, isOwnToken, via }: ProxyContext,
  request: FastifyRequest,
): UpstreamRequest {
  const { method, url = '', headers } = request.raw
  const path = upstreamPath(url)
  if (path === null || method === undefined) throw new Refusal('not_found')
  if (headers.via?.includes(via)) {
    const detail = `${upstream.address.origin} leads back to this gallery. Look at --upstream.`
    throw new Refusal('upstream_down', detail)
  }
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return {
    method,
    path,
    pool: poolFor(method, path),
    headers: headersForUpstream(headers, {
      host: upstream.host,
      authorization: bearer && !isOwnToken(bearer) ? `Bearer ${bearer}` : undefined,
      cookie: cookieForUpstream(request.cookies),
      via,
    }),
  }
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Aborts the upstream request if the client disconnects before the response is complete. */
export function endWithClient(outgoing: ClientRequest, { raw }: FastifyReply): void {
  raw.once('close', () => {
    if (!raw.writableFinished) outgoing.destroy()
  })
}

async function ask(
  upstream: Upstream,
  upstreamRequest: UpstreamRequest,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<IncomingMessage> {
  const { idleMs } = upstream.timeouts
  if (!isReading(upstreamRequest.method)) {
    const outgoing = upstream.open(upstreamRequest)
    endWithClient(outgoing, reply)
    const incoming = request.raw
    incoming.pipe(outgoing)
    // Read and drop the rest of the body: some clients read no response until they have sent everything.
    outgoing.once('close', () => incoming.unpipe(outgoing).resume())
    return answerTo(outgoing, idleMs)
  }
  const { 'content-length': _, ...headers } = upstreamRequest.headers // a GET body has no meaning
  for (;;) {
    const outgoing = upstream.open({ ...upstreamRequest, headers })
    endWithClient(outgoing, reply)
    outgoing.end()
    try {
      return await answerTo(outgoing, idleMs)
    } catch (error) {
      // The upstream closed an idle connection at this moment. This cannot happen on a new connection.
      if (!outgoing.reusedSocket || !isReset(error) || reply.raw.destroyed) throw error
    }
  }
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

const MIB = 1024 * 1024

/** Size limits of forwarded responses, in bytes. Videos may be large. */
const MAX_TEXT_BYTES = 64 * MIB
const MAX_BYTES = 16 * 1024 * MIB

/** The client side of a response. */
interface Receiver {
  request: FastifyRequest
  reply: FastifyReply
  /** Origin of the upstream. */
  origin: string
}

/**
 * Forwards a response: records, images, videos and archives. Pages, scripts, styles and redirects to other hosts are
 * refused.
 *
 * @throws {Refusal} `upstream_answer_refused`, or `not_found` if the upstream answered with its page.
 */
function sendAnswer(answer: IncomingMessage, receiver: Receiver): FastifyReply {
  const { request, reply, origin } = receiver
  const { statusCode: status = 0, headers } = answer
  const isEmpty = status === 204 || status === 304
  try {
    const kind = isEmpty ? 'bytes' : answerKind(headers['content-type'])
    const location = locationOf(answer, origin)
    if (location === null) assertForwardable(answer, kind, receiver)
    const maxBytes = kind === 'text' ? MAX_TEXT_BYTES : MAX_BYTES
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(origin, maxBytes)

    writeHead(answer, receiver)
    if (location !== null) reply.header('location', location)
    if (kind === 'svg') reply.header('content-disposition', 'attachment')
    if (!isEmpty && location === null && request.method !== 'HEAD') {
      // Node enforces Content-Length, so only chunked responses need counting.
      const isMeasured = headers['content-length'] !== undefined
      const measure = () => limitBody(answer, maxBytes, () => tooLarge(origin, maxBytes))
      return reply.send(isMeasured ? answer : measure())
    }
    answer.resume()
    return reply.send()
  } catch (error) {
    answer.destroy()
    throw error
  }
}

function writeHead({ statusCode = 0, headers }: IncomingMessage, receiver: Receiver): void {
  const { request, reply } = receiver
  reply.code(statusCode).headers(headersForBrowser(headers))
  if (statusCode === 401) reply.header(REFUSAL_CODE_HEADER, 'login_required')
  const isSecure = request.protocol === 'https'
  for (const cookie of cookiesForBrowser(headers['set-cookie'], { isSecure })) {
    reply.header('set-cookie', cookie)
  }
}

/** @throws {Refusal} The response must not be forwarded. */
function assertForwardable(
  { statusCode: status = 0 }: IncomingMessage,
  kind: AnswerKind,
  { request, origin }: Receiver,
): void {
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  // InvokeAI answers an unknown GET path with its page and status 200.
  if (kind === 'page' && isGet && status === 200) throw new Refusal('not_found')
  if (kind === 'page' || kind === 'unsupported' || status < 200 || status > 599) {
    throw new Refusal(
      'upstream_answer_refused',
      `${origin} answered with ${kind === 'page' ? 'a page' : 'something'} that is not passed on (status ${status}). Is it an InvokeAI?`,
    )
  }
}

/**
 * Returns the target of a redirect as a path of this server, or null if the response is not a redirect.
 *
 * @throws {Refusal} The target is not forwarded.
 */
function locationOf({ statusCode: status = 0, headers }: IncomingMessage, origin: string) {
  if (status < 300 || status > 399 || status === 304) return null
  const { location = '' } = headers
  const to = URL.canParse(location, origin) ? new URL(location, origin) : null
  const path = to?.origin === origin ? upstreamPath(`${to.pathname}${to.search}`) : null
  if (path !== null && !path.startsWith('/ws/')) return path
  throw new Refusal('upstream_answer_refused', `${origin} leads elsewhere, which is not followed.`)
}

const tooLarge = (origin: string, maxBytes: number): Refusal =>
  new Refusal(
    'upstream_answer_refused',
    `${origin} sent more than ${(maxBytes / MIB).toLocaleString('en')} MiB, which is not passed on.`,
  )

/**
 * Limits the body of a response. The stream fails if the body is too large or the upstream disconnects, so that a
 * truncated body never looks complete. Closing it closes the upstream response.
 */
function limitBody(answer: IncomingMessage, maxBytes: number, tooLarge: () => Error): Readable {
  let left = maxBytes
  const body = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      left -= piece.length
      if (left < 0) done(tooLarge())
      else done(null, piece)
    },
  })
  body.on('error', () => {}) // may be emitted before the body has a reader; an unhandled error would end the process
  answer.once('error', (error) => body.destroy(error))
  body.once('close', () => answer.destroy())
  return answer.pipe(body)
}
