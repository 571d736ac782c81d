import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { type FaultyS3, startFaultyS3 } from '#testing/engines/faulty-s3.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let proxy: FaultyS3
let databaseUrl: string
let files: string
let image: ImageRecord
let server: RunningServer
beforeAll(async () => {
  proxy = await startFaultyS3(inject('s3Url'))
  files = emptyStore(proxy.url)
  databaseUrl = await createDatabase(inject('postgresUrl'))
  const writable = await startServer({ databaseUrl, files })
  image = await writable.client.uploads.upload({ bytes: await drawFile('cat.png') })
  await writable.close()
  proxy.fail('forbid', { method: 'PUT' })
  server = await startServer({ databaseUrl, files, readOnly: true })
})
afterAll(async () => {
  await server?.close()
  await proxy?.close()
})

const ready = async () => {
  const answer = await fetch(`${server.url}/api/v1/ready`)
  return { status: answer.status, body: await answer.json() }
}

const checks = (database: string, store: string) => ({
  checks: [
    { name: 'database', status: database, ms: expect.any(Number) },
    { name: 'files', status: store, ms: expect.any(Number) },
  ],
})

test('a read-only server writes nothing to the bucket and refuses changes', async () => {
  const full = await fetch(`${server.url}/${image.image_url}`)
  await full.arrayBuffer()
  const change = server.client.images.update(image.image_name, { starred: true })

  await expect(change).rejects.toMatchObject({ code: 'library_read_only' })
  expect(full.status).toBe(200)
  expect(proxy.methods).not.toContain('PUT')
})

test('a read-only server does not start on an empty database', async () => {
  const empty = await createDatabase(inject('postgresUrl'))

  const starting = startServer({ databaseUrl: empty, files, readOnly: true })

  await expect(starting).rejects.toThrow('Start once without --read-only')
})

test('is not ready while the bucket refuses or hangs', async () => {
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready', ...checks('ok', 'ok') } })

  proxy.fail('forbid')
  const refused = await ready()
  proxy.fail('hang', { times: 1 })
  const hanging = await ready()

  const body = (state: string) => ({ status: 'not_ready', ...checks('ok', state) })
  expect(refused).toEqual({ status: 503, body: body('failed') })
  expect(hanging).toEqual({ status: 503, body: body('no_answer') })
})

test('is not ready while the database is away', async () => {
  const { pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const postgres = `${inject('postgresUrl')}/postgres`
  await runOn(postgres, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await runOn(
    postgres,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  )

  const { status, body } = await ready()

  await runOn(postgres, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  expect(status).toBe(503)
  expect(body).toMatchObject({ status: 'not_ready', checks: [{ status: 'failed' }, {}] })
  await expect.poll(async () => (await ready()).status).toBe(200)
})

test('counts connections to the database, and requests to the bucket', async () => {
  const read = async () => (await fetch(`${server.url}/metrics`)).text()
  proxy.fail('forbid', { method: 'GET', times: 1 })
  await ready()

  const text = await read()

  expect(text).toMatch(/tessera_database_connections\{state="idle"\} [1-9]/)
  expect(text).toMatch(/tessera_s3_requests_total\{operation="ListObjectsV2"\} [1-9]/)
  expect(text).toMatch(/tessera_s3_errors_total\{operation="ListObjectsV2"\} [1-9]/)
})
