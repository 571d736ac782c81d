import { expect, test } from 'vitest'
import type { CallOptions } from '#client/transport/call.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { sendUploads } from './upload-sender.ts'

test('sends files with background priority, so that other requests go first', async () => {
  const priorities: unknown[] = []
  const upload = async (_file: unknown, { priority }: CallOptions) => {
    priorities.push(priority)
    return { image_name: 'cat.png' }
  }
  const api = {
    client: { uploads: { upload }, images: { thumbnailUrl: () => '/thumbnail' } },
    capabilities: { has: () => false },
  } as unknown as GalleryApi
  const file = new File(['bytes'], 'cat.png')
  const options = { boardId: null, signal: new AbortController().signal, onProgress: () => {} }

  const outcomes = sendUploads(api, [{ uploadId: '1', file, keepsBoth: false }], options)
  const settled: unknown[] = []
  for await (const outcome of outcomes) settled.push(outcome)

  expect(settled).toMatchObject([{ uploadId: '1', thumbnailUrl: '/thumbnail' }])
  expect(priorities).toEqual(['background'])
})
