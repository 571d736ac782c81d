import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { REPLACED_CLOSE_CODE, type ServerEvent, TOO_SLOW_CLOSE_CODE } from '#contract/events.ts'
import { type EventClient, isReceiver } from '#server/core/events/event-hub.ts'
import type { SocketPlaces } from '#server/core/events/socket-places.ts'

/** Interval of pings. A peer that has not answered by the next ping is disconnected. */
const HEARTBEAT_MS = 25_000

/** Limit of unsent data per socket, in bytes: about a hundred progress images. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** Clients send no requests on this socket, so incoming messages are short. */
const MAX_INCOMING_BYTES = 4 * 1024

/** Time for a peer to confirm the close, before the connection is terminated. */
const CLOSE_MS = 1_000

/** Close codes of RFC 6455. */
const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013

/** Limits, which tests reduce. */
export interface RawSocketBounds {
  heartbeatMs?: number
  maxWaitingBytes?: number
}

/** `/ws`: sends events as JSON text frames `{event, data}`. */
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
  readonly #clients = new WeakMap<WebSocket, EventClient>()

  constructor(places: SocketPlaces, bounds: RawSocketBounds = {}) {
    this.#places = places
    this.#maxWaitingBytes = bounds.maxWaitingBytes ?? MAX_WAITING_BYTES
    this.#heartbeat = setInterval(() => this.#ping(), bounds.heartbeatMs ?? HEARTBEAT_MS).unref()
  }

  /** Number of open connections. */
  get count(): number {
    return this.#server.clients.size
  }

  hasRoom(client: EventClient): Promise<boolean> {
    return this.#places.hasRoom('raw', client)
  }

  accept(request: IncomingMessage, stream: Duplex, head: Buffer, client: EventClient): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      this.#clients.set(socket, client)
      // The socket closes itself, with the right code, after invalid or oversized frames.
      socket.on('error', () => {})
      socket.on('pong', () => this.#silent.delete(socket))
      // Browsers cannot ping, so an empty frame is answered by an empty frame, unless the client does not read.
      socket.on('message', (frame: Buffer) => {
        if (frame.length === 0 && socket.bufferedAmount === 0) socket.send('')
      })
      const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
      void this.#takePlace(socket, client, closed)
    })
  }

  /** Sends an event to its receivers, except those that do not keep up. */
  send(event: ServerEvent): void {
    const frame = JSON.stringify(event)
    for (const socket of this.#server.clients) {
      const client = this.#clients.get(socket)
      if (socket.readyState !== socket.OPEN || !client || !isReceiver(client, event)) continue
      if (socket.bufferedAmount > this.#maxWaitingBytes) {
        close(socket, TOO_SLOW_CLOSE_CODE, 'Events were not read fast enough')
      } else {
        socket.send(frame)
      }
    }
  }

  /** Closes all sockets. Their clients connect again. */
  interrupt(): void {
    for (const socket of this.#server.clients) {
      close(socket, TRY_AGAIN_LATER, 'Events may be missing. Connect again')
    }
  }

  /** Closes all sockets and terminates those that do not confirm. */
  close(): Promise<void> {
    clearInterval(this.#heartbeat)
    for (const socket of this.#server.clients) close(socket, GOING_AWAY, 'The server is stopping')
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #takePlace(socket: WebSocket, client: EventClient, closed: Promise<void>): Promise<void> {
    const replace = () => {
      close(socket, REPLACED_CLOSE_CODE, 'A newer connection of this client took over')
    }
    // A process that hung accepts clients that have left and are connected elsewhere. Their sockets end first.
    await setImmediate()
    await setImmediate()
    if (socket.readyState !== socket.OPEN) return
    const leave = await this.#places.take('raw', client, replace).catch(() => null)
    if (leave === null) close(socket, TRY_AGAIN_LATER, 'Too many connections')
    await closed
    leave?.()
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

/** Closes a socket and terminates it after `CLOSE_MS`: a peer that does not read does not see the close frame. */
function close(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  socket.close(code, reason)
  const cut = setTimeout(() => socket.terminate(), CLOSE_MS)
  socket.once('close', () => clearTimeout(cut))
}
