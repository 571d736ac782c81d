import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventNames, SOCKET_IO_PATH } from '#contract/events.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { EventPeer } from './event-peer.ts'
import { emitAll, sampleEvents } from './sample-events.ts'

/** The transports of clients: InvokeAI's page starts with polling, its Python client does not. */
const transports = {
  polling: { transports: ['polling'] },
  websocket: { transports: ['websocket'] },
  'polling, then websocket': { transports: ['polling', 'websocket'] },
  'websocket, then polling': { transports: ['websocket', 'polling'] },
}

let server: RunningServer
let clients: Socket[] = []
beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  for (const client of clients) client.disconnect()
  clients = []
  await server.close()
})

/** Options of a client that asks for `library_changed`. */
const withChanges = { query: { changes: 'true' } }

/** A client that records all messages and can wait for a number of events. */
class Listener {
  readonly socket: Socket
  readonly received: { event: string; data: unknown }[] = []
  #onEvent = () => {}

  constructor(options: Parameters<typeof io>[1] = {}) {
    const own = { path: SOCKET_IO_PATH, forceNew: true, reconnection: false, ...options }
    this.socket = io(server.url, own)
    this.socket.onAny((event, data) => {
      this.received.push({ event, data })
      this.#onEvent()
    })
    clients.push(this.socket)
  }

  async connected(): Promise<this> {
    if (!this.socket.connected) await once(this.socket, 'connect')
    return this
  }

  async subscribed(): Promise<this> {
    await this.connected()
    this.socket.emit('subscribe_queue', { queue_id: 'default' })
    this.socket.emit('subscribe_bulk_download', { bulk_download_id: 'default' })
    await this.caughtUp()
    return this
  }

  /** Waits until the server has read all sent packets: it reads them in order and answers an unknown namespace. */
  async caughtUp(): Promise<void> {
    const elsewhere = this.socket.io.socket('/nowhere')
    const answered = new Promise((resolve) => elsewhere.once('connect_error', resolve))
    elsewhere.connect()
    await answered
    elsewhere.disconnect()
  }

  async events(count: number): Promise<{ event: string; data: unknown }[]> {
    while (this.received.length < count) {
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve
      })
    }
    return this.received
  }
}

const once = (socket: Socket, event: string) =>
  new Promise<unknown>((resolve, reject) => {
    socket.once(event, resolve)
    if (event === 'connect') socket.once('connect_error', reject)
  })

describe.each(Object.entries(transports))('by %s', (_name, transport) => {
  test('delivers each event once and in order, as /ws does', async () => {
    const raw = await EventPeer.open(server.url, { changes: 'true' })
    const listener = await new Listener({ ...transport, ...withChanges }).subscribed()

    emitAll(server.events)

    const events = await listener.events(eventNames.length)
    expect(events).toEqual(await raw.events(eventNames.length))
  })
})

test('upgrades from polling to a WebSocket without losing an event', async () => {
  const listener = await new Listener(withChanges).subscribed()
  const { engine } = listener.socket.io
  if (engine.transport.name === 'polling') {
    await new Promise((resolve) => engine.once('upgrade', resolve))
  }
  emitAll(server.events)

  expect(engine.transport.name).toBe('websocket')
  expect(await listener.events(eventNames.length)).toHaveLength(eventNames.length)
})

test('sends an unsubscribed client all events except those for rooms', async () => {
  const listener = await new Listener().connected()

  emitAll(server.events)
  server.events.emit('session_complete', sampleEvents.session_complete)

  const inRooms = /^(queue_cleared|bulk_download_.*|(library|imports|searches)_changed)$/
  const expected = Object.keys(sampleEvents).filter((name) => !inRooms.test(name))
  const events = await listener.events(expected.length + 1)
  expect(events.map(({ event }) => event)).toEqual([...expected, 'session_complete'])
})

test('sends a client no room events after it unsubscribes', async () => {
  const listener = await new Listener().subscribed()

  listener.socket.emit('unsubscribe_queue', { queue_id: 'default' })
  await listener.caughtUp()
  server.events.emit('queue_cleared', sampleEvents.queue_cleared)
  server.events.emit('session_complete', sampleEvents.session_complete)

  const [first] = await listener.events(1)
  expect(first?.event).toBe('session_complete')
})

test('ignores invalid data for a subscription', async () => {
  const listener = await new Listener().connected()
  const queue_ids = [7, null, {}, { $ne: 1 }, 'x'.repeat(10_000), Buffer.from([1])]
  const wrong = [[], [null], ['default'], [[], {}, 3], ...queue_ids.map((id) => [{ queue_id: id }])]

  for (const event of ['subscribe_queue', 'unsubscribe_bulk_download', 'error', 'no_such_event']) {
    for (const data of wrong) listener.socket.emit(event, ...data)
  }
  await listener.caughtUp()

  server.events.emit('session_complete', sampleEvents.session_complete)
  expect(await listener.events(1)).toHaveLength(1)
})

test('replaces an older connection of the same client, which does not reconnect', async () => {
  const older = await new Listener({ reconnection: true }).connected()
  const gone = once(older.socket, 'disconnect')
  const newer = await new Listener().connected()

  expect(await gone).toBe('io server disconnect')
  expect(older.socket.active).toBe(false)
  server.events.emit('session_complete', sampleEvents.session_complete)
  expect(await newer.events(1)).toHaveLength(1)
})

test('serves a page on /ws and a script on Socket.IO at the same time', async () => {
  const raw = await EventPeer.open(server.url)
  const listener = await new Listener().connected()

  server.events.emit('session_complete', sampleEvents.session_complete)

  expect(await raw.events(1)).toHaveLength(1)
  expect(await listener.events(1)).toHaveLength(1)
})

test.each(['polling', 'websocket'] as const)(
  'refuses the seventeenth connection of an address by %s',
  async (transport) => {
    for (let id = 1; id <= 8; id += 1) {
      await new Listener({ query: { client_id: `page ${id}` } }).connected()
      await EventPeer.open(server.url, { client_id: `script ${id}` })
    }
    const seventeenth = new Listener({ query: { client_id: '9' }, transports: [transport] })

    await expect(seventeenth.connected()).rejects.toMatchObject({
      description: transport === 'polling' ? 429 : expect.anything(),
    })
    await expect(EventPeer.open(server.url, { client_id: '9' })).rejects.toMatchObject({
      status: 429,
    })
  },
)

test('disconnects a client that reads too slowly', async () => {
  const listener = await new Listener(transports.websocket).connected()
  const gone = once(listener.socket, 'disconnect')

  const error_traceback = 'x'.repeat(100_000)
  for (let sent = 0; sent < 1_000; sent += 1) {
    server.events.emit('invocation_error', { ...sampleEvents.invocation_error, error_traceback })
  }

  expect(await gone).toBe('transport close')
  expect(listener.received.length).toBeLessThan(100)
})

test('closes all connections on shutdown, and clients reconnect to the next server', async () => {
  const polling = await new Listener({ ...transports.polling, reconnection: true }).connected()
  const gone = once(polling.socket, 'disconnect')

  await server.restart()
  await gone
  await polling.connected()

  server.events.emit('session_complete', sampleEvents.session_complete)
  expect(await polling.events(1)).toHaveLength(1)
})
