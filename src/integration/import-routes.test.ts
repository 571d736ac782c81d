import { mkdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Import } from '#contract/import.ts'
import type { Capabilities } from '#contract/server/app-operations.ts'
import { createServer } from '#server/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

const IMPORTS = '/api/v1/imports'

let pictures: string
beforeEach(async () => {
  pictures = await createTemporaryFolder()
  return () => removeFolder(pictures)
})

const draw = async (...names: string[]) => {
  for (const name of names) {
    const path = join(pictures, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, new Uint8Array(await (await drawFile(name)).arrayBuffer()))
  }
}

describe('on this machine', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  const start = async (json: object) => {
    const answer = await api.send('POST', IMPORTS, { json: { folder: pictures, ...json } })
    return { ...answer, body: answer.body as Import }
  }
  const look = async (importId: string) =>
    (await api.send('GET', `${IMPORTS}/${importId}`)).body as Import
  const untilEnded = (importId: string) =>
    vi.waitFor(
      async () => {
        const now = await look(importId)
        expect(now.ended_at).not.toBeNull()
        return now
      },
      { timeout: 30_000 },
    )

  test('imports a folder and reports its progress from start to end', async () => {
    await draw('Trip/a.png', 'Trip/Day 1/b.jpg', 'loose.webp')
    await writeFile(join(pictures, 'broken.png'), 'no picture')

    const { status, body } = await start({})
    expect([status, body.folder, body.state]).toEqual([201, pictures, 'running'])
    const ended = await untilEnded(body.import_id)

    expect(ended).toMatchObject({ state: 'completed', found: 4, taken_in: 3, refused: 1 })
    expect(ended.refusals).toMatchObject([{ path: join(pictures, 'broken.png') }])
    expect(((await api.send('GET', IMPORTS)).body as Import[])[0]).toEqual(ended)
    const boards = (await api.send('GET', '/api/v1/boards/?all=1')).body as { board_name: string }[]
    expect(boards.map(({ board_name }) => board_name).sort()).toEqual(['Trip', 'Trip/Day 1'])
  })

  test('includes the first refused files in the list, and all in the import itself', async () => {
    for (let at = 0; at < 25; at++) await writeFile(join(pictures, `${at}.png`), '')

    const { body } = await start({})
    const { refusals } = await untilEnded(body.import_id)
    const [listed] = (await api.send('GET', IMPORTS)).body as Import[]

    expect(refusals).toHaveLength(25)
    expect(listed).toMatchObject({ refused: 25, refusals: refusals.slice(0, 20) })
  })

  test('returns refused files in pages', async () => {
    for (let at = 0; at < 25; at++) await writeFile(join(pictures, `${at}.png`), '')
    const { body } = await start({})
    const { refusals } = await untilEnded(body.import_id)
    const page = async (query: string) =>
      (await api.send('GET', `${IMPORTS}/${body.import_id}/refusals${query}`)).body

    expect(await page('')).toEqual({ limit: 1000, offset: 0, total: 25, items: refusals })
    const last = { limit: 10, offset: 20, total: 25, items: refusals.slice(20) }
    expect(await page('?offset=20&limit=10')).toEqual(last)
    expect(await page('?offset=25')).toMatchObject({ total: 25, items: [] })
  })

  test('imports nothing while paused, and does not resume a canceled import @long', async () => {
    await draw(...Array.from({ length: 80 }, (_, index) => `${index}.png`))
    const act = async ({ import_id }: Import, name: string) =>
      (await api.send('POST', `${IMPORTS}/${import_id}/${name}`)).body as Import

    const first = (await start({ boards: 'none' })).body
    expect((await act(first, 'pause')).state).toBe('paused')
    const canceled = await act(first, 'cancel')
    expect(canceled.state).toBe('canceled')
    expect(canceled.taken_in).toBeLessThan(80)
    expect(await act(first, 'resume')).toEqual(canceled)

    const second = (await start({ boards: 'none' })).body
    expect((await act(second, 'pause')).state).toBe('paused')
    expect((await act(second, 'resume')).state).toBe('running')
    const { taken_in, known } = await untilEnded(second.import_id)
    expect([taken_in, known]).toEqual([80 - canceled.taken_in, canceled.taken_in])
  })

  test('answers 404 for an unknown import', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/refusals'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/cancel'],
    ] as const) {
      expect(await api.send(method, `${IMPORTS}/nothing${path}`)).toMatchObject({
        status: 404,
        body: { detail: 'There is no such import.' },
      })
    }
  })

  test.each([
    [{ folder: '/no/such/folder' }, 404, 'folder_not_found'],
    [{ boards: 'one' }, 422, 'invalid_import'],
  ])('rejects %j with %i %s', async (json, status, code) => {
    const answer = await start(json)
    expect([answer.status, answer.headers.get('x-refusal-code')]).toEqual([status, code])
  })

  test('rejects the library as the source of an import', async () => {
    const answer = await start({ folder: join(api.dataFolder, 'images') })
    expect([answer.status, answer.headers.get('x-refusal-code')]).toEqual([
      409,
      'folder_is_library',
    ])
  })

  test('lists folders with their image counts', async () => {
    await draw('shot 10/a.png', 'shot 2/b.png', 'shot 2/c.png')

    const query = new URLSearchParams({ path: pictures })
    expect(await api.send('GET', `${IMPORTS}/folders?${query}`)).toMatchObject({
      status: 200,
      body: {
        path: pictures,
        folders: [
          { name: 'shot 2', image_count: 2 },
          { name: 'shot 10', image_count: 1 },
        ],
      },
    })
    expect((await api.send('GET', `${IMPORTS}/folders`)).status).toBe(200)
    expect((await api.send('GET', `${IMPORTS}/folders?path=/no/such`)).status).toBe(404)
  })
})

