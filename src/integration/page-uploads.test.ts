import { randomBytes } from 'node:crypto'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { startServer } from '#testing/server/start-server.ts'
import { testGalleryApi } from './test-gallery-api.ts'

const MEGABYTE = 1024 * 1024

/** The answer of nginx to a body over `client_max_body_size`, 1 MB by default. */
const tooLarge = () =>
  new Response('<html><head><title>413 Request Entity Too Large</title></head></html>', {
    status: 413,
    headers: { 'content-type': 'text/html' },
  })

afterEach(() => vi.unstubAllGlobals())

/** Opens the data layer of a page behind a proxy with a limit. */
async function open() {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  const server = await startServer()
  onTestFinished(() => server.close())
  const sizes: number[] = []
  const fetchThroughProxy: typeof fetch = async (url, init) => {
    const bytes = (await new Request(url, init).arrayBuffer()).byteLength
    if (bytes > MEGABYTE) return tooLarge()
    sizes.push(bytes)
    return fetch(url, init)
  }
  const api = testGalleryApi({ baseUrl: server.url, fetch: fetchThroughProxy })
  await api.client.server.capabilities()
  await api.queryClient.ensureQueryData(api.capabilities.query)
  const add = (files: readonly File[]) =>
    api.uploads.add(
      files.map((file) => ({ fileName: file.name, folder: '', bytes: file.size, file })),
      { boardId: null, label: 'Assets' },
    )
  const states = () => api.uploads.store.current().uploads.map(({ status }) => status)
  return { server, api, add, states, sizes }
}

test('sends a large file in pieces that the proxy lets pass, from where a pause stopped it @long', async () => {
  const { api, server, add, states, sizes } = await open()
  const bytes = await paddedClip(33 * MEGABYTE)

  add([new File([bytes], 'large.mp4')])
  await expect.poll(() => sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(5 * MEGABYTE)
  api.uploads.pause()
  await expect.poll(states).toEqual(['waiting'])
  api.uploads.resume()

  await expect.poll(states, { timeout: 30_000 }).toEqual(['done'])
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(bytes.length + 3 * MEGABYTE)
  expect(await server.client.images.count({ kind: 'all' })).toBe(1)
})

test('uploads what a proxy with a limit lets pass, and says what to set for the rest', async () => {
  const { api, server, add, states } = await open()
  const small = await drawFile('small.png', { widthPx: 200, heightPx: 200 })
  const files = [new File([randomBytes(3 * MEGABYTE)], 'large.png'), small]

  add(files)

  await expect.poll(states).toEqual(['failed', 'done'])
  const [large] = api.uploads.store.current().uploads
  expect(large).toMatchObject({
    reason: expect.stringMatching(/^A server in front of Tessera .*client_max_body_size/),
    canRetry: true,
  })
  expect((await server.client.images.names({})).total_count).toBe(1)
})

test('sends no file before it knows what the server accepts', async () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  const server = await startServer()
  onTestFinished(() => server.close())
  const capabilities = Promise.withResolvers<void>()
  const asked: string[] = []
  const fetchWithDelay: typeof fetch = async (url, init) => {
    const { pathname } = new URL(String(url))
    asked.push(`${init?.method} ${pathname}`)
    if (pathname.endsWith('/capabilities')) await capabilities.promise
    return fetch(url, init)
  }
  const { uploads } = testGalleryApi({ baseUrl: server.url, fetch: fetchWithDelay })
  const file = await drawFile('early.png')

  uploads.add([{ fileName: 'early.png', folder: '', bytes: file.size, file }], {
    boardId: null,
    label: 'Assets',
  })
  uploads.pause()
  uploads.resume()
  await expect.poll(() => asked).toEqual(['GET /api/v1/app/capabilities'])
  capabilities.resolve()

  await expect.poll(() => uploads.store.current().uploads[0]?.status).toBe('done')
  expect(asked.filter((request) => request.startsWith('POST'))).toEqual([
    'POST /api/v1/images/upload/batch',
  ])
})
