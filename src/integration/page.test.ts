import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHARE_PATH } from '#contract/uploads/upload-operations.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let folder: string
beforeAll(async () => {
  folder = await createTemporaryFolder()
  const pageFolder = join(folder, 'page')
  await mkdir(join(pageFolder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(pageFolder, 'index.html'), '<title>Tessera</title>')
  await writeFile(join(pageFolder, 'docs.html'), '<title>API</title>')
  await writeFile(join(pageFolder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(pageFolder, 'assets/index-1a2b.js'), '// script')
  const big = join(pageFolder, 'assets/big-1a2b.js')
  await writeFile(big, '// big')
  await writeFile(`${big}.br`, brotliCompressSync('// big'))
  await writeFile(`${big}.gz`, gzipSync('// big'))
  api = await openApi({ pageFolder })
})
afterAll(async () => {
  await api.close()
  await removeFolder(folder)
})

test.each(['/', '/boards/none', '/boards/x?image=y', '/index.html'])(
  'serves the page for %s',
  async (path) => {
    const { status, headers, body } = await api.send('GET', path)

    expect([status, body]).toEqual([200, '<title>Tessera</title>'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(
        /script-src 'self'; style-src 'self' 'unsafe-inline'/,
      ),
      'x-content-type-options': 'nosniff',
    })
  },
)

test.each(['/docs', '/docs/', '/docs?token=x'])(
  'serves the reference of the API for %s',
  async (path) => {
    const { status, headers, body } = await api.send('GET', path)

    expect([status, body]).toEqual([200, '<title>API</title>'])
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  },
)

test('explains a share that no service worker received and stores no files', async () => {
  const body = new FormData()
  body.append('files', new File(['bytes'], 'cat.png', { type: 'image/png' }))
  const answer = await fetch(new URL(SHARE_PATH, api.url), {
    method: 'POST',
    body,
    headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  })

  expect(answer.status).toBe(405)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await answer.text()).toContain('share the images again')
  expect((await api.send('GET', SHARE_PATH)).body).toBe('<title>Tessera</title>')
  expect(await api.send('GET', '/api/v1/images/')).toMatchObject({ body: { total: 0 } })
})

test('tells the page its base path, and accepts requests with and without it', async () => {
  const pageFolder = join(folder, 'based')
  await mkdir(pageFolder)
  await writeFile(join(pageFolder, 'index.html'), '<base href="/" />')
  await writeFile(join(pageFolder, 'docs.html'), '<base href="/" />API')
  const based = await openApi({ pageFolder, basePath: '/gallery' })

  for (const path of ['/', '/gallery', '/gallery/', '/gallery?board=none'])
    expect((await based.send('GET', path)).body, path).toBe('<base href="/gallery/" />')
  for (const path of ['/docs', '/gallery/docs', '/gallery/docs/'])
    expect((await based.send('GET', path)).body, path).toBe('<base href="/gallery/" />API')
  for (const path of ['/api/v1/app/version', '/gallery/api/v1/app/version'])
    expect((await based.send('GET', path)).status, path).toBe(200)
  expect((await based.send('GET', '/galleryapi/v1/app/version')).body).toContain('base')
  await based.close()
})

test('answers 304 for an unchanged page', async () => {
  const etag = (await api.send('GET', '/')).headers.get('etag') ?? ''

  // Without this header, `fetch` sends `no-cache` and gets the full page.
  const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  expect((await api.send('GET', '/', { headers })).status).toBe(304)
})

test('caches assets permanently and revalidates other files', async () => {
  const asset = await api.send('GET', '/assets/index-1a2b.js')
  expect(asset.body).toBe('// script')
  expect(asset.headers.get('content-type')).toMatch(/^application\/javascript/)
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')

  const icon = await api.send('GET', '/icon.svg')
  expect(icon.headers.get('cache-control')).toBe('no-cache')
})

test('sends precompressed files to clients that accept them', async () => {
  const path = '/assets/big-1a2b.js'
  const send = (encoding: string) =>
    api.send('GET', path, { headers: { 'accept-encoding': encoding } })

  const [br, gz, plain] = [await send('gzip, br'), await send('gzip'), await send('identity')]

  expect([br, gz, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual([
    'br',
    'gzip',
    null,
  ])
  expect([br, gz, plain].map(({ body }) => body)).toEqual(['// big', '// big', '// big'])
  for (const { headers } of [br, gz, plain]) {
    expect(headers.get('vary')).toMatch(/accept-encoding/i)
    expect(headers.get('content-type')).toMatch(/^application\/javascript/)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
  expect(new Set([br, gz, plain].map(({ headers }) => headers.get('etag'))).size).toBe(3)
})

test.each(['a', 'assets/a', 'boards/a'])('accepts a long address below %s', async (path) => {
  const { status } = await api.send('GET', `/${path}${'a'.repeat(5000)}`)

  expect(status).toBe(path.startsWith('assets/') ? 404 : 200)
})

test.each(['/favicon.ico', '/manifest.webmanifest', '/sw.js', '/boards/robots.txt', '/health'])(
  'answers 404 for %s',
  async (path) => {
    expect((await api.send('GET', path)).status).toBe(404)
  },
)

test('does not serve the page for an asset of an older build', async () => {
  expect((await api.send('GET', '/assets/index-old.js')).status).toBe(404)
})

test.each([
  '/..%2Fsecret.txt',
  '/assets/..%2F..%2Fsecret.txt',
  '/%00',
  '/%ff',
  '/.%2F.%2E/secret.txt',
])('finds no file for %s', async (path) => {
  const { body } = await api.send('GET', path)
  expect(body).not.toContain('secret')
})

test('reports that the page is not built', async () => {
  const bare = await openApi()
  try {
    const { status, body } = await bare.send('GET', '/')
    expect([status, body]).toEqual([503, expect.stringContaining('no page is built')])
  } finally {
    await bare.close()
  }
})
