import { expect, test } from 'vitest'
import { newUpload, type Upload } from './upload.ts'
import { endedOf, NONE_EARLIER, tallyOf } from './upload-tally.ts'

const upload = (change: Partial<Upload>): Upload => ({
  ...newUpload('id', { fileName: 'a.png', folder: '', bytes: 100 }, { boardId: null, label: '' }),
  ...change,
})

test('adds done, failed, known and left up to the total', () => {
  const tally = tallyOf([
    upload({ status: 'done' }),
    upload({ status: 'failed', canRetry: false }),
    upload({ status: 'failed' }),
    upload({ status: 'waiting' }),
    upload({ status: 'sending', sentBytes: 40 }),
    upload({ status: 'processing', sentBytes: 100 }),
    upload({ status: 'known' }),
    upload({ status: 'cancelled' }),
  ])

  expect(tally).toMatchObject({ total: 7, done: 1, failed: 2, known: 1, left: 3 })
  expect(tally).toMatchObject({ canRetry: 1, cancelled: 1 })
})

test('excludes cancelled uploads', () => {
  const tally = tallyOf([
    upload({ status: 'done' }),
    upload({ status: 'cancelled' }),
    upload({ status: 'waiting' }),
  ])

  expect(tally).toMatchObject({ bytes: 200, bytesDone: 100, bytesLeft: 100, share: 0.5 })
})

test('keeps the share below 1 until the last file is on disk', () => {
  const sent = upload({ status: 'processing', sentBytes: 100 })

  expect(tallyOf([sent]).share).toBeLessThan(1)
  expect(tallyOf([{ ...sent, status: 'done' }]).share).toBe(1)
})

test('keeps the totals after a reload', () => {
  const dropped = Array.from({ length: 591 }, (_, at) =>
    upload({ status: at < 81 ? 'done' : 'waiting' }),
  )
  const earlier = endedOf(dropped, NONE_EARLIER)
  const afterReload = Array.from({ length: 510 }, (_, at) =>
    upload({ status: at < 165 ? 'done' : 'failed' }),
  )

  const tally = tallyOf(afterReload, earlier)

  expect(tally).toMatchObject({ total: 591, done: 246, failed: 345, left: 0, bytes: 59_100 })
  expect(endedOf(afterReload, earlier)).toEqual({ done: 246, failed: 345, bytes: 59_100 })
})
