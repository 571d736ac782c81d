import { expect, test } from 'vitest'
import type { CallOptions } from '#client/transport/call.ts'
import { type SenderApi, sendUploads } from './upload-sender.ts'

const options = {
  boardId: null,
  signal: new AbortController().signal,
  onProgress: () => {},
  onFound: () => {},
}

test('sends files with background priority, so that other requests go first', async () => {
  const priorities: unknown[] = []
  const upload = async (_file: unknown, { priority }: CallOptions) => {
    priorities.push(priority)
    return { image_name: 'cat.png' }
  }
  const api = {
    client: { uploads: { upload }, images: { thumbnailUrl: () => '/thumbnail' } },
    capabilities: { has: () => false },
  } as unknown as SenderApi
  const file = new File(['bytes'], 'cat.png')

  const outcomes = sendUploads(api, [{ uploadId: '1', file, keepsBoth: false }], options)
  const settled: unknown[] = []
  for await (const outcome of outcomes) settled.push(outcome)

  expect(settled).toMatchObject([{ uploadId: '1', thumbnailUrl: '/thumbnail' }])
  expect(priorities).toEqual(['background'])
})

test('leaves files to be sent again if the database or the store is away for a moment', async () => {
  const lines = [
    { index: 0, upload_id: '1', image: { image_name: 'cat.png' }, refusal: null },
    { index: 1, upload_id: '2', image: null, refusal: { code: 'database_down', status: 503 } },
    { index: 2, upload_id: '3', image: null, refusal: { code: 'empty_file', status: 415 } },
  ]
  const api = {
    client: {
      uploads: { uploadBatch: () => lines },
      images: { thumbnailUrl: () => '/thumbnail' },
    },
    capabilities: { has: () => true },
  } as unknown as SenderApi
  const files = ['1', '2', '3'].map((uploadId) => ({
    uploadId,
    file: new File(['bytes'], `${uploadId}.png`),
    keepsBoth: false,
  }))

  const settled: unknown[] = []
  const sending = async () => {
    for await (const outcome of sendUploads(api, files, options)) settled.push(outcome)
  }

  await expect(sending()).rejects.toMatchObject({ code: 'database_down' })
  expect(settled).toMatchObject([
    { uploadId: '1', type: 'completed' },
    { uploadId: '3', type: 'refused' },
  ])
})