/** Sends a request with headers that `fetch` does not allow. */
const ask = (url: string, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; code: string | undefined; body: string }>((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { method, headers }, async (answer) => {
      const body = (await answer.toArray()).join('')
      const code = answer.headers['x-refusal-code']
      resolve({ status: answer.statusCode ?? 0, code: code?.toString(), body })
    })
    request.on('error', reject).end()
  })

const operations = [
  ['GET', IMPORTS],
  ['POST', IMPORTS],
  ['GET', `${IMPORTS}/folders`],
  ['GET', `${IMPORTS}/x`],
  ['GET', `${IMPORTS}/x/refusals`],
  ['POST', `${IMPORTS}/x/pause`],
  ['POST', `${IMPORTS}/x/resume`],
  ['POST', `${IMPORTS}/x/cancel`],
] as const

const extensionsOf = ({ body }: { body: string }) => (JSON.parse(body) as Capabilities).extensions

describe('from other machines', () => {
  let api: Api
  beforeAll(async () => {
    const trustedProxies = ['127.0.0.1']
    api = await openApi({ allowedHosts: ['gallery.lan'], trustedProxies })
  })
  afterAll(() => api.close())

  test.each([
    { 'x-forwarded-for': '192.168.1.5' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'gallery.lan' },
  ])('hides and refuses imports with %j', async (headers) => {
    for (const [method, path] of operations) {
      const answer = await ask(api.url, path, headers, method)
      expect(answer).toMatchObject({ status: 403, code: 'not_on_this_machine' })
      expect(answer.body).toContain('on the machine that runs the server')
    }
    const about = await ask(api.url, '/api/v1/app/capabilities', headers)
    expect(extensionsOf(about)).not.toContain('imports')
    expect(extensionsOf(about)).toContain('trash')
    expect(about.body).not.toContain('data_folder')
  })

  test('allows imports from this machine and announces them', async () => {
    expect((await ask(api.url, IMPORTS)).status).toBe(200)
    expect((await ask(api.url, IMPORTS, { host: 'localhost:9091' })).status).toBe(200)
    const about = await ask(api.url, '/api/v1/app/capabilities')
    expect(extensionsOf(about)).toContain('imports')
    expect(JSON.parse(about.body).data_folder).toMatch(/^(?:\/|[A-Z]:\\)/)
  })

  test.each([
    [{ host: 'evil.example' }, 'host_not_allowed'],
    [{ origin: 'http://evil.example' }, 'origin_not_allowed'],
    [{ 'sec-fetch-site': 'cross-site' }, 'origin_not_allowed'],
  ])('keeps other sites from importing through a local browser: %j', async (headers, code) => {
    for (const [method, path] of operations) {
      expect(await ask(api.url, path, headers, method)).toMatchObject({ status: 403, code })
    }
  })
})

test('treats connections to a network address as remote', async () => {
  const dataFolder = await createTemporaryFolder()
  const server = await createServer({ dataFolder, rateLimit: 'off' })
  await server.listen({ host: '0.0.0.0', port: 0 })
  const { port } = new URL(server.address)
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ family, internal }) => family === 'IPv4' && !internal),
  )
  for (const { address } of addresses) {
    const answer = await ask(`http://${address}:${port}`, IMPORTS)
    expect(answer).toMatchObject({ status: 403, code: 'not_on_this_machine' })
  }
  expect((await ask(`http://127.0.0.1:${port}`, IMPORTS)).status).toBe(200)
  await server.close()
  await removeFolder(dataFolder)
})

test('counts requests for imports only in their own limit', async () => {
  const api = await openApi({ rateLimit: { requestsPerMinute: 2, batchRequestsPerMinute: 2 } })
  const statuses = []
  for (let times = 0; times < 5; times++) statuses.push((await api.send('GET', IMPORTS)).status)

  expect(statuses).toEqual([200, 200, 200, 200, 200])
  const { headers } = await api.send('GET', `${IMPORTS}/nothing`)
  expect(headers.get('ratelimit-limit')).toBe('600')
  expect((await api.send('GET', '/api/v1/boards/?all=1')).status).toBe(200)
  await api.close()
})
