import { randomBytes } from 'node:crypto'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
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

test('uploads what a proxy with a limit lets pass, and says what to set for the rest', async () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  const server = await startServer()
  onTestFinished(() => server.close())
  const fetchThroughProxy: typeof fetch = async (url, init) => {
    const bytes = (await new Request(url, init).arrayBuffer()).byteLength
    return bytes > MEGABYTE ? tooLarge() : fetch(url, init)
  }
  const api = testGalleryApi({ baseUrl: server.url, fetch: fetchThroughProxy })
  await api.client.server.capabilities()
  await api.queryClient.ensureQueryData(api.capabilities.query)
  const small = await drawFile('small.png', { widthPx: 200, heightPx: 200 })
  const files = [new File([randomBytes(3 * MEGABYTE)], 'large.png'), small]

  api.uploads.add(
    files.map((file) => ({ fileName: file.name, folder: '', bytes: file.size, file })),
    { boardId: null, label: 'Assets' },
  )

  const states = () => api.uploads.store.current().uploads.map(({ status }) => status)
  await expect.poll(states).toEqual(['failed', 'done'])
  const [large] = api.uploads.store.current().uploads
  expect(large).toMatchObject({
    reason: expect.stringMatching(/^A server in front of Tessera .*client_max_body_size/),
    canRetry: true,
  })
  expect((await server.client.images.names({})).total_count).toBe(1)
})
