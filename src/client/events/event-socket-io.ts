import { io } from 'socket.io-client'
import type { HttpOptions } from '#client/transport/http.ts'
import { BULK_DOWNLOAD_ID, type ServerEvent, SOCKET_IO_PATH } from '#contract/events.ts'
import { DEFAULT_QUEUE_ID, isFinal } from '#contract/queue/queue.ts'
import { eventAddress } from './event-address.ts'
import type { ConnectionHandlers } from './event-connection.ts'
import { asEvent } from './event-frame.ts'

/** In place of the user of an event that is another account's. */
const REDACTED = 'redacted'

/** How many events are looked back over for repeats. */
const REMEMBERED_EVENTS = 8

/** Opens Socket.IO of an InvokeAI, and subscribes to all that it sends (wire 6). */
export function openSocketIoConnection(
  { baseUrl, token: ownToken, tokens }: Pick<HttpOptions, 'baseUrl' | 'token' | 'tokens'>,
  { onOpen, onEvent, onEnd }: ConnectionHandlers,
  signal: AbortSignal,
): void {
  const token = tokens?.get() ?? ownToken
  const { origin, pathname } = eventAddress(baseUrl, SOCKET_IO_PATH)
  const socket = io(origin, {
    path: pathname,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    forceNew: true,
    reconnection: false, // the stream sees to that
    ...(token !== undefined && { auth: { token } }),
  })
  const isRepeat = createRepeatFilter()
  signal.addEventListener('abort', () => socket.disconnect())
  socket.on('connect', () => {
    socket.emit('subscribe_queue', { queue_id: DEFAULT_QUEUE_ID })
    socket.emit('subscribe_bulk_download', { bulk_download_id: BULK_DOWNLOAD_ID })
    onOpen()
  })
  socket.onAny((name: unknown, data: unknown) => {
    const event = asEvent(name, data)
    if (event === null || isOfOtherAccount(event) || isRepeat(event)) return
    onEvent(event)
    const end = sessionEndOf(event)
    if (end) onEvent(end)
  })
  socket.on('connect_error', () => onEnd('lost'))
  socket.on('disconnect', () => onEnd('lost'))
}

/** What other accounts do is told without whose and what it is (wire 6): nothing can be shown of it. */
const isOfOtherAccount = ({ data }: ServerEvent): boolean =>
  'user_id' in data && data.user_id === REDACTED

/** Whether an event was there a moment ago: InvokeAI 6.13 sends many twice, to two rooms (wire 6). */
function createRepeatFilter(): (event: ServerEvent) => boolean {
  let last: string[] = []
  return (event) => {
    const text = JSON.stringify(event)
    if (last.includes(text)) return true
    last = [text, ...last].slice(0, REMEMBERED_EVENTS)
    return false
  }
}

/** The specification's event for the end of a session, which InvokeAI does not send (wire 11, row 13). */
function sessionEndOf({ event, data }: ServerEvent): ServerEvent | null {
  if (event !== 'queue_item_status_changed' || !isFinal(data.status)) return null
  const { timestamp, queue_id, item_id, batch_id, session_id, status } = data
  return {
    event: 'session_complete',
    data: { timestamp, queue_id, item_id, batch_id, session_id, status },
  }
}
