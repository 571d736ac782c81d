import { expect, test } from 'vitest'
import { newUpload, type UploadStatus } from '#gallery/api/uploads/upload.ts'
import { inTrayOrder } from './tray-order.ts'

test('places uploads that need the user first and done ones last', () => {
  const statuses: UploadStatus[] = [
    'done',
    'waiting',
    'cancelled',
    'known',
    'sending',
    'processing',
    'failed',
  ]
  const uploads = statuses.map((status) => ({
    ...newUpload(status, { fileName: '', folder: '', bytes: 1 }, { boardId: null, label: '' }),
    status,
  }))

  expect(inTrayOrder(uploads).map(({ status }) => status)).toEqual([
    'failed',
    'known',
    'sending',
    'processing',
    'waiting',
    'done',
    'cancelled',
  ])
})
