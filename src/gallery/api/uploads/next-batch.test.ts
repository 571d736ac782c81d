import { expect, test } from 'vitest'
import { batchLimitsFor, nextBatch } from './next-batch.ts'
import { newUpload, type Upload } from './upload.ts'

const upload = (uploadId: string, options: { bytes?: number; boardId?: string } = {}): Upload =>
  newUpload(
    uploadId,
    { fileName: `${uploadId}.png`, folder: '', bytes: options.bytes ?? 1 },
    { boardId: options.boardId ?? null, label: 'Somewhere' },
  )

const idsOf = (uploads: readonly Upload[]) => uploads.map(({ uploadId }) => uploadId)
const files = (count: number, bytes = 1) =>
  Array.from({ length: count }, (_, index) => upload(`${index}`, { bytes }))

test('limits the number of files per request', () => {
  const batch = nextBatch(files(3), { maxFiles: 2, maxBytes: 100 })

  expect(idsOf(batch)).toEqual(['0', '1'])
})

test('limits the bytes per request', () => {
  const batch = nextBatch(files(3, 40), { maxFiles: 10, maxBytes: 100 })

  expect(idsOf(batch)).toEqual(['0', '1'])
})

test('sends a file larger than the limit alone', () => {
  const batch = nextBatch([upload('large', { bytes: 500 }), upload('b')], {
    maxFiles: 10,
    maxBytes: 100,
  })

  expect(idsOf(batch)).toEqual(['large'])
})

test('leaves out files that are sent alone, unless one is the first', () => {
  const isAlone = ({ bytes }: Upload) => bytes > 50
  const limits = { maxFiles: 10, maxBytes: 1_000 }
  const large = upload('large', { bytes: 51 })

  expect(idsOf(nextBatch([upload('a'), large, upload('b')], limits, isAlone))).toEqual(['a', 'b'])
  expect(idsOf(nextBatch([large, upload('b')], limits, isAlone))).toEqual(['large'])
})

test('sends uploads of one board per request', () => {
  const uploads = [
    upload('a', { boardId: 'x' }),
    upload('b', { boardId: 'y' }),
    upload('c', { boardId: 'x' }),
  ]

  expect(idsOf(nextBatch(uploads, { maxFiles: 10, maxBytes: 100 }))).toEqual(['a', 'c'])
})

test('sends only waiting uploads', () => {
  const uploads: Upload[] = [{ ...upload('a'), status: 'sending' }, upload('b')]

  expect(idsOf(nextBatch(uploads, { maxFiles: 10, maxBytes: 100 }))).toEqual(['b'])
})

const FAST = 1_000_000

test.each([
  { count: 10, maxFiles: 50 },
  { count: 500, maxFiles: 72 },
  { count: 2_000, maxFiles: 286 },
  { count: 50_000, maxFiles: 500 },
])('puts $maxFiles of $count small files into a request', ({ count, maxFiles }) => {
  expect(batchLimitsFor(files(count), 500, FAST).maxFiles).toBe(maxFiles)
})

test('uses larger requests for a long queue of large files, up to a limit', () => {
  expect(batchLimitsFor(files(10, 2_000_000), 500, FAST).maxBytes).toBe(64_000_000)
  expect(batchLimitsFor(files(700, 1_000_000), 500, FAST).maxBytes).toBe(100_000_000)
  expect(batchLimitsFor(files(10_000, 2_000_000), 500, FAST).maxBytes).toBe(512_000_000)
})

test('keeps the request size as the queue shrinks, to stay within ten requests per minute', () => {
  const queue = files(500)
  const half = queue.map((one, index): Upload => (index < 400 ? { ...one, status: 'done' } : one))

  expect(batchLimitsFor(half, 500, FAST)).toEqual(batchLimitsFor(queue, 500, FAST))
})

test('uses small requests for slow and unknown connections', () => {
  const queue = files(1_000, 2_000_000)

  expect(batchLimitsFor(queue, 500, 1_000).maxBytes).toBe(15_000_000)
  expect(batchLimitsFor(queue, 500, 10).maxBytes).toBe(4_000_000)
  expect(batchLimitsFor(queue, 500, null).maxBytes).toBe(32_000_000)
})
