import { expect, test, vi } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import type { ConnectionEnd } from './event-connection.ts'
import { openWebSocketConnection, type WebSocketOptions } from './event-socket.ts'

/** What a platform's `WebSocket` does, done by the test. */
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
  const probes: (() => void)[] = []
  const handlers = {
    onOpen: (probe = () => {}) => void probes.push(probe),
    onEvent: (event: ServerEvent) => void events.push(event),
    onEnd: (end: ConnectionEnd) => void ends.push(end),
  }
  // Its listeners are called with plain events that hold what a real one would.
  const WebSocket = PlatformSocket as unknown as NonNullable<WebSocketOptions['WebSocket']>
  openWebSocketConnection({ ...options, WebSocket }, handlers, ending.signal)
  return { socket: PlatformSocket.last, ending, events, ends, probes }
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
])('%j opens %s', (options, url, headers) => {
  const { socket } = openLine(options)

  expect([socket.url, socket.headers]).toEqual([url, headers])
})

test('frames become events, and broken ones nothing', () => {
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
])('a socket that closes with %d is %s', (code, end) => {
  const { socket, ends } = openLine({ baseUrl: 'http://host' })

  socket.happens('close', { code })

  expect(ends).toEqual([end])
})

test('a socket that fails is lost, whether or not it closes', () => {
  const { socket, ends } = openLine({ baseUrl: 'http://host' })

  socket.happens('error')

  expect(ends).toEqual(['lost'])
})

test('a probe sends a frame, and the signal closes the socket', () => {
  const { socket, probes, ending } = openLine({ baseUrl: 'http://host' })
  socket.happens('open')

  probes[0]?.()
  ending.abort()

  expect(socket.sent).toEqual([''])
  expect(socket.closedWith).toBe(1000)
})

test('a line that answers no probe any more is lost, though nobody closed it', () => {
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
