import { expect, test } from 'vitest'
import { MAX_INTERRUPTIONS, reduceUploads, type UploadEvent } from './reduce-uploads.ts'
import { canMoveHere, newUpload, type Upload } from './upload.ts'

const assets = { boardId: null, label: 'Assets' }
const upload = (uploadId: string, bytes = 100): Upload =>
  newUpload(uploadId, { fileName: `${uploadId}.png`, folder: '', bytes }, assets)

const after = (uploads: readonly Upload[], ...events: UploadEvent[]) =>
  events.reduce(reduceUploads, uploads)

const kept = (uploadId: string): UploadEvent => ({
  type: 'completed',
  uploadId,
  imageName: `${uploadId}-image`,
  thumbnailUrl: null,
})

const statuses = (uploads: readonly Upload[]) => uploads.map(({ status }) => status)

test('the bytes of a request belong to its first files first', () => {
  const uploads = after(
    [upload('a'), upload('b'), upload('c')],
    { type: 'started', uploadIds: ['a', 'b', 'c'] },
    { type: 'progressed', uploadIds: ['a', 'b', 'c'], sentBytes: 130 },
  )

  expect(uploads.map(({ sentBytes }) => sentBytes)).toEqual([100, 30, 0])
  expect(statuses(uploads)).toEqual(['processing', 'sending', 'sending'])
})

test('a file that is kept is done, with the image that it became', () => {
  const [done] = after([upload('a')], { type: 'started', uploadIds: ['a'] }, kept('a'))

  expect(done).toMatchObject({ status: 'done', imageName: 'a-image', sentBytes: 100 })
})

test('one refusal leaves the other files of the request alone', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    { type: 'refused', uploadId: 'a', reason: 'Not an image', canRetry: false },
  )

  expect(uploads[0]).toMatchObject({ status: 'failed', reason: 'Not an image' })
  expect(uploads[1]?.status).toBe('sending')
})

test('a request that breaks off puts its unanswered files back in line', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    kept('a'),
    { type: 'interrupted', uploadIds: ['a', 'b'], reason: 'The connection broke off' },
  )

  expect(statuses(uploads)).toEqual(['done', 'waiting'])
})

test('a file whose requests keep breaking off fails with the reason and can be retried', () => {
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

test('giving a request up to cancel one file counts against none of the others', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    { type: 'started', uploadIds: ['a', 'b'] },
    { type: 'cancelled', uploadIds: ['a'] },
    { type: 'put back', uploadIds: ['a', 'b'] },
  )

  expect(statuses(uploads)).toEqual(['cancelled', 'waiting'])
  expect(uploads[1]?.interruptions).toBe(0)
})

test('a cancel that came too late shows the image that is there', () => {
  const uploads = after(
    [upload('a')],
    { type: 'started', uploadIds: ['a'] },
    { type: 'cancelled', uploadIds: ['a'] },
    kept('a'),
  )

  expect(statuses(uploads)).toEqual(['done'])
})

test('what is done cannot be cancelled, and what can never succeed cannot be retried', () => {
  const uploads = after(
    [upload('a'), upload('b')],
    kept('a'),
    { type: 'refused', uploadId: 'b', reason: 'Not an image', canRetry: false },
    { type: 'cancelled', uploadIds: ['a', 'b'] },
    { type: 'retried', uploadIds: ['a', 'b'] },
  )

  expect(statuses(uploads)).toEqual(['done', 'failed'])
})

test('a retry starts from the beginning', () => {
  const [again] = after(
    [upload('a')],
    { type: 'started', uploadIds: ['a'] },
    { type: 'progressed', uploadIds: ['a'], sentBytes: 50 },
    { type: 'refused', uploadId: 'a', reason: 'The server is busy', canRetry: true },
    { type: 'retried', uploadIds: ['a'] },
  )

  expect(again).toMatchObject({ status: 'waiting', sentBytes: 0, reason: null })
})

test('clearing leaves what is not finished', () => {
  const uploads = after([upload('a'), upload('b')], kept('a'), { type: 'cleared' })

  expect(uploads.map(({ uploadId }) => uploadId)).toEqual(['b'])
})

const onCats = { image_name: 'cat.png', board_id: 'cats' }

test.each([
  ['cats', false],
  ['dogs', true],
  [null, true],
])('the image with the same bytes can move to where it is not: %s', (boardId, expected) => {
  const to = newUpload('a', { fileName: 'a', folder: '', bytes: 1 }, { boardId, label: 'There' })

  const [known] = after([to], { type: 'known', uploadId: 'a', reason: '', sameImage: onCats })

  expect(known && canMoveHere(known)).toBe(expected)
})

test('what is there already waits for a person, who doubles it or lets it go', () => {
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

test('what an event does not concern stays the same object', () => {
  const before = [upload('a'), upload('b')]
  const uploads = after(before, kept('a'))

  expect(uploads[1]).toBe(before[1])
})
