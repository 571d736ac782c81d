import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server, type Socket } from 'socket.io'
import type { ServerEvent } from '#contract/events.ts'
import { type EventClient, type EventHub, isReceiver } from '#server/core/events/event-hub.ts'
import type { SocketPlaces } from '#server/core/events/socket-places.ts'
import { RawSockets } from './raw-sockets.ts'

/**
 * Opens the endpoints that send events to clients: `/ws` and `/ws/socket.io`. While events may be missing, there are no
 * connections: a client that reconnects loads what it missed.
 */
export function openEventSockets(hub: EventHub, places: SocketPlaces) {
  const raw = new RawSockets(places)
  const socketIo = new SocketIo(places)
  const stops = [raw, socketIo].flatMap((sockets) => [
    hub.listen((event) => sockets.send(event)),
    hub.onConnection((isConnected) => {
      if (!isConnected) sockets.interrupt()
    }),
  ])
  return {
    raw,
    socketIo,
    get isConnected() {
      return hub.isConnected
    },
    count: () => ({ raw: raw.count, 'Socket.IO': socketIo.count }),
    close: async () => {
      for (const stop of stops) stop()
      await Promise.all([raw.close(), socketIo.close()])
    },
  }
}

/** The intervals and limits of InvokeAI's socket. */
const PING_INTERVAL_MS = 25_000
const PING_TIMEOUT_MS = 20_000
const MAX_INCOMING_BYTES = 1_000_000

/** Limit of unsent data per connection, in characters: about a hundred progress images. */
const MAX_WAITING_LENGTH = 4 * 1024 * 1024

/** Time for a peer to confirm the close, before the connection is terminated. */
const CLOSE_MS = 1_000

type Connection = Socket['conn']

/** `/ws/socket.io`: sends the same events to InvokeAI's clients, by polling and by WebSocket. */
class SocketIo {
  readonly #places: SocketPlaces
  readonly #io: Server
  readonly #clients = new WeakMap<IncomingMessage, EventClient>()
  /** Unsent characters by connection. */
  readonly #waiting = new Map<Connection, number>()
  readonly #streams = new Set<Duplex>()

