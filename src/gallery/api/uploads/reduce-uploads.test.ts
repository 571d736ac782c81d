import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { MAX_INTERRUPTIONS, reduceUploads, type UploadEvent } from './reduce-uploads.ts'
import { canMoveHere, newUpload, type Upload } from './upload.ts'
import { tallyOf } from './upload-tally.ts'

const assets = { boardId: null, label: 'Assets' }
const upload = (uploadId: string, bytes = 100): Upload =>
  newUpload(uploadId, { fileName: `${uploadId}.png`, folder: '', bytes }, assets)

const after = (uploads: readonly Upload[], ...events: UploadEvent[]) =>
  events.reduce(reduceUploads, uploads)

const completed = (uploadId: string): UploadEvent => ({
  type: 'completed',
  uploadId,
  image: { image_name: `${uploadId}-image` } as ImageRecord,
  thumbnailUrl: null,
})

const statuses = (uploads: readonly Upload[]) => uploads.map(({ status }) => status)

test('attributes sent bytes to the files of a request in order', () => {
  const uploads = after(
    [upload('a'), upload('b'), upload('c')],
    { type: 'started', uploadIds: ['a', 'b', 'c'] },
    { type: 'progressed', uploadIds: ['a', 'b', 'c'], sentBytes: 130 },
  )

  expect(uploads.map(({ sentBytes }) => sentBytes)).toEqual([100, 30, 0])
  expect(statuses(uploads)).toEqual(['processing', 'sending', 'sending'])
})

test('marks a completed file as done, with its image', () => {
  const [done] = after([upload('a')], { type: 'started', uploadIds: ['a'] }, completed('a'))

  expect(done).toMatchObject({ status: 'done', imageName: 'a-image', sentBytes: 100 })
})

test('does not change the other files of a request after a refusal', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    { type: 'refused', uploadId: 'a', reason: 'Not an image', canRetry: false },
  )

  expect(uploads[0]).toMatchObject({ status: 'failed', reason: 'Not an image' })
  expect(uploads[1]?.status).toBe('sending')
})

test('unanswered files of an interrupted request wait again', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    completed('a'),
    { type: 'interrupted', uploadIds: ['a', 'b'], reason: 'The connection broke off' },
  )

  expect(statuses(uploads)).toEqual(['done', 'waiting'])
})

test('fails a file after repeated interruptions and allows a retry', () => {
  const breakOff: UploadEvent[] = [
    { type: 'started', uploadIds: ['a'] },
    { type: 'interrupted', uploadIds: ['a'], reason: 'The connection broke off' },
  ]
  const [failed] = after([upload('a')], ...Array(MAX_INTERRUPTIONS).fill(breakOff).flat())

  expect(failed).toMatchObject({
    status: 'failed',
    reason: 'The connection broke off',
    canRetry: true,
  })
})

test('does not count an aborted request as an interruption of the other files', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    { type: 'cancelled', uploadIds: ['a'] },
    { type: 'put back', uploadIds: ['a', 'b'] },
  )

  expect(statuses(uploads)).toEqual(['cancelled', 'waiting'])
  expect(uploads[1]?.interruptions).toBe(0)
})

test('shows the image if a cancel came too late', () => {
  const uploads = after(
    [upload('a')],
    { type: 'started', uploadIds: ['a'] },
    { type: 'cancelled', uploadIds: ['a'] },
    completed('a'),
  )

  expect(statuses(uploads)).toEqual(['done'])
})

test('rejects a cancel of done files and a retry of permanent failures', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    completed('a'),
    { type: 'refused', uploadId: 'b', reason: 'Not an image', canRetry: false },
    { type: 'cancelled', uploadIds: ['a', 'b'] },
    { type: 'retried', uploadIds: ['a', 'b'] },
  )

  expect(statuses(uploads)).toEqual(['done', 'failed'])
})

test('restarts a retried file from the beginning', () => {
  const [again] = after(
    [upload('a')],
    { type: 'started', uploadIds: ['a'] },
    { type: 'progressed', uploadIds: ['a'], sentBytes: 50 },
    { type: 'refused', uploadId: 'a', reason: 'The server is busy', canRetry: true },
    { type: 'retried', uploadIds: ['a'] },
  )

  expect(again).toMatchObject({ status: 'waiting', sentBytes: 0, reason: null })
})

