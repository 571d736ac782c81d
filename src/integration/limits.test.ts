import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Operation } from '#contract/operation.ts'
import { pathOf } from '#contract/operation.ts'
import { operations } from './all-operations.ts'
import { type Api, openApi } from './open-api.ts'

const WINDOW_MS = 60_000

let api: Api
let shared: Api | undefined
afterAll(() => shared?.close())

const open = (options: Parameters<typeof openApi>[0] = {}) =>
  openApi({ rateLimit: { requestsPerMinute: 100, batchRequestsPerMinute: 10 }, ...options })

/** Returns the server that most tests share, after every client has regained its full quota. */
const limited = async () => {
  shared ??= await open()
  shared.clock.advance(WINDOW_MS)
  return shared
}

/** Starts a server for one test. */
const limitedWith = async (options: Parameters<typeof openApi>[0]) => {
  const server = await open(options)
  onTestFinished(() => server.close())
  return server
}

const call = (operation: Operation, init: RequestInit = {}) =>
  api.send(operation.method, `${pathOf(operation)}?image_count=1`, init)

/** Returns how many of these requests are accepted. */
const passed = async (count: number, send: () => Promise<{ status: number }>) => {
  let passedCount = 0
  for (let sent = 0; sent < count; sent++) {
    if ((await send()).status !== 429) passedCount++
  }
  return passedCount
}

test('allows a hundred requests in any sixty seconds, including failed and unknown ones', async () => {
  api = await limited()
  const paths = ['/api/v1/boards/?all=1', '/api/v1/nothing', '/api/v1/images/?limit=x']
  let turn = 0
  const send = () => api.send('GET', paths[turn++ % paths.length] ?? '')

  expect(await passed(110, send)).toBe(100)
  api.clock.advance(59_999)
  expect(await passed(1, send)).toBe(0)
  api.clock.advance(1)
  expect(await passed(110, send)).toBe(100)
})

const batchOperations = operations.filter(({ limit }) => limit === 'batch')

test('allows ten batch operations in any sixty seconds', async () => {
  api = await limited()
  let turn = 0
  const send = () => call(batchOperations[turn++ % batchOperations.length] as Operation)

  expect(await passed(12, send)).toBe(10)
  expect((await send()).status).toBe(429)
  expect(await passed(100, () => api.send('GET', '/api/v1/boards/?all=1'))).toBe(90)
})

test("limits InvokeAI's batch operations and Tessera's bulk operations as batches", () => {
  expect(batchOperations.map(({ operationId }) => operationId).sort()).toEqual([
    'add_images_to_board',
    'copy_images_to_board',
    'create_archive',
    'delete_images_from_list',
    'delete_uncategorized_images',
    'delete_uncategorized_videos',
    'delete_videos_from_list',
    'download_images_from_list',
    'empty_trash',
    'enqueue_batch',
    'fill_demo_library',
    'remove_images_from_board',
    'resolve_duplicates',
    'restore_from_trash',
    'star_images_in_list',
    'star_videos_in_list',
    'trash_images',
    'unresolve_duplicates',
    'unstar_images_in_list',
    'unstar_videos_in_list',
    'upload_image_batch',
  ])
})

test('exempts image bytes and the page', async () => {
  api = await limited()
  await passed(100, () => api.send('GET', '/api/v1/boards/?all=1'))

  for (const path of [
    '/api/v1/images/i/x/full',
    '/api/v1/images/i/x/thumbnail',
    '/',
    '/assets/x.js',
  ]) {
    expect((await api.send('GET', path)).status).not.toBe(429)
  }
  expect((await api.send('GET', '/api/v1/health')).status).toBe(200)
})

test('tells in a refusal how long to wait', async () => {
  api = await limited()
  await passed(100, () => api.send('GET', '/api/v1/boards/?all=1'))
  api.clock.advance(12_345)

  const { status, headers, body } = await api.send('GET', '/api/v1/boards/?all=1')
  expect([status, body]).toEqual([429, { detail: 'Rate limit exceeded' }])
  expect(Object.fromEntries(headers)).toMatchObject({
    'retry-after': '48',
    'ratelimit-limit': '100',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '48',
    ratelimit: '"default";r=0;t=48, "batch";r=10;t=0',
  })
})

