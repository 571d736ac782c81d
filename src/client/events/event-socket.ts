import { CLIENT_ID_KEY, EVENTS_PATH, REPLACED_CLOSE_CODE } from '#contract/events.ts'
import { eventAddress } from './event-address.ts'
import type { ConnectionHandlers } from './event-connection.ts'
import { readFrame } from './event-frame.ts'

/** The part of a `WebSocket` that is used. */
export type EventSocket = Pick<WebSocket, 'addEventListener' | 'close' | 'send'>

/** The platform's `WebSocket`. Only Node's takes headers. */
export type EventSocketClass = new (
  url: string,
  options?: { headers: Record<string, string> },
) => EventSocket

/** Which socket is opened, and how. */
export interface WebSocketOptions {
  readonly baseUrl: string
  readonly token?: string | undefined
  readonly clientId?: string | undefined
  readonly WebSocket?: EventSocketClass | undefined
}

const NORMAL_CLOSURE = 1000

/** An open line that has answered nothing for so long is lost, in milliseconds. */
const MAX_SILENCE_MS = 1_750

/** Opens `/ws` of a Tessera (spec 6). */
export function openWebSocketConnection(
  options: WebSocketOptions,
  { onOpen, onEvent, onEnd }: ConnectionHandlers,
  signal: AbortSignal,
): void {
  const Socket = options.WebSocket ?? (globalThis.WebSocket as unknown as EventSocketClass)
  const socket = new Socket(addressOf(options), headersOf(options))
  signal.addEventListener('abort', () => socket.close(NORMAL_CLOSURE))
  // A browser tells nothing of a server's pings, and of a line cut without a word only after minutes. So
  // the server is asked, by a frame that says nothing, and answers with another.
  let unansweredSince: number | null = null
  const probe = () => {
    const now = performance.now()
    if (unansweredSince !== null && now - unansweredSince > MAX_SILENCE_MS) {
      socket.close(NORMAL_CLOSURE)
      onEnd('lost', now - unansweredSince)
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
  socket.addEventListener('close', ({ code }) => {
    onEnd(code === REPLACED_CLOSE_CODE ? 'replaced' : 'lost')
  })
  socket.addEventListener('error', () => onEnd('lost')) // Node's may be followed by no close
}

function addressOf({ baseUrl, clientId }: WebSocketOptions): string {
  const { origin, pathname } = eventAddress(baseUrl, EVENTS_PATH)
  const query = clientId ? `?${new URLSearchParams({ [CLIENT_ID_KEY]: clientId })}` : ''
  return `${origin.replace(/^http/, 'ws')}${pathname}${query}`
}

/** A browser's socket takes no headers: there the cookie of the page lets it in. */
function headersOf({ token }: WebSocketOptions): { headers: Record<string, string> } | undefined {
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
  if (token === undefined || isBrowser) return undefined
  return { headers: { authorization: `Bearer ${token}` } }
}
