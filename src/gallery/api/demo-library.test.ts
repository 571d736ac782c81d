import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '#gallery/api/connection/connection.ts'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { fillDemoLibrary } from './demo-library.ts'

afterEach(() => vi.unstubAllGlobals())

test('refetches as soon as the first image is drawn', async () => {
  const drawn = new TransformStream<string, string>()
  const writer = drawn.writable.getWriter()
  const body = drawn.readable.pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/x-ndjson' }
  vi.stubGlobal('fetch', async () => new Response(body, { headers }))
  const view = [...imageKeys.all(), 'view']
  queryClient.setQueryData(view, 'no images')
  const isStale = () => queryClient.getQueryState(view)?.isInvalidated

  const filling = fillDemoLibrary()
  await writer.write('{"done":1,"total":120}\n')
  await expect.poll(isStale).toBe(true)

  await writer.close()
  await filling
})