test('uses X-Forwarded-For only behind a configured proxy', async () => {
  const from = (address: string) => () =>
    api.send('GET', '/api/v1/app/version', { headers: { 'x-forwarded-for': address } })
  api = await limited()
  expect(await passed(60, from('10.0.0.1'))).toBe(60)
  expect(await passed(60, from('10.0.0.2'))).toBe(40)

  api = await limitedWith({ trustedProxies: ['127.0.0.1'] })
  expect(await passed(60, from('10.0.0.1'))).toBe(60)
  expect(await passed(60, from('10.0.0.2'))).toBe(60)
})

test('counts by address, whatever name a client sends', async () => {
  api = await limited()
  const port = Number(new URL(api.url).port)
  let turn = 0
  const from = (localAddress: string) => async () => {
    turn += 1
    const path = `/api/v1/app/version?client_id=made-up-${turn}`
    const headers = { 'client-id': `made up ${turn}` }
    const [answer] = await once(
      get({ host: '127.0.0.1', port, localAddress, path, headers }),
      'response',
    )
    answer.resume()
    return { status: answer.statusCode }
  }

  expect(await passed(110, from('127.0.0.1'))).toBe(100)
  expect(await passed(110, from('127.0.0.2'))).toBe(100)
})

test('counts the holder of the token as one client and ignores other tokens', async () => {
  api = await limitedWith({ token: 'secret' })
  const as = (token: string) => () =>
    api.send('GET', '/api/v1/app/version', { headers: { authorization: `Bearer ${token}` } })

  expect(await passed(110, as('made up'))).toBe(100)
  expect(await passed(10, as('made up as well'))).toBe(0)
  expect(await passed(110, as('secret'))).toBe(100)
})

/** Opens the page as a new browser and returns a function that sends requests with its cookie. */
const openPage = async (headers: Record<string, string> = {}) => {
  const page = await api.send('GET', '/', { headers })
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
  return () => api.send('GET', '/api/v1/app/version', { headers: { ...headers, cookie } })
}

test('gives the page its own quota next to a script on the same address', async () => {
  api = await limited()
  const page = await openPage()
  const script = () => api.send('GET', '/api/v1/app/version')

  expect(await passed(110, script)).toBe(100)
  expect(await passed(110, page)).toBe(100)
})

test('sets the page cookie once and not for assets', async () => {
  api = await limited()
  const first = await api.send('GET', '/')
  const cookie = first.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^tessera_page_\d+=[0-9a-f-]{36}; .*Path=\/; HttpOnly; SameSite=Strict/)

  const again = await api.send('GET', '/', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  const asset = await api.send('GET', '/assets/x.js')
  expect([again.headers.has('set-cookie'), asset.headers.has('set-cookie')]).toEqual([false, false])
})

test('gives sixteen pages of an address their own quota and the others a shared one @long', async () => {
  api = await limited()
  const pages = await Promise.all(Array.from({ length: 18 }, () => openPage()))
  for (const page of pages.slice(0, 16)) expect(await passed(101, page)).toBe(100)
  const shared = pages.slice(16)
  let turn = 0

  expect(await passed(110, () => (shared[turn++ % 2] as () => Promise<{ status: number }>)())).toBe(
    100,
  )
  api.clock.advance(60_001) // a whole window without requests of the sixteen pages
  for (const page of shared) expect(await passed(101, page)).toBe(100)
})

test('ignores a page cookie without the token where a token is required', async () => {
  api = await limitedWith({ token: 'secret' })
  const signedIn = await openPage({ authorization: 'Bearer secret' })
  const { port } = new URL(api.url)
  const cookie = `tessera_page_${port}=00000000-0000-0000-0000-000000000000`
  const script = () => api.send('GET', '/api/v1/app/version', { headers: { cookie } })

  expect(await passed(110, script)).toBe(100)
  expect(await passed(110, signedIn)).toBe(100)
  expect((await api.send('GET', '/')).headers.has('set-cookie')).toBe(false)
})
