import { afterEach, expect, test, vi } from 'vitest'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'

const api = testGalleryApi()

afterEach(() => vi.unstubAllGlobals())

test('refetches as soon as the first image is drawn', async () => {
  const drawn = new TransformStream<string, string>()
  const writer = drawn.writable.getWriter()
  const body = drawn.readable.pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/x-ndjson' }
  vi.stubGlobal('fetch', async () => new Response(body, { headers }))
  const view = [...imageKeys.all(), 'view']
  api.queryClient.setQueryData(view, 'no images')
  const isStale = () => api.queryClient.getQueryState(view)?.isInvalidated

  const filling = api.demo.fill()
  await writer.write('{"done":1,"total":120}\n')
  await expect.poll(isStale).toBe(true)

  await writer.close()
  await filling
})
