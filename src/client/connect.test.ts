import { expect, test, vi } from 'vitest'
import { FakeFetch } from '#testing/fake-fetch.ts'
import { connect, type EventStreamOptions } from './connect.ts'
import { ConnectionError } from './errors.ts'

const capabilities = { server: 'tessera', extensions: [], limits: {} }

/** Opens the event stream and returns the address of its socket. */
const socketAddress = async (options: EventStreamOptions = {}): Promise<string> => {
  const { fetch } = new FakeFetch({ 'GET /api/v1/app/capabilities': () => capabilities })
  const opened = Promise.withResolvers<string>()
  class Socket extends EventTarget {
    constructor(url: string) {
      super()
      opened.resolve(url)
    }
    send(): void {}
    close(): void {}
  }
  const WebSocket = Socket as unknown as new (url: string) => globalThis.WebSocket
  const { events } = connect({
    baseUrl: 'http://gallery.test',
    fetch,
    events: { ...options, WebSocket },
  })
  using _ = events.listen(() => {})
  return await opened.promise
}

test('gives each client a name, so that clients on one machine do not replace each other', async () => {
  const [one, other] = [await socketAddress(), await socketAddress()]

  expect(one).toMatch(/^ws:\/\/gallery\.test\/ws\?client_id=client-\w+$/)
  expect(one).not.toBe(other)
})

test('asks for changes of the library only if the option says so', async () => {
  const query = { client_id: 'wall', changes: 'true' }

  const asking = new URL(await socketAddress({ clientId: 'wall', changes: true }))
  const plain = new URL(await socketAddress({ clientId: 'wall', changes: false }))

  expect(Object.fromEntries(asking.searchParams)).toEqual(query)
  expect(Object.fromEntries(plain.searchParams)).toEqual({ client_id: 'wall' })
})

test('throws when it listens on a platform without WebSockets', () => {
  vi.stubGlobal('WebSocket', undefined)
  Reflect.deleteProperty(globalThis, 'WebSocket')
  try {
    const { events } = connect({ baseUrl: 'http://gallery.test' })

    expect(() => events.listen(() => {})).toThrow('Events need a WebSocket')
    expect(events.getState().phase).toBe('closed')
  } finally {
    vi.unstubAllGlobals()
  }
})

test('mentions --allow-origin if a page cannot reach a server of another origin', () => {
  vi.stubGlobal('location', new URL('http://localhost:5173/page'))
  try {
    expect(new ConnectionError('http://127.0.0.1:9091/api').message).toBe(
      'No answer from http://127.0.0.1:9091/api. Was the server started with --allow-origin http://localhost:5173?',
    )
    expect(new ConnectionError('/api').message).toBe('No answer from /api')
  } finally {
    vi.unstubAllGlobals()
  }
})
