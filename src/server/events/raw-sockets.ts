import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { REPLACED_CLOSE_CODE, type ServerEvent, TOO_SLOW_CLOSE_CODE } from '#contract/events.ts'
import type { SocketCaller, SocketPlaces } from './socket-places.ts'

/** How often a peer is asked whether it is there. One that did not answer by the next time is gone. */
const HEARTBEAT_MS = 25_000

/** What may wait for a slow reader, in bytes: some hundred progress pictures. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** Nothing is asked for on this socket, so nothing long comes in. */
const MAX_INCOMING_BYTES = 4 * 1024

/** How long a peer may take to answer that it is closing, before it is cut off. */
const CLOSE_MS = 1_000

/** Close codes of RFC 6455. */
const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013

/** Bounds that tests make small. */
export interface RawSocketBounds {
  heartbeatMs?: number
  maxWaitingBytes?: number
}

/** `/ws`: every event to everyone, as a JSON text frame `{event, data}` (spec 6). */
export class RawSockets {
  readonly #places: SocketPlaces
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: MAX_INCOMING_BYTES,
    perMessageDeflate: false,
  })
  readonly #maxWaitingBytes: number
  readonly #heartbeat: NodeJS.Timeout
  readonly #silent = new WeakSet<WebSocket>()

  constructor(places: SocketPlaces, bounds: RawSocketBounds = {}) {
    this.#places = places
    this.#maxWaitingBytes = bounds.maxWaitingBytes ?? MAX_WAITING_BYTES
    this.#heartbeat = setInterval(() => this.#ping(), bounds.heartbeatMs ?? HEARTBEAT_MS).unref()
  }

  /** Whether `accept` has a place for a socket of this caller. */
  hasRoom(caller: SocketCaller): boolean {
    return this.#places.hasRoom('raw', caller)
  }

  /** Answers the handshake, and from then on sends events. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer, caller: SocketCaller): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      // Broken and long frames: the socket closes itself with the code for it.
      socket.on('error', () => {})
      socket.on('pong', () => this.#silent.delete(socket))
      // A browser cannot ping: an empty frame is answered by one. Whoever reads nothing gets none.
      socket.on('message', (frame: Buffer) => {
        if (frame.length === 0 && socket.bufferedAmount === 0) socket.send('')
      })
      const leave = this.#places.take('raw', caller, () => {
        close(socket, REPLACED_CLOSE_CODE, 'A newer connection of this client took over')
      })
      if (leave === null) return close(socket, TRY_AGAIN_LATER, 'Too many connections')
      socket.on('close', leave)
    })
  }

  /** Sends to everyone who keeps up. */
  send(event: ServerEvent): void {
    const frame = JSON.stringify(event)
    for (const socket of this.#server.clients) {
      if (socket.readyState !== socket.OPEN) continue
      if (socket.bufferedAmount > this.#maxWaitingBytes) {
        close(socket, TOO_SLOW_CLOSE_CODE, 'Events were not read fast enough')
      } else {
        socket.send(frame)
      }
    }
  }

  /** Closes all sockets, and cuts off those that do not answer. */
  close(): Promise<void> {
    clearInterval(this.#heartbeat)
    for (const socket of this.#server.clients) close(socket, GOING_AWAY, 'The server is stopping')
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #ping(): void {
    for (const socket of this.#server.clients) {
      if (this.#silent.has(socket)) {
        socket.terminate()
      } else if (socket.readyState === socket.OPEN) {
        this.#silent.add(socket)
        socket.ping()
      }
    }
  }
}

/** A peer that reads nothing does not see that it is closed either. */
function close(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason)
  const cut = setTimeout(() => socket.terminate(), CLOSE_MS)
  socket.once('close', () => clearTimeout(cut))
}
