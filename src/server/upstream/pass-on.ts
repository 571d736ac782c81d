import type { ClientRequest, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { cookieForUpstream } from './media-cookie.ts'
import { headersForUpstream } from './passed-headers.ts'
import { sendAnswer } from './send-answer.ts'
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
