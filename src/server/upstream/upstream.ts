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

/** How long the upstream may keep one waiting, in milliseconds. */
export interface Patience {
  /** Until it takes a connection. */
  connectMs: number
  /** Until it begins to answer what only reads. */
  readMs: number
  /** Until it begins to answer what changes something: many thousand images may be deleted. */
  changeMs: number
  /** Between two pieces of an answer. */
  idleMs: number
}

export const usualPatience: Patience = {
  connectMs: 5_000,
  readMs: 120_000,
  changeMs: 600_000,
  idleMs: 60_000,
}

/** Connections at once, by what goes over them. */
const MAX_READING = 32
const MAX_CHANGING = 16
const MAX_EVENTS = 64
const MAX_WATCHING = 8

/** Requests that may be under way or wait for a connection. */
const MAX_UNDER_WAY = 512

/** An idle connection is let go before the upstream does: uvicorn closes its own after five seconds. */
const KEPT_OPEN_MS = 4_000

/** One request to the upstream. */
export interface UpstreamRequest {
  method: string
  /** Checked by `upstreamPath`. */
  path: string
  headers: Record<string, string | string[]>
  /** `change` is anything that must not be sent twice, `events` what may be silent for long. */
  lane: 'read' | 'change' | 'events' | 'watch'
  signal?: AbortSignal
}

/** The one server behind this one. Nothing that a request says leads its connections elsewhere. */
export class Upstream {
  readonly address: UpstreamAddress
  readonly patience: Patience
  readonly #lookup: LookupFunction
  readonly #agents: Readonly<Record<UpstreamRequest['lane'], HttpAgent>>
  #underWay = 0

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
      read: new Agent({ keepAlive: true, timeout: KEPT_OPEN_MS, maxSockets: MAX_READING }),
      // On a connection of its own: one that the upstream closed just now would lose it.
      change: new Agent({ keepAlive: false, maxSockets: MAX_CHANGING }),
      events: new Agent({ keepAlive: false, maxSockets: MAX_EVENTS }),
      // However many others wait, it does not wait behind them.
      watch: new Agent({ keepAlive: false, maxSockets: MAX_WATCHING }),
    }
  }

  /** The host as the upstream is called, with its port where that is not the usual one. */
  get host(): string {
    return new URL(this.address.origin).host
  }

  /**
   * Opens a request; its body is still to be written. It ends with an `UpstreamTimeout` where the upstream
   * keeps it waiting.
   *
   * @throws {Refusal} `upstream_busy`: too many are under way.
   */
  open({ method, path, headers, lane, signal }: UpstreamRequest): ClientRequest {
    if (this.#underWay >= MAX_UNDER_WAY && lane !== 'watch') {
      throw new Refusal(
        'upstream_busy',
        `InvokeAI at ${this.address.origin} has more to answer than it can. Try again in a moment.`,
      )
    }
    const { isSecure, hostName, port } = this.address
    const request = (isSecure ? overHttps : overHttp)({
      host: hostName,
      port,
      method,
      path,
      headers,
      setHost: false,
      agent: this.#agents[lane],
      lookup: this.#lookup,
      timeout: lane === 'change' ? this.patience.changeMs : this.patience.readMs,
      ...(signal && { signal }),
    })
    this.#underWay++
    request.once('close', () => this.#underWay--)
    request.on('timeout', () => request.destroy(new UpstreamTimeout('it is silent')))
    this.#limitConnecting(request)
    return request
  }

  /** Cuts every connection. */
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

/** The head of the answer to a request whose body is written or being written. */
export function answerTo(request: ClientRequest, idleMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', (answer) => {
      request.removeAllListeners('timeout')
      endWhenSilent(answer, idleMs)
      resolve(answer)
    })
    request.once('error', reject)
    request.on('error', () => {}) // after the answer it says nothing new
  })
}

/** Ends an answer with an `UpstreamTimeout` where nothing of it comes any more. */
function endWhenSilent(answer: IncomingMessage, idleMs: number): void {
  const { socket } = answer
  let readBefore: number | null = null
  const lookAgain = () => socket.setTimeout(Math.ceil(idleMs / 2))
  const onSilence = () => {
    // Whoever reads slowly is no fault of the upstream's. Nor is it that this process was busy: a timer is
    // then heard before what came meanwhile, so only what is silent twice is silent.
    const read = answer.isPaused() ? null : socket.bytesRead
    if (read !== null && read === readBefore) {
      // Ended by its request, an answer would only know that it was cut, not why.
      answer.destroy(new UpstreamTimeout('it fell silent'))
    } else {
      readBefore = read
      lookAgain()
    }
  }
  lookAgain()
  socket.on('timeout', onSilence)
  answer.once('close', () => socket.off('timeout', onSilence)) // others go on with the socket
}
