import { ConnectionError, GalleryError } from '#client/errors.ts'
import type { HttpOptions } from '#client/transport/http.ts'
import { BULK_DOWNLOAD_ID, type ServerEvent, SOCKET_IO_PATH } from '#contract/events.ts'
import { DEFAULT_QUEUE_ID, isFinal } from '#contract/queue/queue.ts'
import { eventAddress } from './event-address.ts'
import type { ConnectionHandlers } from './event-connection.ts'
import { asEvent } from './event-frame.ts'

/** Value of `user_id` in events of other accounts. */
const REDACTED = 'redacted'

/** Number of recent events to compare with for duplicates. */
const REMEMBERED_EVENTS = 8

/** Bundlers accept a missing package only if the import is in a `try` block. */
const importSocketIo = async () => {
  try {
    return await import('socket.io-client')
  } catch (cause) {
    const message = 'The events of an InvokeAI need a package: npm install socket.io-client'
    throw new GalleryError(message, { cause })
  }
}

/** Opens a Socket.IO connection to an InvokeAI and subscribes to all of its events. */
export async function openSocketIoConnection(
  { baseUrl, token: ownToken, tokens }: Pick<HttpOptions, 'baseUrl' | 'token' | 'tokens'>,
  { onOpen, onEvent, onEnd }: ConnectionHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { io } = await importSocketIo()
  if (signal.aborted) return
  const token = tokens?.get() ?? ownToken
  const { origin, pathname } = eventAddress(baseUrl, SOCKET_IO_PATH)
  const socket = io(origin, {
    path: pathname,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    forceNew: true,
    reconnection: false, // the stream reconnects
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
  const lose = (cause: unknown) =>
    onEnd('lost', { cause: new ConnectionError(`${origin}${pathname}`, { cause }) })
  socket.on('connect_error', lose)
  socket.on('disconnect', lose)
}

/** InvokeAI removes the user and all details from events of other accounts, so there is nothing to show. */
const isOfOtherAccount = ({ data }: ServerEvent): boolean =>
  'user_id' in data && data.user_id === REDACTED

/**
 * Creates a function that returns true if it saw the same event recently. InvokeAI 6.13 sends many events
 * twice, because a client is in two rooms.
 */
function createRepeatFilter(): (event: ServerEvent) => boolean {
  let last: string[] = []
  return (event) => {
    const text = JSON.stringify(event)
    if (last.includes(text)) return true
    last = [text, ...last].slice(0, REMEMBERED_EVENTS)
    return false
  }
}

/** Returns the event for the end of a session, which the specification requires and InvokeAI does not send. */
function sessionEndOf({ event, data }: ServerEvent): ServerEvent | null {
  if (event !== 'queue_item_status_changed' || !isFinal(data.status)) return null
  const { timestamp, queue_id, item_id, batch_id, session_id, status } = data
  return {
    event: 'session_complete',
    data: { timestamp, queue_id, item_id, batch_id, session_id, status },
  }
}
