import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import type { ServerEvent } from '#contract/events.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

/** Long enough for a busy machine. */
const pollOptions = { timeout: 20_000 }

let upstream: FakeUpstream
let events: Server
let gallery: RunningUpstreamServer
let clients: Socket[]
beforeEach(async () => {
  upstream = await startFakeUpstream((_request, response) => response.writeHead(404).end())
  events = new Server(upstream.server, { path: '/ws/socket.io', destroyUpgrade: false })
  // A login as a multi-user InvokeAI requires it.
  events.use((socket, next) =>
    socket.handshake.auth.token === 'wrong' ? next(new Error('refused')) : next(),
  )
  events.on('connection', (socket) => {
    socket.on('subscribe_queue', ({ queue_id }) => socket.join(queue_id))
    socket.on('echo', (data, answer) => answer(data))
  })
  gallery = await startUpstreamServer(upstream.url)
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.disconnect()
  await gallery.close()
  await events.close()
  await upstream.kill()
})

const open = (transports: string[], options: Parameters<typeof io>[1] = {}): Socket => {
  const client = io(gallery.url, {
    path: '/ws/socket.io',
    transports,
    reconnection: false,
    forceNew: true,
    ...options,
  })
  clients.push(client)
  return client
}

describe.each([
  ['polling', ['polling'], 'polling'],
  ['WebSocket', ['websocket'], 'websocket'],
  ['polling that becomes a WebSocket', ['polling', 'websocket'], 'websocket'],
])('by %s', (_name, transports, final) => {
  test('passes events in both directions, including large ones', async () => {
    const client = open(transports)
    await nextEvent(client, 'connect')
    await expect.poll(() => client.io.engine.transport.name, pollOptions).toBe(final)

    expect(await client.emitWithAck('echo', { queue_id: 'default' })).toEqual({
      queue_id: 'default',
    })
    const image = { dataURL: `data:image/jpeg;base64,${'x'.repeat(900_000)}` }
    const progress = nextEvent(client, 'invocation_progress')
    events.emit('invocation_progress', { image })
    expect(await progress).toEqual([{ image }])
  })

  test('forwards a login and refuses a wrong one', async () => {
    const client = open(transports, { auth: { token: 'wrong' } })

    expect(await nextEvent(client, 'connect_error')).toMatchObject([{ message: 'refused' }])
  })

  test('closes when the upstream dies and reopens when it returns', async () => {
    const client = open(transports, {
      reconnection: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 100,
    })
    await nextEvent(client, 'connect')
    await expect.poll(() => client.io.engine.transport.name, pollOptions).toBe(final)
    const lost = nextEvent(client, 'disconnect')
    await upstream.kill()
    await lost

    const back = nextEvent(client, 'connect')
    await upstream.revive()
    await back
    expect(await client.emitWithAck('echo', 1)).toBe(1)
  })

  test("closes the upstream's connection when the client leaves", async () => {
    const [arrived, client] = [once(events, 'connection'), open(transports)]
    const [socket] = await arrived
    await nextEvent(client, 'connect')
    const left = once(socket, 'disconnect')

    client.io.engine.close()
    await left
  })
})

test('delivers each event once to the client library', async () => {
  const client = connect({ baseUrl: gallery.url })
  const received: ServerEvent[] = []
  const arrived = once(events, 'connection')
  const stop = client.events.listen((event) => received.push(event))
  const [socket] = await arrived
  await expect.poll(() => socket.rooms.has('default'), pollOptions).toBe(true)

  const data = { timestamp: 1, queue_id: 'default' }
  for (let sent = 0; sent < 2; sent++) events.to('default').emit('queue_cleared', data)
  events.to('default').emit('queue_items_canceled', { ...data, canceled_item_ids: [1] })

  await expect
    .poll(() => received.map(({ event }) => event), pollOptions)
    .toEqual(['queue_cleared', 'queue_items_canceled'])
  stop()
})

/** Returns the arguments of the next event of this name. */
const nextEvent = (client: Socket, name: string): Promise<unknown[]> =>
  new Promise((resolve) => client.once(name, (...data: unknown[]) => resolve(data)))

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MTIzNDU2Nzg5MDEyMzQ1Ng==',
}

const upgrade = async (
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> => {
  const asked = request(`${gallery.url}${path}`, { headers: { ...handshake, ...headers } }).end()
  const answer = await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])
  asked.destroy()
  return answer[0] as IncomingMessage
}

test.each([
  ['/ws', 404],
  ['/ws/', 404],
  ['/', 404],
  ['/api/v1/app/version', 404],
  ['/ws/socket.io/other', 404],
  ['/ws/socket.io/?EIO=4&transport=pigeon', 502],
])('opens no socket at %s', async (path, status) => {
  expect((await upgrade(path)).statusCode).toBe(status)
})

test('opens no socket for another site', async () => {
  const path = '/ws/socket.io/?EIO=4&transport=websocket'

  expect((await upgrade(path, { origin: gallery.url })).statusCode).toBe(101)
  expect((await upgrade(path, { origin: 'http://evil.example' })).statusCode).toBe(403)
  expect((await upgrade(path, { host: 'evil.example' })).statusCode).toBe(403)
})

test('reports an unreachable upstream in answer to a handshake', async () => {
  await upstream.kill()
  const answer = await upgrade('/ws/socket.io/?EIO=4&transport=websocket')

  expect([answer.statusCode, answer.headers['x-refusal-code']]).toEqual([502, 'upstream_down'])
})

test('closes its sockets when the server stops', async () => {
  const client = open(['websocket'])
  await nextEvent(client, 'connect')
  const lost = nextEvent(client, 'disconnect')

  await gallery.close()
  await lost
})

test('refuses the sixty-fifth socket', async () => {
  const path = '/ws/socket.io/?EIO=4&transport=websocket'
  const sockets = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const asked = request(`${gallery.url}${path}`, { headers: handshake, agent: false }).end()
      const [, socket] = await once(asked, 'upgrade')
      return socket
    }),
  )

  expect((await upgrade(path)).statusCode).toBe(503)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await upgrade(path)).statusCode, pollOptions).toBe(101)
})
