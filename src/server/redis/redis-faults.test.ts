import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { MAX_SOCKETS_PER_ADDRESS } from '#contract/events.ts'
import type { BusMessage } from '#server/core/events/event-bus.ts'
import { openProcess, type TestProcess } from '#testing/engines/redis-coordination.ts'
import { connectTo, type RedisServer, startRedisServer } from '#testing/engines/redis-server.ts'

const program = inject('redisProgram')

let server: RedisServer
beforeAll(async () => {
  server = await startRedisServer(program)
})
afterAll(() => server?.stop())
afterEach(async () => {
  server.thaw()
  await server.resume()
})

const message: BusMessage = { kind: 'queue_changed' }
const policies = [{ name: 'default', max: 2, counts: true }] as const
const client = { address: '192.0.2.1', clientId: 'page' }

const isAllowed = async ({ limits }: TestProcess) =>
  (await limits.count({ client: '192.0.2.1', page: null, policies })).isAllowed

const ticket = { source: { boardId: 'none' }, fileName: 'a.zip', options: {} }

test('goes on alone while Redis is down, and with the others afterwards', async () => {
  const one = await openProcess(server.url)
  const two = await openProcess(server.url, { library: one.library })
  const changes: boolean[] = []
  one.bus.onConnection((isConnected) => changes.push(isConnected))
  await one.sockets.take('raw', client, () => {})
  expect([await isAllowed(one), await isAllowed(two), await isAllowed(two)]).toEqual([
    true,
    true,
    false,
  ])

  await server.halt()
  await expect.poll(() => one.bus.isConnected || two.bus.isConnected).toBe(false)
  expect(one.limits.isShared).toBe(false)
  expect([await isAllowed(one), await isAllowed(one), await isAllowed(one)]).toEqual([
    true,
    true,
    false,
  ])
  expect(await isAllowed(two)).toBe(true)
  one.bus.publish(message)
  await expect(one.tickets.add('ticket', ticket)).rejects.toMatchObject({ code: 'redis_down' })
  await expect(one.tickets.get('ticket')).rejects.toMatchObject({ code: 'redis_down' })
  await expect(one.sockets.take('raw', client, () => {})).rejects.toMatchObject({
    code: 'redis_down',
  })

  const heard: BusMessage[] = []
  two.bus.listen((each) => heard.push(each))
  await server.resume()
  await expect.poll(() => one.bus.isConnected && two.bus.isConnected).toBe(true)
  expect(changes).toEqual([false, true])
  expect(one.limits.isShared).toBe(true)
  one.bus.publish({ kind: 'items_stopped', itemIds: [1] })
  await expect.poll(() => heard).toEqual([{ kind: 'items_stopped', itemIds: [1] }])
  expect([await isAllowed(one), await isAllowed(two), await isAllowed(two)]).toEqual([
    true,
    true,
    false,
  ])
  expect(one.warnings).toEqual([
    expect.stringContaining('does not answer. Until it does, each process limits requests'),
    expect.stringContaining('answers again'),
  ])
})

test('takes its places again in a Redis that restarted empty', async () => {
  const one = await openProcess(server.url)
  const two = await openProcess(server.url, { library: one.library })
  const replaced: string[] = []
  await one.sockets.take('raw', client, () => replaced.push('older'))

  await server.halt()
  await expect.poll(() => one.bus.isConnected || two.bus.isConnected).toBe(false)
  await server.resume()
  await expect.poll(() => one.bus.isConnected && two.bus.isConnected).toBe(true)
  await two.sockets.take('raw', client, () => {})

  await expect.poll(() => replaced).toEqual(['older'])
})

test('answers requests although Redis hangs', async () => {
  const process = await openProcess(server.url)

  server.freeze()
  expect(await isAllowed(process)).toBe(true)
  await expect.poll(() => process.bus.isConnected).toBe(false)
  server.thaw()

  await expect.poll(() => process.bus.isConnected).toBe(true)
  expect(process.warnings).toHaveLength(2)
})

test.each(['normal', 'pubsub'])('opens lost connections again: %s', async (kind) => {
  const process = await openProcess(server.url)
  const admin = await connectTo(server.url)
  onTestFinished(() => admin.disconnect())
  const seen: unknown[] = []
  process.bus.onConnection((isConnected) => seen.push(isConnected))
  process.bus.listen((each) => seen.push(each))

  await admin.call('CLIENT', 'KILL', 'TYPE', kind, 'SKIPME', 'yes')
  await expect.poll(() => seen).toEqual([false, true])
  process.bus.publish(message)

  await expect.poll(() => seen).toEqual([false, true, message])
})

test('reports a lost message as a short loss of the connection', async () => {
  const process = await openProcess(server.url)
  const other = await connectTo(server.url)
  onTestFinished(() => other.disconnect())
  const seen: unknown[] = []
  process.bus.onConnection((isConnected) => seen.push(isConnected))
  process.bus.listen((each) => seen.push(each))
  const send = (...envelope: unknown[]) =>
    other.publish(`tessera:{${process.library}}:events`, JSON.stringify(envelope))

  await send('another process', 5, message)
  await send('another process', 6, message)
  await send('another process', 6, null)
  await expect.poll(() => seen).toEqual([message, message])
  await send('another process', 8, message)

  await expect.poll(() => seen).toEqual([message, message, false, true, message])
})

test('ignores messages that are not its own', async () => {
  const process = await openProcess(server.url)
  const other = await connectTo(server.url)
  onTestFinished(() => other.disconnect())

  await other.publish(`tessera:{${process.library}}:events`, 'not JSON')

  await expect.poll(() => process.failures).toEqual([expect.any(SyntaxError)])
  expect(process.bus.isConnected).toBe(true)
})

