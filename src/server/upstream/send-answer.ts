import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFUSAL_CODE_HEADER } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { cookiesForBrowser } from './media-cookie.ts'
import { headersForBrowser } from './passed-headers.ts'
import { upstreamPath } from './upstream-path.ts'

const MIB = 1024 * 1024

/** The largest answers that are passed on, in bytes. A film may be large. */
export const MAX_TEXT_BYTES = 64 * MIB
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
export function sendAnswer(answer: IncomingMessage, receiver: Receiver): FastifyReply {
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
