import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import type { ServerEvent } from '#contract/events.ts'
import { type Account, type Accounts, SYSTEM } from './accounts.ts'
import { isSince } from './version.ts'

/** Events that other members of a queue's room also receive, without the owner and content. */
const REDACTED_FOR_OTHERS = ['batch_enqueued', 'queue_item_status_changed']

const redacted = (payload: Record<string, unknown>) => ({
  user_id: 'redacted',
  batch_id: '',
  origin: null,
  ...('session_id' in payload && { session_id: '', destination: null }),
})

/** Events that InvokeAI does not send. */
const EXTENSIONS = ['session_complete']

/** InvokeAI's Socket.IO endpoint. Like InvokeAI, it neither acknowledges subscriptions nor replays events. */
export class Sockets {
  readonly #io: Server
  readonly #accounts: Accounts
  readonly #version: string

  constructor(server: HttpServer, accounts: Accounts, version: string) {
    this.#accounts = accounts
    this.#version = version
    this.#io = new Server(server, {
      path: '/ws/socket.io',
      serveClient: false,
      pingInterval: 25_000,
      pingTimeout: 20_000,
    })
    this.#io.use((socket, next) => {
      const user = accounts.userOf(tokenOf(socket))
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

  /**
   * Sends an event to its owner, to admins, and without its content to others. Before 6.12 all members of the
   * queue's room receive it. 6.13 sends to owner and admins separately, so that most events arrive twice.
   */
  send({ event, data }: ServerEvent): void {
    if (EXTENSIONS.includes(event)) return
    const payload = data as Record<string, unknown>
    const { bulk_download_id: download, bulk_download_item_name, batch_id } = payload
    const isForAll =
      event === 'queue_cleared' ||
      (download !== undefined && !this.#accounts.isMultiUser) ||
      !isSince(this.#version, 12)
    if (isForAll) {
      this.#io.to(String(download ?? payload.queue_id)).emit(event, payload)
      return
    }
    const owner = this.#accounts.owners.get(String(batch_id ?? bulk_download_item_name))
    const rooms = [`user:${owner ?? SYSTEM.user_id}`, 'admin']
    const sendsTwice = isSince(this.#version, 13) && !isSince(this.#version, 14)
    for (const to of sendsTwice ? rooms : [rooms]) this.#io.to(to).emit(event, payload)
    if (!REDACTED_FOR_OTHERS.includes(event)) return
    const others = this.#io.to(String(payload.queue_id)).except(rooms)
    others.emit(event, { ...payload, ...redacted(payload) })
  }

  async close(): Promise<void> {
    this.#io.disconnectSockets(true)
    await this.#io.close()
  }

  #welcome(socket: Socket): void {
    const { user_id, is_admin } = socket.data.user as Account
    const own = [`user:${user_id}`, ...(is_admin ? ['admin'] : [])]
    if (isSince(this.#version, 14)) void socket.join([...own, 'workflows:shared'])
    socket.on('subscribe_queue', (data: { queue_id: string }) => {
      // 6.12 and 6.13 join the rooms of the user here.
      void socket.join(isSince(this.#version, 12) ? [data.queue_id, ...own] : data.queue_id)
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
