import { once } from 'node:events'
import { connect } from 'node:net'
import Value from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EVENTS_PATH, eventNames, eventSchemas, REPLACED_CLOSE_CODE } from '#contract/events.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { EventPeer } from './event-peer.ts'
import { emitAll, sampleEvents } from './sample-events.ts'

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ allowedHosts: ['gallery.lan'] })
})
afterEach(() => server.close())

test('delivers each event once, in order, and as the contract describes it', async () => {
  const peer = await EventPeer.open(server.url, { changes: 'true' })

  emitAll(server.events)

  const events = await peer.events(eventNames.length)
  expect(events.map(({ event }) => event)).toEqual(Object.keys(sampleEvents))
  for (const { event, data } of events) {
    expect([event, Value.Errors(eventSchemas[event], data)]).toEqual([event, []])
  }
})

test('sends changes of the library only to clients that ask for them', async () => {
  const asking = await EventPeer.open(server.url, { client_id: 'asking', changes: 'true' })
  const plain = await EventPeer.open(server.url, { client_id: 'plain' })

  server.events.emit('library_changed', sampleEvents.library_changed)
  server.events.emit('queue_cleared', sampleEvents.queue_cleared)

  const namesOf = async (peer: EventPeer, count: number) =>
    (await peer.events(count)).map(({ event }) => event)
  expect(await namesOf(asking, 2)).toEqual(['library_changed', 'queue_cleared'])
  expect(await namesOf(plain, 1)).toEqual(['queue_cleared'])
})

test('stamps an event with the second in which it happened', async () => {
  const peer = await EventPeer.open(server.url)

  server.clock.advance(1_999)
  server.events.emit('queue_cleared', sampleEvents.queue_cleared)

  const [event] = await peer.events(1)
  expect(event?.data).toEqual({
    timestamp: Math.floor(server.clock() / 1000),
    ...sampleEvents.queue_cleared,
  })
})

test('closes the older of two sockets of an address without client ids', async () => {
  const older = await EventPeer.open(server.url)
  const newer = await EventPeer.open(server.url)

  expect(await older.closed()).toBe(REPLACED_CLOSE_CODE)
  server.events.emit('queue_cleared', sampleEvents.queue_cleared)
  expect(await newer.events(1)).toHaveLength(1)
})

test('replaces only sockets with the same client id', async () => {
  const one = await EventPeer.open(server.url, { client_id: 'one' })
  const other = await EventPeer.open(server.url, { client_id: 'other' })
  const nameless = await EventPeer.open(server.url)
  const oneAgain = await EventPeer.open(server.url, { client_id: 'one' })

  expect(await one.closed()).toBe(REPLACED_CLOSE_CODE)
  server.events.emit('queue_cleared', sampleEvents.queue_cleared)
  for (const peer of [other, nameless, oneAgain]) expect(await peer.events(1)).toHaveLength(1)
})

test('does not replace a socket for a client that has already left', async () => {
  const peer = await EventPeer.open(server.url, { client_id: 'page' })
  const { hostname, port } = new URL(server.url)

  // All of it has arrived before the server reads, as after a process hung.
  const gone = connect(Number(port), hostname)
  gone.end(
    [
      `GET ${EVENTS_PATH}?client_id=page HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  )
  await once(gone.resume(), 'close')

  server.events.emit('queue_cleared', sampleEvents.queue_cleared)
  expect(await peer.events(1)).toHaveLength(1)
  expect(peer.socket.readyState).toBe(peer.socket.OPEN)
})

test('allows sixteen sockets per address and reuses a closed one', async () => {
  const peers: EventPeer[] = []
  for (let id = 1; id <= 16; id += 1) {
    peers.push(await EventPeer.open(server.url, { client_id: `client ${id}` }))
  }
  const refused = { status: 429, code: 'rate_limited' }
  const seventeenth = { client_id: 'client 17' }

  await expect(EventPeer.open(server.url, seventeenth)).rejects.toMatchObject(refused)
  await EventPeer.open(server.url, { client_id: 'client 16' })
  await expect(EventPeer.open(server.url, seventeenth)).rejects.toMatchObject(refused)
  peers[0]?.socket.close()
  await peers[0]?.closed()
  await EventPeer.open(server.url, seventeenth)
})

test('rejects a client name that is too long', async () => {
  const opening = EventPeer.open(server.url, { client_id: 'x'.repeat(101) })

  await expect(opening).rejects.toMatchObject({ status: 422, code: 'invalid_request' })
})

test('closes only the socket that sent a long frame', async () => {
  const peer = await EventPeer.open(server.url, { client_id: 'long' })
  const other = await EventPeer.open(server.url, { client_id: 'other' })

  peer.socket.send('x'.repeat(5_000))

  expect(await peer.closed()).toBe(1009)
  server.events.emit('queue_cleared', sampleEvents.queue_cleared)
  expect(await other.events(1)).toHaveLength(1)
})

test('ignores incoming messages', async () => {
  const peer = await EventPeer.open(server.url)

  for (const frame of ['{', 'null', Buffer.from([0, 255])]) peer.socket.send(frame)
  peer.socket.ping()
  await new Promise((resolve) => peer.socket.once('pong', resolve))

  server.events.emit('queue_cleared', sampleEvents.queue_cleared)
  expect(await peer.events(1)).toHaveLength(1)
})

test('answers an empty frame with an empty one, for connection checks in browsers', async () => {
  const peer = await EventPeer.open(server.url)

  peer.socket.send('')

  await expect.poll(() => peer.answersToProbes).toBe(1)
})

test('closes sockets with "going away" when the server stops', async () => {
  const peer = await EventPeer.open(server.url)

  await server.restart()

  expect(await peer.closed()).toBe(1001)
})
