import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { type Seen, shiftOf } from './image-shift.ts'

const seenAt = (position: number, isStarred = false): Seen => ({
  position,
  imageName: `${position}.png`,
  isStarred,
})

const recordNamed = (image_name: string, starred = false) =>
  ({ image_name, starred }) as ImageRecord

test('shifts the visible images down by the number of images inserted above', () => {
  const seen = [seenAt(400), seenAt(401)]

  expect(shiftOf(seen, [[412, recordNamed('400.png')]])).toEqual({ from: 400, to: 412 })
})

test('uses the first image that still exists after others were removed', () => {
  const seen = [seenAt(400), seenAt(401), seenAt(402)]
  const known: [number, ImageRecord][] = [
    [400, recordNamed('400.png')],
    [401, recordNamed('402.png')],
  ]

  expect(shiftOf(seen, known)).toEqual({ from: 400, to: 400 })
})

test('ignores an image that moved to the front because it was starred', () => {
  const seen = [seenAt(400), seenAt(401)]
  const known: [number, ImageRecord][] = [
    [0, recordNamed('400.png', true)],
    [401, recordNamed('401.png')],
  ]

  expect(shiftOf(seen, known)).toEqual({ from: 401, to: 401 })
})

test('returns null when none of the visible images is known', () => {
  expect(shiftOf([seenAt(400)], [[0, recordNamed('other.png')]])).toBeNull()
})
