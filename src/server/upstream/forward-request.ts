import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFUSAL_CODE_HEADER } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { cookieForUpstream, cookiesForBrowser } from './media-cookie.ts'
import { headersForBrowser, headersForUpstream } from './passed-headers.ts'
import { answerTo, poolFor, type Upstream, type UpstreamRequest } from './upstream.ts'
import { upstreamPath } from './upstream-path.ts'
import { upstreamRefusal } from './upstream-refusal.ts'

/** What passing on needs to know. */
export interface Passing {
  upstream: Upstream
  /** Whether this bearer is the gallery's own token, which is nobody else's business. */
  isOwnToken(bearer: string): boolean
  /** Names this server in `Via`, so that it knows what came back to it. */
  via: string
  /** Told how each request ended. */
  heard(outcome: 'answered' | 'failed'): void
}

/** Passes a request on, and its answer back. Bodies of both stream; whoever hangs up ends the other side too. */
export async function passOn(
  passing: Passing,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = upstreamRequest(passing, request)
  const { origin } = passing.upstream.address
  try {
    const answer = await ask(passing.upstream, asked, { request, reply })
    passing.heard('answered')
    // Engine.IO calls its "ok" a page. To the browser all that it says is text.
    if (asked.pool === 'events') answer.headers['content-type'] = 'text/plain; charset=utf-8'
    return sendAnswer(answer, { request, reply, origin })
  } catch (error) {
    if (!(error instanceof Refusal) && !reply.raw.destroyed) passing.heard('failed')
    throw upstreamRefusal(origin, error)
  }
}

/**
 * A request as the upstream is to get it.
 *
 * @throws {Refusal} `not_found`: it is none that is passed on.
 */
export function upstreamRequest(
  { upstream, isOwnToken, via }: Passing,
  request: FastifyRequest,
): UpstreamRequest {
  const { method, url = '', headers } = request.raw
  const path = upstreamPath(url)
  if (path === null || method === undefined) throw new Refusal('not_found')
  if (headers.via?.includes(via)) {
    const said = `${upstream.address.origin} leads back to this gallery. Look at --upstream.`
    throw new Refusal('upstream_down', said)
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

/** Ends a request whose client hangs up before it has its answer. */
export function endWithClient(outgoing: ClientRequest, { raw }: FastifyReply): void {
  raw.once('close', () => {
    if (!raw.writableFinished) outgoing.destroy()
  })
}

async function ask(
  upstream: Upstream,
  asked: UpstreamRequest,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<IncomingMessage> {
  const { idleMs } = upstream.patience
  if (!isReading(asked.method)) {
    const outgoing = upstream.open(asked)
    endWithClient(outgoing, reply)
    const incoming = request.raw
    incoming.pipe(outgoing)
    // What is still to come is read and dropped, or the client would never see the answer.
    outgoing.once('close', () => incoming.unpipe(outgoing).resume())
    return answerTo(outgoing, idleMs)
  }
  const { 'content-length': _, ...headers } = asked.headers // a body of a GET means nothing
  for (;;) {
    const outgoing = upstream.open({ ...asked, headers })
    endWithClient(outgoing, reply)
    outgoing.end()
    try {
      return await answerTo(outgoing, idleMs)
    } catch (error) {
      // An idle connection that the upstream let go at this moment. A fresh one never is.
      if (!outgoing.reusedSocket || !isReset(error) || reply.raw.destroyed) throw error
    }
  }
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

const MIB = 1024 * 1024

/** The largest answers that are passed on, in bytes. A film may be large. */
const MAX_TEXT_BYTES = 64 * MIB
const MAX_BYTES = 16 * 1024 * MIB

/** Where an answer goes. */
interface Receiver {
  request: FastifyRequest
  reply: FastifyReply
  /** Of the upstream. */
  origin: string
}

/**
 * Passes an answer of the upstream back: records, pictures, films and archives. Its page, scripts and
 * styles are its own and stay there, and so does whatever leads elsewhere.
 *
 * @throws {Refusal} `upstream_answer_refused`, or `not_found` where it answered with its page.
 */
function sendAnswer(answer: IncomingMessage, receiver: Receiver): FastifyReply {
  const { request, reply, origin } = receiver
  const { statusCode: status = 0, headers } = answer
  const isEmpty = status === 204 || status === 304
  try {
    const kind = isEmpty ? 'bytes' : answerKind(headers['content-type'])
    const location = locationOf(answer, origin)
    if (location === null) assertPassedOn(answer, kind, receiver)
    const maxBytes = kind === 'text' ? MAX_TEXT_BYTES : MAX_BYTES
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(origin, maxBytes)

    writeHead(answer, receiver)
    if (location !== null) reply.header('location', location)
    if (kind === 'drawing') reply.header('content-disposition', 'attachment')
    if (!isEmpty && location === null && request.method !== 'HEAD') {
      // What says its length is held to it by Node.
      const isMeasured = headers['content-length'] !== undefined
      const measure = () => bounded(answer, maxBytes, () => tooLarge(origin, maxBytes))
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

/** @throws {Refusal} It is not for this gallery. */
function assertPassedOn(
  { statusCode: status = 0 }: IncomingMessage,
  kind: AnswerKind,
  { request, origin }: Receiver,
): void {
  const isGet = request.method === 'GET' || request.method === 'HEAD'
  // InvokeAI answers a GET that it does not know with its page (wire 0).
  if (kind === 'page' && isGet && status === 200) throw new Refusal('not_found')
  if (kind === 'page' || kind === 'strange' || status < 200 || status > 599) {
    throw new Refusal(
      'upstream_answer_refused',
      `${origin} answered with ${kind === 'page' ? 'a page' : 'something'} that is not passed on (status ${status}). Is it an InvokeAI?`,
    )
  }
}

/**
 * Where a redirect leads, as an address of ours; null: it is no redirect.
 *
 * @throws {Refusal} It leads to where nothing is passed on.
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
 * The body of an answer, up to a size. It fails where that is exceeded and where the upstream breaks off,
 * so that what was cut is never taken for the whole; let go of, it lets go of the upstream.
 */
function bounded(answer: IncomingMessage, maxBytes: number, tooLarge: () => Error): Readable {
  let left = maxBytes
  const body = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      left -= piece.length
      if (left < 0) done(tooLarge())
      else done(null, piece)
    },
  })
  body.on('error', () => {}) // whoever reads it hears of it; it may come before anybody does
  answer.once('error', (error) => body.destroy(error))
  body.once('close', () => answer.destroy())
  return answer.pipe(body)
}
