import { expect, test, vi } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import type { ConnectionEnd, ConnectionLoss } from './event-connection.ts'
import { openWebSocketConnection, type WebSocketOptions } from './event-socket.ts'

/** Fakes the platform's `WebSocket`. Tests trigger its events. */
class PlatformSocket extends EventTarget {
  static last: PlatformSocket
  readonly sent: string[] = []
  closedWith: number | undefined
  readonly url: string
  readonly headers: Record<string, string> | undefined

  constructor(url: string, options?: { headers: Record<string, string> }) {
    super()
    this.url = url
    this.headers = options?.headers
    PlatformSocket.last = this
  }

  send(data: string): void {
    this.sent.push(data)
  }

  close(code: number): void {
    this.closedWith = code
  }

  happens(type: string, fields: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(type), fields))
  }
}

function openLine(options: Omit<WebSocketOptions, 'WebSocket'>) {
  const ending = new AbortController()
  const events: ServerEvent[] = []
  const ends: ConnectionEnd[] = []
  const losses: (ConnectionLoss | undefined)[] = []
  const probes: (() => void)[] = []
  const handlers = {
    onOpen: (probe = () => {}) => void probes.push(probe),
    onEvent: (event: ServerEvent) => void events.push(event),
    onEnd: (end: ConnectionEnd, loss?: ConnectionLoss) => {
      ends.push(end)
      losses.push(loss)
    },
  }
  // Listeners receive plain objects with the properties of the real events.
  const WebSocket = PlatformSocket as unknown as NonNullable<WebSocketOptions['WebSocket']>
  openWebSocketConnection({ ...options, WebSocket }, handlers, ending.signal)
  return { socket: PlatformSocket.last, ending, events, ends, losses, probes }
}

test.each([
  [{ baseUrl: 'http://127.0.0.1:9091' }, 'ws://127.0.0.1:9091/ws', undefined],
  [
    { baseUrl: 'https://home.example/tessera/', clientId: 'the page' },
    'wss://home.example/tessera/ws?client_id=the+page',
    undefined,
  ],
  [
    { baseUrl: 'http://127.0.0.1:9091', token: 'sesame' },
    'ws://127.0.0.1:9091/ws',
    { authorization: 'Bearer sesame' },
  ],
])('opens the right URL for %j: %s', (options, url, headers) => {
  const { socket } = openLine(options)

  expect([socket.url, socket.headers]).toEqual([url, headers])
})

test('parses frames as events and ignores malformed ones', () => {
  const { socket, events } = openLine({ baseUrl: 'http://host' })
  const frame = { event: 'queue_cleared', data: { timestamp: 1, queue_id: 'x', user_id: null } }

  for (const data of ['{', JSON.stringify(frame), new ArrayBuffer(1)]) {
    socket.happens('message', { data })
  }

  expect(events).toEqual([frame])
})

test.each([
  [4001, 'replaced'],
  [4002, 'lost'],
  [1006, 'lost'],
])('reports close code %d as %s', (code, end) => {
  const { socket, ends } = openLine({ baseUrl: 'http://host' })

  socket.happens('close', { code })

  expect(ends).toEqual([end])
})

test('reports a failed socket as lost, with or without a close event', () => {
  const { socket, ends } = openLine({ baseUrl: 'http://host' })

  socket.happens('error')

  expect(ends).toEqual(['lost'])
})

test.each([
  ['error', {}],
  ['error', { error: new Error('refused') }],
  ['close', { code: 1006, reason: '' }],
])('reports a cause that can be sent to other tabs: %s %j', (type, fields) => {
  const { socket, losses } = openLine({ baseUrl: 'http://host' })

  socket.happens(type, fields)

  expect(structuredClone(losses)).toMatchObject([
    { cause: { message: 'No answer from ws://host/ws' } },
  ])
})

test('sends a frame as a probe, and closes the socket on abort', () => {
  const { socket, probes, ending } = openLine({ baseUrl: 'http://host' })
  socket.happens('open')

  probes[0]?.()
  ending.abort()

  expect(socket.sent).toEqual([''])
  expect(socket.closedWith).toBe(1000)
})

test('reports an open connection as lost if probes stay unanswered', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { socket, probes, ends } = openLine({ baseUrl: 'http://host' })
    socket.happens('open')
    const probe = probes[0] ?? (() => {})

    probe()
    vi.advanceTimersByTime(1_700)
    socket.happens('message', { data: '' })
    probe()
    vi.advanceTimersByTime(1_700)
    probe()
    expect(ends).toEqual([])
    vi.advanceTimersByTime(200)
    probe()

    expect(ends).toEqual(['lost'])
    expect(socket.closedWith).toBe(1000)
  } finally {
    vi.useRealTimers()
  }
})
