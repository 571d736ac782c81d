import { ConnectionError } from '#client/errors.ts'
import { queryOf } from '#client/transport/address.ts'
import { CHANGES_KEY, CLIENT_ID_KEY, EVENTS_PATH, REPLACED_CLOSE_CODE } from '#contract/events.ts'
import { eventAddress } from './event-address.ts'
import type { ConnectionHandlers } from './event-connection.ts'
import { readFrame } from './event-frame.ts'

/** The subset of `WebSocket` that the client uses. */
export type EventSocket = Pick<WebSocket, 'addEventListener' | 'close' | 'send'>

/** Constructor of the platform's `WebSocket`. Only Node's accepts headers. */
export type EventSocketClass = new (
  url: string,
  options?: { headers: Record<string, string> },
) => EventSocket

/** Address and options of a WebSocket connection. */
export interface WebSocketOptions {
  readonly baseUrl: string
  readonly token?: string | undefined
  readonly clientId?: string | undefined
  /** True asks for `library_changed`, `imports_changed` and `searches_changed`. */
  readonly changes?: boolean | undefined
  readonly WebSocket?: EventSocketClass | undefined
}

const NORMAL_CLOSURE = 1000

/** An open connection without any message for this long after a probe is lost, in milliseconds. */
const MAX_SILENCE_MS = 1_750

/** Opens `/ws` of a Tessera. */
export function openWebSocketConnection(
  options: WebSocketOptions,
  { onOpen, onEvent, onEnd }: ConnectionHandlers,
  signal: AbortSignal,
): void {
  const Socket = options.WebSocket ?? (globalThis.WebSocket as unknown as EventSocketClass)
  const url = addressOf(options)
  const socket = new Socket(url, headersOf(options))
  signal.addEventListener('abort', () => socket.close(NORMAL_CLOSURE))
  // Browsers hide the server's pings, and report a silently cut connection only after minutes. So
  // the client sends an empty frame as a probe, and the server answers with another.
  let unansweredSince: number | null = null
  const probe = () => {
    const now = performance.now()
    if (unansweredSince !== null && now - unansweredSince > MAX_SILENCE_MS) {
      socket.close(NORMAL_CLOSURE)
      onEnd('lost', { cause: new ConnectionError(url), silentMs: now - unansweredSince })
      return
    }
    unansweredSince ??= now
    socket.send('')
  }
  socket.addEventListener('open', () => onOpen(probe))
  socket.addEventListener('message', ({ data }) => {
    unansweredSince = null
    const event = readFrame(data)
    if (event) onEvent(event)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    if (code === REPLACED_CLOSE_CODE) return onEnd('replaced')
    const why = `The connection closed with code ${code}${reason ? `: ${reason}` : ''}`
    onEnd('lost', { cause: new ConnectionError(url, { cause: why }) })
  })
  // In Node, `close` may not follow. Only Node's event has the error. The event itself cannot be sent to
  // other tabs, but the state of the stream can.
  socket.addEventListener('error', (event) => {
    const options = 'error' in event ? { cause: event.error } : undefined
    onEnd('lost', { cause: new ConnectionError(url, options) })
  })
}

function addressOf({ baseUrl, clientId, changes }: WebSocketOptions): string {
  const { origin, pathname } = eventAddress(baseUrl, EVENTS_PATH)
  const query = queryOf({
    [CLIENT_ID_KEY]: clientId || undefined,
    [CHANGES_KEY]: changes || undefined,
  })
  return `${origin.replace(/^http/, 'ws')}${pathname}${query}`
}

/** Browser WebSockets accept no headers. There the page's cookie authorizes the connection. */
function headersOf({ token }: WebSocketOptions): { headers: Record<string, string> } | undefined {
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
  if (token === undefined || isBrowser) return undefined
  return { headers: { authorization: `Bearer ${token}` } }
}
