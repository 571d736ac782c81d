import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { REPLACED_CLOSE_CODE, SOCKET_IO_PATH } from '#contract/events.ts'
import { EventPeer } from '#integration/event-peer.ts'
import { EventHub } from '#server/core/events/event-hub.ts'
import { openEventSockets } from '#server/events/event-sockets.ts'
import { registerEventRoutes } from '#server/http/events/event-routes.ts'
import { createGuardedApp } from '#server/http/guarded-app.ts'
import { openProcess } from '#testing/engines/redis-coordination.ts'
import { type RedisServer, startRedisServer } from '#testing/engines/redis-server.ts'

const TRY_AGAIN_LATER = 1013

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedisServer(inject('redisProgram'))
})
afterAll(() => redis?.stop())

/** Starts the part of a server that the processes of a library share: limits, `/ws` and Socket.IO. */
const startProcess = async (library?: string) => {
  const process = await openProcess(redis.url, library === undefined ? {} : { library })
  const events = new EventHub({ clock: Date.now, bus: process.bus })
  const options = { rateLimit: { requestsPerMinute: 4, batchRequestsPerMinute: 2 } }
  const app = await createGuardedApp(options, process.limits)
  registerEventRoutes(app, openEventSockets(events, process.sockets))
  app.get('/api/batch', { config: { limit: 'batch' } }, async () => 'ok')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const get = () => fetch(`${url}/api/batch`)
  return { ...process, events, url, get }
}

const startTwo = async () => {
  const one = await startProcess()
  return { one, two: await startProcess(one.library) }
}

const emit = ({ events }: { events: EventHub }, queueId: string) =>
  events.emit('queue_cleared', { queue_id: queueId, user_id: null })

test('limits hold across both processes, with the same headers as in one', async () => {
  const { one, two } = await startTwo()

  const answers = [await one.get(), await two.get(), await one.get(), await two.get()]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  const [, second, third] = answers.map(({ headers }) => Object.fromEntries(headers))
  const seconds = expect.stringMatching(/^\d+$/)
  expect(second).toMatchObject({
    'ratelimit-limit': '2',
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
    'ratelimit-policy': '"default";q=4;w=60, "batch";q=2;w=60',
    ratelimit: expect.stringMatching(/^"default";r=2;t=\d+, "batch";r=0;t=\d+$/),
  })
  expect(third).toMatchObject({ 'retry-after': seconds, 'x-refusal-code': 'rate_limited' })
})

test('sockets of both processes get every event once, in the same order', async () => {
  const { one, two } = await startTwo()
  const peers = [
    await EventPeer.open(one.url, { client_id: 'one' }),
    await EventPeer.open(two.url, { client_id: 'two' }),
  ]

  for (let sent = 0; sent < 20; sent += 1) emit(sent % 2 ? one : two, `queue ${sent}`)

  const [ofOne, ofTwo] = await Promise.all(peers.map((peer) => peer.events(20)))
  expect(ofOne).toEqual(ofTwo)
  expect(new Set(ofOne?.map(({ data }) => JSON.stringify(data))).size).toBe(20)
})

test('a client has one socket across both processes', async () => {
  const { one, two } = await startTwo()
  const older = await EventPeer.open(one.url, { client_id: 'page' })

  const newer = await EventPeer.open(two.url, { client_id: 'page' })

  expect(await older.closed()).toBe(REPLACED_CLOSE_CODE)
  emit(one, 'default')
  expect(await newer.events(1)).toHaveLength(1)
})

test('an address has sixteen sockets across both processes', async () => {
  const { one, two } = await startTwo()
  for (let id = 0; id < 16; id += 1) {
    await EventPeer.open((id % 2 ? one : two).url, { client_id: `client ${id}` })
  }

  await expect(EventPeer.open(one.url, { client_id: 'one more' })).rejects.toMatchObject({
    status: 429,
    code: 'rate_limited',
  })
})

test('closes sockets while Redis is away, refuses new ones, and accepts them afterwards', async () => {
  const { one, two } = await startTwo()
  const peer = await EventPeer.open(one.url)
  const script = io(two.url, { path: SOCKET_IO_PATH, forceNew: true, transports: ['websocket'] })
  onTestFinished(() => void script.disconnect())
  const seen: string[] = []
  script.on('connect', () => seen.push('connect'))
  script.on('disconnect', (reason) => seen.push(reason))
  await expect.poll(() => seen).toEqual(['connect'])

  await redis.halt()
  expect(await peer.closed()).toBe(TRY_AGAIN_LATER)
  await expect(EventPeer.open(one.url)).rejects.toMatchObject({ status: 503, code: 'redis_down' })
  expect((await one.get()).status).toBe(200)
  await expect.poll(() => seen).toEqual(['connect', 'transport close'])

  await redis.resume()
  await expect.poll(() => seen.at(-1)).toBe('connect')
  await expect.poll(() => one.bus.isConnected).toBe(true)
  const again = await EventPeer.open(one.url, { client_id: 'again' })
  emit(two, 'default')
  expect(await again.events(1)).toHaveLength(1)
})
