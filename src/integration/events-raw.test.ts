import Value from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventNames, eventSchemas, REPLACED_CLOSE_CODE } from '#contract/events.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { EventPeer } from './event-peer.ts'
import { emitAll, sampleNews } from './sample-news.ts'

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ allowedHosts: ['gallery.lan'] })
})
afterEach(() => server.close())

test('every event arrives once, in order, as the contract describes it', async () => {
  const peer = await EventPeer.open(server.url)

  emitAll(server.events)

  const events = await peer.events(eventNames.length)
  expect(events.map(({ event }) => event)).toEqual(Object.keys(sampleNews))
  for (const { event, data } of events) {
    expect([event, Value.Errors(eventSchemas[event], data)]).toEqual([event, []])
  }
})

test('an event carries the second in which it happened', async () => {
  const peer = await EventPeer.open(server.url)

  server.clock.advance(1_999)
  server.events.emit('queue_cleared', sampleNews.queue_cleared)

  const [event] = await peer.events(1)
  expect(event?.data).toEqual({
    timestamp: Math.floor(server.clock() / 1000),
    ...sampleNews.queue_cleared,
  })
})

test('a newer socket of the same address replaces the older', async () => {
  const older = await EventPeer.open(server.url)
  const newer = await EventPeer.open(server.url)

  expect(await older.closed()).toBe(REPLACED_CLOSE_CODE)
  server.events.emit('queue_cleared', sampleNews.queue_cleared)
  expect(await newer.events(1)).toHaveLength(1)
})

test('a client that names itself is counted by its name', async () => {
  const one = await EventPeer.open(server.url, { client_id: 'one' })
  const other = await EventPeer.open(server.url, { client_id: 'other' })
  const nameless = await EventPeer.open(server.url)
  const oneAgain = await EventPeer.open(server.url, { client_id: 'one' })

  expect(await one.closed()).toBe(REPLACED_CLOSE_CODE)
  server.events.emit('queue_cleared', sampleNews.queue_cleared)
  for (const peer of [other, nameless, oneAgain]) expect(await peer.events(1)).toHaveLength(1)
})

test('an address holds sixteen sockets, and a seventeenth when one of them is gone', async () => {
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

test('a name that is too long is refused', async () => {
  const opening = EventPeer.open(server.url, { client_id: 'x'.repeat(101) })

  await expect(opening).rejects.toMatchObject({ status: 422, code: 'invalid_request' })
})

test('a long frame closes the socket, and nobody else’s', async () => {
  const peer = await EventPeer.open(server.url, { client_id: 'long' })
  const other = await EventPeer.open(server.url, { client_id: 'other' })

  peer.socket.send('x'.repeat(5_000))

  expect(await peer.closed()).toBe(1009)
  server.events.emit('queue_cleared', sampleNews.queue_cleared)
  expect(await other.events(1)).toHaveLength(1)
})

test('what comes in is passed over', async () => {
  const peer = await EventPeer.open(server.url)

  for (const frame of ['{', 'null', Buffer.from([0, 255])]) peer.socket.send(frame)
  peer.socket.ping()
  await new Promise((resolve) => peer.socket.once('pong', resolve))

  server.events.emit('queue_cleared', sampleNews.queue_cleared)
  expect(await peer.events(1)).toHaveLength(1)
})

test('an empty frame is answered by an empty one, so that a browser can tell a line that was cut', async () => {
  const peer = await EventPeer.open(server.url)

  peer.socket.send('')

  await expect.poll(() => peer.answersToProbes).toBe(1)
})

test('a stopping server says that it goes away', async () => {
  const peer = await EventPeer.open(server.url)

  await server.restart()

  expect(await peer.closed()).toBe(1001)
})
