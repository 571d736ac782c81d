import { io } from 'socket.io-client'

/** Options of a listener. */
interface ListenOptions {
  /** Subscribes to the queue. The default is true. */
  subscribes?: boolean
  token?: string
}

/**
 * Records the events that a server sends by Socket.IO.
 *
 * @returns Lines of the form `event` or `event status`.
 * @throws The server refuses the connection.
 */
export async function listenTo(url: string, { subscribes = true, token = '' }: ListenOptions = {}) {
  const socket = io(url, { path: '/ws/socket.io', reconnection: false, auth: { token } })
  const heard: [name: string, data: Record<string, unknown>][] = []
  socket.onAny((name, data) => heard.push([name, data]))
  await new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(null))
    socket.on('connect_error', reject)
  })
  if (subscribes) socket.emit('subscribe_queue', { queue_id: 'default' })
  const lines = () => heard.map(([name, { status }]) => (status ? `${name} ${status}` : name))
  return { socket, heard, lines }
}
