import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'

/** Recipients of an event: the owner and users who may see everything, or all members of the queue's room. */
export type Audience = { readonly userId: string } | { readonly room: string }

/** The account of a connected socket. */
export interface SocketUser {
  readonly userId: string
  readonly isAdmin: boolean
}

interface SocketsOptions {
  /** True since 6.12, which sends an event to its owner. Older versions send it to the room of its queue. */
  readonly hasUserRooms: boolean
  /**
   * True for 6.14, where a socket joins its user's rooms on connect. In 6.12 and 6.13 it joins them when it
   * subscribes.
   */
  readonly joinsAtConnect: boolean
  /**
   * True for 6.13, which sends to the owner and to admins separately, so that an owner who is an admin
   * receives most events twice.
   */
  readonly sendsTwice: boolean
  /**
   * Returns the account of a token, or null if the token is invalid. Without accounts, always returns the
   * single user.
   */
  readonly userOf: (token: string | undefined) => SocketUser | null
}

/** Events that other members of a queue's room also receive, without the owner and content. */
const REDACTED_FOR_OTHERS = ['batch_enqueued', 'queue_item_status_changed']

const redacted = (payload: Record<string, unknown>) => ({
  user_id: 'redacted',
  batch_id: '',
  origin: null,
  ...('session_id' in payload && { session_id: '', destination: null }),
})

/** InvokeAI's Socket.IO endpoint. Like InvokeAI, it neither acknowledges subscriptions nor replays events. */
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

  /** Returns the number of sockets subscribed to the queue. Earlier events never reach them. */
  get subscriberCount(): number {
    return this.#io.of('/').adapter.rooms.get('default')?.size ?? 0
  }

  /** Sends an event. Every payload contains the time in seconds. */
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
    // Rooms for downloads have the same names as those for queues.
    socket.on('subscribe_bulk_download', (data: { bulk_download_id: string }) => {
      void socket.join(data.bulk_download_id)
    })
    socket.on('unsubscribe_bulk_download', (data: { bulk_download_id: string }) => {
      void socket.leave(data.bulk_download_id)
    })
  }
}

/** Returns the token from `auth.token` or from the header of the handshake. */
function tokenOf({ handshake }: Socket): string | undefined {
  const { token } = handshake.auth
  if (typeof token === 'string') return token
  return handshake.headers.authorization?.replace(/^Bearer /, '')
}
