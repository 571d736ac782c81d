import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureOf } from '#testing/library/pictures.ts'
import { distancesToBlack } from './distances.ts'
import { withSignal } from './in-slices.ts'
import { type BytePicture, emptyPicture } from './picture.ts'

const maskOf = (rows: readonly (readonly number[])[]) => pictureOf('L', rows) as BytePicture

/** Computes the distances by comparing all pairs of pixels. */
const bruteForce = ({ width, height, data }: BytePicture): number[] => {
  const distanceFrom = (pixel: number): number => {
    let nearest = Number.POSITIVE_INFINITY
    for (let other = 0; other < data.length; other++) {
      if (data[other] !== 0) continue
      const dx = (pixel % width) - (other % width)
      const dy = Math.floor(pixel / width) - Math.floor(other / width)
      nearest = Math.min(nearest, Math.hypot(dx, dy))
    }
    return nearest
  }
  return Array.from({ length: width * height }, (_, pixel) => distanceFrom(pixel))
}

test('measures the straight distance to the nearest black pixel', async () => {
  const mask = maskOf([
    [255, 255, 255, 255],
    [255, 255, 255, 255],
    [255, 255, 255, 255],
    [0, 255, 255, 255],
  ])

  const distances = await distancesToBlack(mask)

  expect([...distances]).toEqual(
    [
      [3, Math.hypot(1, 3), Math.hypot(2, 3), Math.hypot(3, 3)],
      [2, Math.hypot(1, 2), Math.hypot(2, 2), Math.hypot(3, 2)],
      [1, Math.hypot(1, 1), Math.hypot(2, 1), Math.hypot(3, 1)],
      [0, 1, 2, 3],
    ]
      .flat()
      .map(Math.fround),
  )
})

test('returns infinity for all pixels without black', async () => {
  const distances = await distancesToBlack(maskOf([[1, 255]]))

  expect([...distances]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
})

test('equals the brute-force result', async () => {
  const side = fc.integer({ min: 1, max: 12 })
  const share = fc.constantFrom(1, 3, 20)
  await fc.assert(
    fc.asyncProperty(side, side, share, fc.infiniteStream(fc.nat(1000)), async (w, h, of, dice) => {
      const mask = { ...emptyPicture('L', w, h) }
      for (let at = 0; at < mask.data.length; at++) {
        mask.data[at] = dice.next().value % (of + 1) === 0 ? 0 : 255
      }

      const distances = await distancesToBlack(mask)

      expect([...distances]).toEqual(bruteForce(mask).map(Math.fround))
    }),
  )
})

test('stops when it is canceled', async () => {
  const signal = AbortSignal.abort(new Error('canceled'))

  await expect(
    withSignal(signal, () => distancesToBlack(emptyPicture('L', 50, 50))),
  ).rejects.toThrow('canceled')
})
