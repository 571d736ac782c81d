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
export interface Patience {
  /** Until the connection is made. */
  connectMs: number
  /** Until the first byte of the answer to a request that only reads. */
  readMs: number
  /** The same for a change of at most a thousand records, such as a star or a move. */
  changeMs: number
  /** The same for work that may take minutes, such as an upload or the deletion of a board. */
  longMs: number
  /** The same for Engine.IO polling, which InvokeAI answers every 25 seconds at the latest. */
  eventsMs: number
  /** Between two pieces of an answer. */
  idleMs: number
}

export const usualPatience: Patience = {
  connectMs: 5_000,
  readMs: 30_000,
  changeMs: 60_000,
  longMs: 600_000,
  eventsMs: 120_000,
  idleMs: 60_000,
}

/** The most connections of each pool. */
const MAX_READING = 32
const MAX_CHANGING = 16
const MAX_LONG = 16
const MAX_EVENTS = 64

/** The most requests that are active or wait for a connection. */
const MAX_ACTIVE = 512

/** Idle connections are closed before the upstream closes them: uvicorn does so after five seconds. */
const KEEP_ALIVE_MS = 4_000

/** One request to the upstream. */
export interface UpstreamRequest {
  method: string
  /** Checked by `upstreamPath`. */
  path: string
  headers: Record<string, string | string[]>
  pool: UpstreamPool
  signal?: AbortSignal
}

/** The connection pool of a request, which also decides its timeout. Only a `read` may be sent twice. */
export type UpstreamPool = 'read' | 'change' | 'long' | 'events' | 'probe'

/** Changes of at most a thousand records, and POSTs that only read. InvokeAI may need minutes for any other. */
const shortChange =
  /^\/api\/v1\/(?:images\/(?:star|unstar|images_by_names|download)$|board_images\/|client_state\/|auth\/|boards\/$|queue\/[^/]+\/(?:items_by_ids|item_summaries_by_ids|processor\/[^/]+|i\/[^/]+\/cancel)$)/

/** The pool for a request of a client. */
export function poolFor(method: string, target: string): UpstreamPool {
  const [path = ''] = target.split('?', 1)
  if (path.startsWith('/ws/')) return 'events'
  if (method === 'GET' || method === 'HEAD') return 'read'
  return method === 'PATCH' || shortChange.test(path) ? 'change' : 'long'
}

/** The server that this one forwards to. No part of a request can direct its connection elsewhere. */
export class Upstream {
  readonly address: UpstreamAddress
  readonly patience: Patience
  readonly #lookup: LookupFunction
  readonly #agents: Readonly<Record<UpstreamPool, HttpAgent>>
  #active = 0

  constructor(
    address: UpstreamAddress,
    {
      resolve,
      patience,
    }: { resolve?: Resolve | undefined; patience?: Partial<Patience> | undefined } = {},
  ) {
    this.address = address
    this.patience = { ...usualPatience, ...patience }
    this.#lookup = pinnedLookup(address.hostName, resolve)
    const Agent = address.isSecure ? HttpsAgent : HttpAgent
    this.#agents = {
      read: new Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS, maxSockets: MAX_READING }),
      // No keep-alive: a change is lost if the upstream closes the reused connection at that moment.
      change: new Agent({ keepAlive: false, maxSockets: MAX_CHANGING }),
      long: new Agent({ keepAlive: false, maxSockets: MAX_LONG }),
      events: new Agent({ keepAlive: false, maxSockets: MAX_EVENTS }),
      // No keep-alive: the socket of a dead server would hide that a new one answers.
      probe: new Agent({ keepAlive: false }),
    }
  }

  /** The host as the upstream is called, with its port where that is not the usual one. */
  get host(): string {
    return new URL(this.address.origin).host
  }

  /**
   * Opens a request, without its body. It fails with an `UpstreamTimeout` when the upstream is silent for
   * longer than the timeout of the pool.
   *
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
    const timeoutMs = this.#timeoutOf(pool)
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
    // The body of a change may take long to send, so only silence counts. The wait of a read includes the
    // wait for a free connection: all of them may hang.
    if (isReading) startTimer(request, timeoutMs, stop)
    else request.on('timeout', stop)
    this.#limitConnecting(request)
    return request
  }

  #timeoutOf(pool: UpstreamPool): number {
    const { readMs, changeMs, longMs, eventsMs } = this.patience
    const timeouts = {
      read: readMs,
      change: changeMs,
      long: longMs,
      events: eventsMs,
      probe: readMs,
    }
    return timeouts[pool]
  }

  /** Closes every connection. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  #limitConnecting(request: ClientRequest): void {
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const cut = setTimeout(() => {
        request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }))
      }, this.patience.connectMs)
      const stop = () => clearTimeout(cut)
      socket.once(this.address.isSecure ? 'secureConnect' : 'connect', stop)
      socket.once('close', stop)
    })
  }
}

/** Calls `stop` unless the answer begins in time. */
function startTimer(request: ClientRequest, timeoutMs: number, stop: () => void): void {
  const timer = setTimeout(stop, timeoutMs)
  for (const event of ['response', 'upgrade', 'close'])
    request.once(event, () => clearTimeout(timer))
}

/** Resolves with the head of the answer. */
export function answerTo(request: ClientRequest, idleMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', (answer) => {
      request.removeAllListeners('timeout')
      endWhenSilent(answer, idleMs)
      resolve(answer)
    })
    request.once('error', reject)
    request.on('error', () => {}) // the answer reports errors from here on
  })
}

/** Ends an answer with an `UpstreamTimeout` when the upstream stops sending it. */
function endWhenSilent(answer: IncomingMessage, idleMs: number): void {
  const { socket } = answer
  let readBefore: number | null = null
  const lookAgain = () => socket.setTimeout(Math.ceil(idleMs / 2))
  const onSilence = () => {
    // A slow client is not the upstream's fault. Neither is a busy event loop here: after one, timers run
    // before the data that arrived meanwhile, so the timeout must pass twice.
    const read = answer.isPaused() ? null : socket.bytesRead
    if (read !== null && read === readBefore) {
      // Destroying the request instead would lose the reason.
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
