import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as overHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Refusal } from '#server/core/refusal.ts'
import { pinnedLookup, type Resolve } from './pinned-lookup.ts'
import type { UpstreamAddress } from './upstream-address.ts'
import { UpstreamTimeout } from './upstream-refusal.ts'

/** Timeouts for requests to the upstream, in milliseconds. */
export const defaultTimeouts = {
  /** Until the connection is established. */
  connectMs: 5_000,
  /** Until the first byte of the response to a request that only reads. */
  readMs: 30_000,
  /** Until the first byte of the response to a change of at most a thousand records, such as a star or a move. */
  changeMs: 60_000,
  /** Until the first byte of the response to work that may take minutes, such as an upload. */
  longMs: 600_000,
  /** Until the first byte of the response to Engine.IO polling. InvokeAI answers it within 25 seconds. */
  eventsMs: 120_000,
  /** Between two chunks of a response. */
  idleMs: 60_000,
}

export type UpstreamTimeouts = typeof defaultTimeouts

/** Limit of requests that are active or wait for a connection. */
const MAX_ACTIVE = 512

/** Closes idle connections before the upstream does: uvicorn closes them after five seconds. */
const KEEP_ALIVE_MS = 4_000

export interface UpstreamRequest {
  method: string
  /** The result of `upstreamPath`. */
  path: string
  headers: Record<string, string | string[]>
  pool: UpstreamPool
  signal?: AbortSignal
}

/** The connection pool of a request, which also decides its timeout. Only a `read` is retried. */
export type UpstreamPool = 'read' | 'change' | 'long' | 'events' | 'probe'

const timeoutOf = {
  read: 'readMs',
  change: 'changeMs',
  long: 'longMs',
  events: 'eventsMs',
  probe: 'readMs',
} as const satisfies Record<UpstreamPool, keyof UpstreamTimeouts>

/** Paths of changes of at most a thousand records and of POSTs that only read. InvokeAI may need minutes for others. */
const shortChange =
  /^\/api\/v1\/(?:images\/(?:star|unstar|images_by_names|download)$|board_images\/|client_state\/|auth\/|boards\/$|queue\/[^/]+\/(?:items_by_ids|item_summaries_by_ids|processor\/[^/]+|i\/[^/]+\/cancel)$)/

export function poolFor(method: string, target: string): UpstreamPool {
  const [path = ''] = target.split('?', 1)
  if (path.startsWith('/ws/')) return 'events'
  if (method === 'GET' || method === 'HEAD') return 'read'
  return method === 'PATCH' || shortChange.test(path) ? 'change' : 'long'
}

/** The server that requests are forwarded to. No part of a request can direct its connection elsewhere. */
export class Upstream {
  readonly address: UpstreamAddress
  readonly timeouts: UpstreamTimeouts
  readonly #lookup: LookupFunction
  readonly #agents: Readonly<Record<UpstreamPool, HttpAgent>>
  #active = 0

  constructor(
    address: UpstreamAddress,
    {
      resolve,
      timeouts,
    }: { resolve?: Resolve | undefined; timeouts?: Partial<UpstreamTimeouts> | undefined } = {},
  ) {
    this.address = address
    this.timeouts = { ...defaultTimeouts, ...timeouts }
    this.#lookup = pinnedLookup(address.hostName, resolve)
    const Agent = address.isSecure ? HttpsAgent : HttpAgent
    this.#agents = {
      read: new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, maxSockets: 32 }),
      // No keep-alive: a change is lost if the upstream closes the reused connection at that moment.
      change: new Agent({ keepAlive: false, maxSockets: 16 }),
      long: new Agent({ keepAlive: false, maxSockets: 16 }),
      events: new Agent({ keepAlive: false, maxSockets: 64 }),
      // No keep-alive: the socket of a dead server would hide that a new one answers.
      probe: new Agent({ keepAlive: false }),
    }
  }

  /** The `Host` header of the upstream: its name, and its port unless it is the default. */
  get host(): string {
    return new URL(this.address.origin).host
  }

  /**
   * Opens a request without its body. The request fails with an `UpstreamTimeout` if the upstream is silent for
   * longer than the timeout of the pool.
   * @throws {Refusal} `upstream_busy`: too many requests are active.
   */
  open({ method, path, headers, pool, signal }: UpstreamRequest): ClientRequest {
    if (this.#active >= MAX_ACTIVE && pool !== 'probe') {
      throw new Refusal(
        'upstream_busy',
        `InvokeAI at ${this.address.origin} has more to answer than it can. Try again in a moment.`,
      )
    }
    const { isSecure, hostName, port } = this.address
    const timeoutMs = this.timeouts[timeoutOf[pool]]
    const isReading = pool !== 'change' && pool !== 'long'
    const request = (isSecure ? overHttps : overHttp)({
      host: hostName,
      port,
      method,
      path,
      headers,
      setHost: false,
      agent: this.#agents[pool],
      lookup: this.#lookup,
      ...(!isReading && { timeout: timeoutMs }),
      ...(signal && { signal }),
    })
    this.#active++
    request.once('close', () => this.#active--)
    const stop = () => request.destroy(new UpstreamTimeout(timeoutMs, { mayHappen: !isReading }))
    // The body of a change may take long to send, so its timeout covers only silence. The timeout of a read includes
    // waiting for a free connection, because all of them may hang.
    if (isReading) startTimer(request, timeoutMs, stop)
    else request.on('timeout', stop)
    this.#limitConnecting(request)
    return request
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  #limitConnecting(request: ClientRequest): void {
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const cut = setTimeout(() => {
        request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }))
      }, this.timeouts.connectMs)
      const stop = () => clearTimeout(cut)
      socket.once(this.address.isSecure ? 'secureConnect' : 'connect', stop)
      socket.once('close', stop)
    })
  }
}

/** Calls `stop` unless the response begins in time. */
function startTimer(request: ClientRequest, timeoutMs: number, stop: () => void): void {
  const timer = setTimeout(stop, timeoutMs)
  for (const event of ['response', 'upgrade', 'close'])
    request.once(event, () => clearTimeout(timer))
}

/** Resolves with the response once its headers have arrived. Its body then has an idle timeout. */
export function answerTo(request: ClientRequest, idleMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', (answer) => {
      request.removeAllListeners('timeout')
      endWhenSilent(answer, idleMs)
      resolve(answer)
    })
    request.once('error', reject)
    request.on('error', () => {}) // the response reports errors from here on
  })
}

/** Destroys a response with an `UpstreamTimeout` when the upstream stops sending it. */
function endWhenSilent(answer: IncomingMessage, idleMs: number): void {
  const { socket } = answer
  let readBefore: number | null = null
  const lookAgain = () => socket.setTimeout(Math.ceil(idleMs / 2))
  const onSilence = () => {
    // A paused response means that the client is slow. A busy event loop here runs timers before the data that
    // arrived meanwhile, so the timeout must pass twice.
    const read = answer.isPaused() ? null : socket.bytesRead
    if (read !== null && read === readBefore) {
      // Destroying the request would lose the reason.
      answer.destroy(new UpstreamTimeout(idleMs))
    } else {
      readBefore = read
      lookAgain()
    }
  }
  lookAgain()
  socket.on('timeout', onSilence)
  answer.once('close', () => socket.off('timeout', onSilence)) // the socket may be reused
}