test('keeps unfinished uploads when clearing', () => {
  const uploads = after([upload('a'), upload('b')], completed('a'), { type: 'cleared' })

  expect(uploads.map(({ uploadId }) => uploadId)).toEqual(['b'])
})

const onCats = { image_name: 'cat.png', board_id: 'cats' }

test.each([
  ['cats', false],
  ['dogs', true],
  [null, true],
])('lets the existing image move only to another board: %s', (boardId, expected) => {
  const to = newUpload('a', { fileName: 'a', folder: '', bytes: 1 }, { boardId, label: 'There' })

  const [known] = after([to], { type: 'known', uploadId: 'a', reason: '', sameImage: onCats })

  expect(known && canMoveHere(known)).toBe(expected)
})

test('keeps a duplicate until the user uploads it anyway or skips it', () => {
  const known = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    { type: 'known', uploadId: 'a', reason: 'It is on Cats', sameImage: onCats },
    { type: 'known', uploadId: 'b', reason: 'It is on Cats', sameImage: null },
  )
  const decided = after(
    known,
    { type: 'doubled', uploadIds: ['a'] },
    { type: 'skipped', uploadIds: ['a', 'b'] },
  )

  expect(known[0]).toMatchObject({ status: 'known', reason: 'It is on Cats', keepsBoth: false })
  expect(known.map(canMoveHere)).toEqual([true, false])
  expect(decided).toMatchObject([{ uploadId: 'a', status: 'waiting', keepsBoth: true }])
})

test('keeps the identity of unaffected uploads', () => {
  const before = [upload('a'), upload('b')]
  const uploads = after(before, completed('a'))

  expect(uploads[1]).toBe(before[1])
})

const interrupted = (hasAdvanced: boolean): UploadEvent => ({
  type: 'interrupted',
  uploadIds: ['a'],
  reason: 'Lost',
  hasAdvanced,
})

const started: UploadEvent = { type: 'started', uploadIds: ['a'] }
const sent = (sentBytes: number): UploadEvent => ({
  type: 'progressed',
  uploadIds: ['a'],
  sentBytes,
})
const found = (bytes: number): UploadEvent => ({ type: 'found', uploadId: 'a', bytes })

test('an upload whose bytes the server keeps stays where it stopped', () => {
  const events = [started, found(0), sent(60), interrupted(true)]
  const [waiting] = after([upload('a')], ...events)
  expect(waiting).toMatchObject({ status: 'waiting', sentBytes: 60, foundBytes: 0 })

  const [again] = after([upload('a')], ...events, started, found(50), sent(70))
  expect(again).toMatchObject({ status: 'sending', sentBytes: 70, foundBytes: -10 })
})

test('bytes that the server had before count as found', () => {
  const uploads = after([upload('a')], started, found(90), sent(95))
  expect(uploads[0]).toMatchObject({ sentBytes: 95, foundBytes: 90 })
  const { bytesDone, bytesFound } = tallyOf(uploads)
  expect(bytesDone - bytesFound).toBe(5)
})

test('breaks after which an upload has advanced do not make it fail', () => {
  const once = [started, found(0), sent(10), interrupted(true)]
  const many = Array.from({ length: MAX_INTERRUPTIONS + 1 }, () => once).flat()
  expect(statuses(after([upload('a')], ...many))).toEqual(['waiting'])
  const stuck = Array.from({ length: MAX_INTERRUPTIONS }, () => [
    started,
    interrupted(false),
  ]).flat()
  expect(statuses(after([upload('a')], ...stuck))).toEqual(['failed'])
})

test('a file that is added again makes its lost upload wait, for the new place', () => {
  const there = { boardId: 'there', label: 'There' }
  const lost: Upload = { ...upload('a'), status: 'failed', canRetry: false, isFileLost: true }
  const [waiting] = after([lost], { type: 'file found', uploadId: 'a', target: there })
  expect(waiting).toMatchObject({ status: 'waiting', isFileLost: false, target: there })
})
