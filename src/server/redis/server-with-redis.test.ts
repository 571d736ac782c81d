import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { EventPeer } from '#integration/event-peer.ts'
import { StartError } from '#server/start/start-error.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { connectTo, startRedisServer } from '#testing/engines/redis-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { readStoredZip } from '#testing/library/read-stored-zip.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

const redisUrl = inject('redisUrl')

const files = emptyStore(inject('s3Url'))
let databaseUrl: string
let server: RunningServer
beforeAll(async () => {
  databaseUrl = await createDatabase(inject('postgresUrl'))
  server = await startServer({
    databaseUrl,
    files,
    redisUrl,
    rateLimit: { requestsPerMinute: 50, batchRequestsPerMinute: 20 },
  })
})
afterAll(() => server?.close())

test('answers a download that was prepared before a restart, and counts on', async () => {
  const body = new FormData()
  body.append('file', await drawFile('cat.png'))
  const query = 'image_category=user&is_intermediate=false'
  const uploaded = await fetch(`${server.url}/api/v1/images/upload?${query}`, {
    method: 'POST',
    body,
  })
  const { image_name } = (await uploaded.json()) as ImageRecord
  const created = await fetch(`${server.url}/api/v1/images/archives`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ image_names: [image_name] }),
  })
  const { archive_url } = (await created.json()) as { archive_url: string }

  await server.restart()

  const answer = await fetch(`${server.url}/${archive_url}`)
  expect([...readStoredZip(Buffer.from(await answer.bytes()))].map(([name]) => name)).toEqual([
    'cat.png',
  ])
  // Three requests so far, as long as the first is not a minute old.
  expect(answer.headers.get('ratelimit')).toContain('"default";r=47;')
})

test('names its keys for its database', async () => {
  const client = await connectTo(redisUrl)
  onTestFinished(() => client.disconnect())

  const keys = await client.keys('tessera:{1*}:limit:default:127.0.0.1')

  expect(keys).toHaveLength(1)
})

test('names Redis among what readiness and metrics report', async () => {
  const ready = await fetch(`${server.url}/api/v1/ready`)
  const metrics = await fetch(`${server.url}/metrics`)

  expect(await ready.json()).toMatchObject({
    status: 'ready',
    checks: [{ name: 'database' }, { name: 'files' }, { name: 'redis', status: 'ok' }],
  })
  expect((await metrics.text()).split('\n')).toContain('tessera_redis_connected 1')
})

test('tells its clients what a process without Redis changed, and each change once', async () => {
  const redis = await startRedisServer(inject('redisProgram'))
  onTestFinished(() => redis.stop())
  const lonely = await startServer({ databaseUrl, files, redisUrl: redis.url })
  onTestFinished(() => lonely.close())
  await redis.halt()
  const peer = await EventPeer.open(server.url, { changes: 'true' })
  onTestFinished(() => peer.socket.terminate())
  await lonely.client.boards.createBoard('Before the first event')
  await peer.events(1)

  await server.client.boards.createBoard('Here')
  const { new_state: here } = await server.client.changes.list()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await lonely.client.boards.createBoard('There')
  const { new_state: there } = await server.client.changes.list()
  const startedAt = performance.now()
  const [, own, others] = await peer.events(3)

  expect(performance.now() - startedAt).toBeLessThan(2_500)
  expect([own, others]).toMatchObject([
    { event: 'library_changed', data: { state: here } },
    { event: 'library_changed', data: { since: here, state: there, origin: null } },
  ])
  expect(peer.socket.readyState).toBe(peer.socket.OPEN)
})

test('does not start without its Redis, and leaves nothing open', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'))
  const options = { databaseUrl, files: emptyStore(inject('s3Url')) }

  const starting = startServer({ ...options, redisUrl: 'redis://:secret@127.0.0.1:1' })
  await expect(starting).rejects.toThrow(StartError)
  await expect(starting).rejects.toThrow(
    'Redis at 127.0.0.1:1 does not answer. Start Redis, or correct --redis.',
  )

  const second = await startServer({ ...options, redisUrl })
  await second.close()
})
