import { expect, test } from 'vitest'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'
import { fadeCurve } from './fade.ts'

const product = (factors: readonly number[]) => factors.reduce((total, factor) => total * factor, 1)
const dot = (first: readonly number[], second: readonly number[]) =>
  first.reduce((total, value, index) => total + value * (second[index] ?? 0), 0)

const fade = (mask: Picture, inputs: Record<string, unknown> = {}) =>
  runPictureNode('expand_mask_with_fade', { mask, ...inputs })

test('extends black with a fade', async () => {
  const mask = pictureOf('L', [[0, 255, 255, 255, 255, 255, 255]])

  // At 5 px the curve passes (0, 0), (0.2, 0.1), (0.8, 0.9) and (1, 1): 0.35 at 0.4, 0.65 at 0.6.
  expect(rowsOf(await fade(mask, { fade_size_px: 5 }))).toEqual([[0, 25, 89, 165, 229, 255, 255]])
})

test('fades around corners', async () => {
  const mask = pictureOf('L', [
    [0, 255, 255, 255],
    [255, 255, 255, 255],
    [255, 255, 255, 255],
    [255, 255, 255, 255],
    [255, 255, 255, 255],
  ])

  const faded = rowsOf(await fade(mask, { fade_size_px: 5 }))

  // The same curve at the square roots of 16, 17 and 20, divided by 5: 0.9, 0.9224, 0.9720; 3 and 4 px make 5.
  expect(faded.at(-1)).toEqual([229, 235, 247, 255])
})

test('fades over 32 pixels by default', async () => {
  const row = Array.from({ length: 34 }, (_, x) => (x === 0 ? 0 : 255))

  const [faded = []] = rowsOf(await fade(pictureOf('L', [row])))

  expect(faded[0]).toBe(0)
  expect(faded[31]).toBeLessThan(255)
  expect(faded.slice(32)).toEqual([255, 255])
})

test('returns the mask as grayscale for a fade of zero width', async () => {
  const mask = pictureOf('RGBA', [[[10, 10, 10, 0]]])

  expect(await fade(mask, { fade_size_px: 0 })).toEqual(pictureOf('L', [[10]]))
})

test.each([
  [0, [0, 255, 255, 255]],
  [9, [0, 0, 255, 255]],
  [254, [0, 0, 0, 255]],
  [255, [0, 0, 0, 0]],
])('treats grays up to %d as black', async (threshold, expected) => {
  const mask = pictureOf('L', [[0, 9, 10, 255]])

  expect(rowsOf(await fade(mask, { threshold, fade_size_px: 1 }))).toEqual([expected])
})

test('returns white for a mask without black', async () => {
  expect(await fade(pictureOf('L', [[1, 255]]))).toEqual(pictureOf('L', [[255, 255]]))
  expect(await fade(pictureOf('L', [[0]]))).toEqual(pictureOf('L', [[0]]))
})

test.each([2, 3, 8, 32, 100])('fits the least-squares cubic for a fade of %d px', (px) => {
  const xs = [0, 1 / px, 0.2, 0.8, 1]
  const ys = [0, 0, 0.2, 0.9, 1]
  // These weights are orthogonal to every cubic, so the residual of the least-squares fit is a multiple of them.
  const weights = xs.map((x) => 1 / product(xs.filter((other) => other !== x).map((y) => x - y)))
  const miss = dot(weights, ys) / dot(weights, weights)
  const fitted = ys.map((y, index) => y - miss * (weights[index] ?? 0))
  // Lagrange's cubic through the last four points
  const through = (x: number) =>
    dot(
      fitted.slice(1),
      xs
        .slice(1)
        .map((own, _index, rest) =>
          product(rest.filter((other) => other !== own).map((y) => (x - y) / (own - y))),
        ),
    )
  const curve = fadeCurve(px)

  for (const x of [0.01, 0.1, 0.3, 0.5, 0.7, 0.95]) {
    expect(curve(x * px)).toBeCloseTo(Math.min(1, Math.max(0, through(x))), 9)
  }
})

test.each([{ threshold: 256 }, { threshold: -1 }, { fade_size_px: -1 }])(
  'refuses %o',
  async (inputs) => {
    await expect(fade(pictureOf('L', [[0]]), inputs)).rejects.toThrow(/^refused: /)
  },
)