test('warns of a Redis that deletes keys, and works without them', async () => {
  const evicting = await startRedisServer(program, { evictAboveBytes: 3_000_000 })
  onTestFinished(() => evicting.stop())
  const process = await openProcess(evicting.url)
  expect(process.warnings).toEqual([expect.stringContaining('maxmemory-policy allkeys-random')])
  const filler = await connectTo(evicting.url)
  onTestFinished(() => filler.disconnect())

  const replaced: string[] = []
  for (let id = 0; id < MAX_SOCKETS_PER_ADDRESS; id += 1) {
    const socket = { ...client, clientId: `client ${id}` }
    await process.sockets.take('raw', socket, () => replaced.push(socket.clientId))
  }

  for (let index = 0; index < 500; index += 1) {
    await filler.set(`filler ${index}`, 'x'.repeat(20_000))
    await isAllowed(process)
  }
  const fillers = await filler.keys('filler *')
  expect(fillers.length).toBeLessThan(500)
  await filler.del(...fillers)
  for (const key of await process.keys()) {
    await filler.del(key) // as if evicted
    await process.sockets.renew()
    expect(await process.sockets.hasRoom('raw', { ...client, clientId: 'one more' })).toBe(false)
  }
  await process.sockets.take('raw', { ...client, clientId: 'client 3' }, () => {})

  await expect.poll(() => replaced).toEqual(['client 3'])
  expect(process.failures).toEqual([])
})

test('counts for itself while Redis has no memory left', async () => {
  const full = await startRedisServer(program)
  onTestFinished(() => full.stop())
  const process = await openProcess(full.url)
  const admin = await connectTo(full.url)
  onTestFinished(() => admin.disconnect())

  await admin.config('SET', 'maxmemory', '1')
  expect(await isAllowed(process)).toBe(true)
  expect(process.limits.isShared).toBe(false)
  await admin.config('SET', 'maxmemory', '0')
  expect(await isAllowed(process)).toBe(true)

  expect(process.limits.isShared).toBe(true)
  expect(process.warnings).toEqual([
    expect.stringContaining('refuses to count requests (OOM'),
    expect.stringContaining('answers again'),
  ])
})

test('refuses the wrong password and user without printing the password', async () => {
  const guarded = await startRedisServer(program, { password: 'right-secret' })
  onTestFinished(() => guarded.stop())
  const { host } = new URL(guarded.url)

  const wrong = `Redis at ${host} does not accept the user or the password. Correct --redis.`
  await expect(openProcess(`redis://:wrong-secret@${host}`)).rejects.toThrow(wrong)
  await expect(openProcess(`redis://me:wrong-secret@${host}`)).rejects.toThrow(wrong)
  await expect(openProcess(`redis://${host}`)).rejects.toThrow(
    `Redis at ${host} needs a password. Add it: --redis redis://:password@host:6379`,
  )
  expect((await openProcess(guarded.url)).bus.isConnected).toBe(true)
})

test('names the remedy if the user may not run all commands', async () => {
  const admin = await connectTo(server.url)
  onTestFinished(() => admin.disconnect())
  const { host } = new URL(server.url)
  const url = `redis://limited:not-a-secret@${host}`
  await admin.acl('SETUSER', 'limited', 'on', '>not-a-secret', '~other:*', '+@all')
  await expect(openProcess(url)).rejects.toThrow(
    `Redis at ${host} does not let limited run all commands. Allow them: ACL SETUSER limited ~tessera:* &tessera:* +@all -@admin`,
  )

  const remedy = ['~tessera:*', '&tessera:*', '+@all', '-@admin']
  await admin.acl('SETUSER', 'limited', ...remedy, '-@dangerous')

  const process = await openProcess(url)
  expect(process.bus.isConnected).toBe(true)
  expect(await isAllowed(process)).toBe(true)
})

test('names the remedy if no Redis is there', async () => {
  const http: Server = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => void http.close())
  const silent = createTcpServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port
  const at = (host: string) => expect(openProcess(`redis://:secret@${host}`)).rejects

  const httpHost = `127.0.0.1:${portOf(http)}`
  await at(httpHost).toThrow(`Redis at ${httpHost} is not a Redis. Correct --redis.`)
  const silentHost = `127.0.0.1:${portOf(silent)}`
  await at(silentHost).toThrow(
    `Redis at ${silentHost} does not answer as a Redis. Correct --redis.`,
  )
  silent.close()
  await at('127.0.0.1:1').toThrow(
    'Redis at 127.0.0.1:1 does not answer. Start Redis, or correct --redis.',
  )
  await at('no-such-host.invalid').toThrow(
    'Redis at no-such-host.invalid is unknown. Correct the host in --redis.',
  )
  const { host } = new URL(server.url)
  await at(`${host}/9999`).toThrow(
    `Redis at ${host} has no database of this number. Correct the path of --redis.`,
  )
})

test('keeps libraries on one Redis apart', async () => {
  const one = await openProcess(server.url)
  const other = await openProcess(server.url)
  const heard: BusMessage[] = []
  other.bus.listen((each) => heard.push(each))

  one.bus.publish(message)
  await one.tickets.add('ticket', ticket)
  for (let sent = 0; sent < 3; sent += 1) await isAllowed(one)

  expect(await isAllowed(other)).toBe(true)
  expect(await other.tickets.get('ticket')).toBeNull()
  expect(heard).toEqual([])
})
