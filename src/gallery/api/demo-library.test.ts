import { afterEach, expect, test, vi } from 'vitest'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { fillDemoLibrary } from './demo-library.ts'

afterEach(() => vi.unstubAllGlobals())

test('refetches as soon as the first image is drawn', async () => {
  const drawn = new TransformStream<string, string>()
  const writer = drawn.writable.getWriter()
  const body = drawn.readable.pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/x-ndjson' }
  vi.stubGlobal('fetch', async () => new Response(body, { headers }))
  const view = [...imageKeys.all(), 'view']
  theGallery.queryClient.setQueryData(view, 'no images')
  const isStale = () => theGallery.queryClient.getQueryState(view)?.isInvalidated

  const filling = fillDemoLibrary()
  await writer.write('{"done":1,"total":120}\n')
  await expect.poll(isStale).toBe(true)

  await writer.close()
  await filling
})
