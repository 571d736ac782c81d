import { afterAll, beforeAll, expect, test } from 'vitest'
import { tallyOf, type UploadTally } from '#gallery/api/uploads/upload-tally.ts'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { announcementOf, detailOf, titleOf } from './tray-summary.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const tally = (change: Partial<UploadTally>): UploadTally => ({ ...tallyOf([]), ...change })

test('shows the progress in the title of a running queue', () => {
  const running = tally({ total: 1200, done: 12, left: 1188 })

  expect(titleOf(running, false)).toBe('Uploading: 12 of 1,200')
  expect(titleOf(running, true)).toBe('Paused: 12 of 1,200')
})

test('shows the result in the title of a finished queue', () => {
  expect(titleOf(tally({ done: 190, known: 2, failed: 8, cancelled: 1 }), false)).toBe(
    '190 uploaded, 2 already here, 8 failed, 1 canceled',
  )
})

test('shows failures, the remaining time and the speed if known, and bytes', () => {
  const running = tally({ bytes: 2_000_000, bytesDone: 500_000, failed: 2 })

  expect(detailOf(running, { perSecond: 23_000, leftMs: 65_000 })).toEqual([
    '2 failed',
    '2 min left',
    '22.5 KiB/s',
    '488 KiB of 1.9 MiB',
  ])
  expect(detailOf(tally({ bytes: 10, bytesDone: 1 }), null)).toEqual(['1 B of 10 B'])
})

test('announces the result in words', () => {
  expect(announcementOf(tally({ done: 1, failed: 2 }))).toBe('1 image uploaded, 2 files failed')
})