  constructor(places: SocketPlaces) {
    this.#places = places
    // It has no listener: requests come through `handleRequest` after the guards have accepted them.
    this.#io = new Server(createServer(), {
      serveClient: false,
      transports: ['polling', 'websocket'],
      pingInterval: PING_INTERVAL_MS,
      pingTimeout: PING_TIMEOUT_MS,
      maxHttpBufferSize: MAX_INCOMING_BYTES,
      perMessageDeflate: false,
    })
    this.#io.engine.on('connection', (connection: Connection) => this.#admit(connection))
    this.#io.on('connection', (socket) => {
      joinableRooms(socket)
      if (this.#clients.get(socket.conn.request)?.hasChanges) void socket.join(CHANGES_ROOM)
    })
  }

  hasRoom(client: EventClient): Promise<boolean> {
    return this.#places.hasRoom('Socket.IO', client)
  }

  handleRequest(request: IncomingMessage, response: ServerResponse, client: EventClient): void {
    this.#clients.set(request, client)
    this.#io.engine.handleRequest(request, response)
  }

  accept(request: IncomingMessage, stream: Duplex, head: Buffer, client: EventClient): void {
    this.#clients.set(request, client)
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
    this.#io.engine.handleUpgrade(request, stream, head)
  }

  /** Number of open connections. */
  get count(): number {
    return this.#waiting.size
  }

  /** Sends an event once to each of its receivers, except those that do not keep up. */
  send(event: ServerEvent): void {
    const receivers = [...this.#waiting].filter(([{ request }]) => {
      const client = this.#clients.get(request)
      return client !== undefined && isReceiver(client, event)
    })
    if (receivers.length === 0) return
    const { length } = JSON.stringify(event)
    for (const [connection, before] of receivers) {
      this.#waiting.set(connection, before + length) // reset by `drain`, possibly during the write below
    }
    const room = roomOf(event)
    const target = room === null ? this.#io : this.#io.to(room)
    target.emit(event.event, event.data)
    for (const [connection, waiting] of this.#waiting) {
      if (waiting > MAX_WAITING_LENGTH) connection.close(true)
    }
  }

  /** Cuts all connections. Unlike after a disconnect by the server, clients of Socket.IO then connect again. */
  interrupt(): void {
    for (const connection of [...this.#waiting.keys()]) connection.close(true)
  }

  /** Closes all connections and terminates those that do not confirm. */
  async close(): Promise<void> {
    await this.#io.close()
    const cut = setTimeout(() => {
      for (const stream of this.#streams) stream.destroy()
    }, CLOSE_MS)
    await Promise.all(
      [...this.#streams].map((stream) => new Promise((closed) => stream.once('close', closed))),
    )
    clearTimeout(cut)
  }

  #admit(connection: Connection): void {
    const client = this.#clients.get(connection.request)
    if (client === undefined) {
      connection.close(true)
      return
    }
    const drained = () => void this.#waiting.set(connection, 0)
    drained()
    connection.on('drain', drained)
    const closed = new Promise<void>((resolve) => {
      connection.on('close', () => {
        connection.off('drain', drained)
        this.#waiting.delete(connection)
        resolve()
      })
    })
    void this.#takePlace(connection, client, closed)
  }

  async #takePlace(connection: Connection, client: EventClient, closed: Promise<void>) {
    const replace = () => this.#disconnect(connection)
    const leave = await this.#places.take('Socket.IO', client, replace).catch(() => null)
    if (leave === null) connection.close(true)
    await closed
    leave?.()
  }

  /**
   * Notifies the client before closing: a client that only lost its connection would reconnect, and both would
   * replace each other forever.
   */
  #disconnect(connection: Connection): void {
    for (const socket of this.#io.sockets.sockets.values()) {
      if (socket.conn === connection) socket.disconnect(true)
    }
    connection.close() // for a connection that has no socket yet
  }
}

/** Subscriptions of clients, with the member that names the room, as in InvokeAI. Both kinds share their rooms. */
const subscriptions = [
  { subscribe: 'subscribe_queue', unsubscribe: 'unsubscribe_queue', member: 'queue_id' },
  {
    subscribe: 'subscribe_bulk_download',
    unsubscribe: 'unsubscribe_bulk_download',
    member: 'bulk_download_id',
  },
] as const

/** The room of the clients that asked for changes of the library and of imports. No client can join it later. */
const CHANGES_ROOM = 'changes'

/** Maximum number of rooms per socket. */
const MAX_ROOMS = 16

const MAX_ROOM_LENGTH = 100

/** Lets a socket join and leave rooms. Malformed requests are ignored. */
function joinableRooms(socket: Socket): void {
  for (const { subscribe, unsubscribe, member } of subscriptions) {
    socket.on(subscribe, (data: unknown) => {
      const room = roomIn(data, member)
      if (room !== null && socket.rooms.size < MAX_ROOMS) void socket.join(room)
    })
    socket.on(unsubscribe, (data: unknown) => {
      const room = roomIn(data, member)
      if (room !== null) void socket.leave(room)
    })
  }
}

/** Returns the room of an event; null if every client gets it, as a single user does in InvokeAI. */
function roomOf({ event, data }: ServerEvent): string | null {
  switch (event) {
    case 'library_changed':
    case 'imports_changed':
    case 'searches_changed':
      return CHANGES_ROOM
    case 'queue_cleared':
      return roomName(data.queue_id)
    case 'bulk_download_started':
    case 'bulk_download_complete':
    case 'bulk_download_error':
      return roomName(data.bulk_download_id)
    default:
      return null
  }
}

function roomIn(data: unknown, member: string): string | null {
  const id = (data as Record<string, unknown> | null | undefined)?.[member]
  return typeof id === 'string' && id.length <= MAX_ROOM_LENGTH ? roomName(id) : null
}

/** Adds a prefix, because Socket.IO gives each socket a private room with its ID, which no other client may join. */
const roomName = (id: string): string => `room ${id}`
