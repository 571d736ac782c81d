import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'

/** Whom an event is for: the owner and those who may see all, or everybody in the room of the queue. */
export type Audience = { readonly userId: string } | { readonly room: string }

/** Who is at the other end of a socket. */
export interface SocketUser {
  readonly userId: string
  readonly isAdmin: boolean
}

interface SocketsOptions {
  /** Since 6.12 an event goes to its owner; before, to the room of its queue. */
  readonly hasUserRooms: boolean
  /** 6.14 lets a socket into its user's rooms when it connects, 6.12 and 6.13 when it subscribes. */
  readonly joinsAtConnect: boolean
  /** 6.13 sends to owner and admins separately: who is both hears everything twice. */
  readonly sendsTwice: boolean
  /** Who a token belongs to; null where it is refused. Without accounts: always the one user. */
  readonly userOf: (token: string | undefined) => SocketUser | null
}

/** What others in the room of a queue are told of as well, without whose and what it is. */
const REDACTED_FOR_OTHERS = ['batch_enqueued', 'queue_item_status_changed']

const redacted = (payload: Record<string, unknown>) => ({
  user_id: 'redacted',
  batch_id: '',
  origin: null,
  ...('session_id' in payload && { session_id: '', destination: null }),
})

/** Socket.IO as InvokeAI serves it (wire 6). There is no acknowledgement and no replay. */
export class Sockets {
  readonly #io: Server
  readonly #options: SocketsOptions

  constructor(server: HttpServer, options: SocketsOptions) {
    this.#options = options
    this.#io = new Server(server, {
      path: '/ws/socket.io',
      serveClient: false,
      pingInterval: 25_000,
      pingTimeout: 20_000,
      cors: { origin: '*' },
    })
    this.#io.use((socket, next) => {
      const user = options.userOf(tokenOf(socket))
      if (user === null) return next(new Error('Authentication required'))
      socket.data.user = user
      next()
    })
    this.#io.on('connection', (socket) => this.#welcome(socket))
  }

  /** How many have subscribed to the queue: what is told before is lost on them. */
  get subscriberCount(): number {
    return this.#io.of('/').adapter.rooms.get('default')?.size ?? 0
  }

  /** Sends an event; every payload has the time, in seconds. */
  tell(event: string, data: Record<string, unknown>, audience: Audience): void {
    const payload = { timestamp: Math.floor(Date.now() / 1000), ...data }
    const { hasUserRooms, sendsTwice } = this.#options
    if ('room' in audience || !hasUserRooms) {
      const room = 'room' in audience ? audience.room : String(data.queue_id)
      this.#io.to(room).emit(event, payload)
      return
    }
    const rooms = [`user:${audience.userId}`, 'admin']
    for (const to of sendsTwice ? rooms.map((room) => [room]) : [rooms])
      this.#io.to(to).emit(event, payload)
    if (!REDACTED_FOR_OTHERS.includes(event)) return
    const others = this.#io.to(String(data.queue_id)).except(rooms)
    others.emit(event, { ...payload, ...redacted(payload) })
  }

  async close(): Promise<void> {
    this.#io.disconnectSockets(true)
    await this.#io.close()
  }

  #welcome(socket: Socket): void {
    const { userId, isAdmin } = socket.data.user as SocketUser
    const own = [`user:${userId}`, ...(isAdmin ? ['admin'] : [])]
    const { hasUserRooms, joinsAtConnect } = this.#options
    if (hasUserRooms && joinsAtConnect) void socket.join([...own, 'workflows:shared'])
    socket.on('subscribe_queue', (data: { queue_id: string }) => {
      void socket.join(hasUserRooms ? [data.queue_id, ...own] : data.queue_id)
    })
    socket.on('unsubscribe_queue', (data: { queue_id: string }) => void socket.leave(data.queue_id))
    // The same names of rooms as the queues have.
    socket.on('subscribe_bulk_download', (data: { bulk_download_id: string }) => {
      void socket.join(data.bulk_download_id)
    })
    socket.on('unsubscribe_bulk_download', (data: { bulk_download_id: string }) => {
      void socket.leave(data.bulk_download_id)
    })
  }
}

/** In `auth.token`, or as the header of the handshake (wire 7). */
function tokenOf({ handshake }: Socket): string | undefined {
  const { token } = handshake.auth
  if (typeof token === 'string') return token
  return handshake.headers.authorization?.replace(/^Bearer /, '')
}
