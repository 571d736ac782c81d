import { expect, test } from 'vitest'
import { pictureOf, runPictureNode } from '#testing/library/pictures.ts'

const SIDE = 40
const flat = {
  mode: 'L' as const,
  width: SIDE,
  height: SIDE,
  data: new Uint8Array(SIDE ** 2).fill(100),
}
const dots = { image: flat, noise_type: 'salt_and_pepper', amount: 0.5 }

/** Returns each pixel as one number. */
const pixelsOf = ({ data }: { data: ArrayLike<number> & { buffer: ArrayBufferLike } }) => [
  ...new Uint32Array(data.buffer),
]

test.each(['gaussian', 'salt_and_pepper'])(
  '%s noise is equal for equal seeds only',
  async (noise_type) => {
    const noisy = (seed: number) =>
      runPictureNode('img_noise', { image: flat, noise_type, seed, amount: 0.5 })

    expect(await noisy(7)).toEqual(await noisy(7))
    expect(await noisy(7)).not.toEqual(await noisy(8))
  },
)

test('blends in black and white dots; the amount is the share of white', async () => {
  const { mode, data } = await runPictureNode('img_noise', { ...dots, noise_color: false })

  // Half of 100 for black. Halfway from 100 to 255 for white, truncated.
  expect(mode).toBe('RGBA')
  expect([...new Set(data)].sort((a, b) => a - b)).toEqual([50, 177, 255])
  const white = data.filter((value) => value === 177).length / 3
  expect(Math.abs(white / SIDE ** 2 - 0.5)).toBeLessThan(0.06)
})

test('blends in noise by its amount', async () => {
  const { data } = await runPictureNode('img_noise', { image: flat, amount: 0.1 })

  const colors = data.filter((_, at) => at % 4 !== 3)
  expect(Math.min(...colors)).toBeGreaterThanOrEqual(90)
  expect(Math.max(...colors)).toBeLessThanOrEqual(115)
  expect(new Set(colors).size).toBeGreaterThan(20)
})

test('changes nothing for an amount of 0', async () => {
  const image = pictureOf('RGBA', [
    [
      [1, 2, 3, 4],
      [5, 6, 7, 0],
    ],
  ])

  expect(await runPictureNode('img_noise', { image, amount: 0 })).toEqual(image)
})

test('varies the channels separately unless the noise is gray', async () => {
  const isGray = async (noise_color: boolean) => {
    const { data } = await runPictureNode('img_noise', { ...dots, noise_color })
    return data.every((value, at) => at % 4 === 3 || value === data[at - (at % 4)])
  }

  expect(await isGray(false)).toBe(true)
  expect(await isGray(true)).toBe(false)
})

test('draws grains of the requested size', async () => {
  const pixels = pixelsOf(await runPictureNode('img_noise', { ...dots, size: 2 }))
  const cornerOf = (at: number) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
    return pixels[(y - (y % 2)) * SIDE + x - (x % 2)]
  }

  expect(pixels.every((pixel, at) => pixel === cornerOf(at))).toBe(true)
  expect(new Set(pixels).size).toBeGreaterThan(1)
})

test('draws one grain if the grain is larger than the image', async () => {
  const pixels = pixelsOf(await runPictureNode('img_noise', { ...dots, size: 1000 }))

  expect(new Set(pixels).size).toBe(1)
})

test('preserves the alpha', async () => {
  const image = pictureOf('LA', [
    [
      [10, 0],
      [20, 77],
      [30, 255],
    ],
  ])

  const { data } = await runPictureNode('img_noise', { image, amount: 1 })

  expect([data[3], data[7], data[11]]).toEqual([0, 77, 255])
})

test('applies noise where the scaled mask is black', async () => {
  const mask = pictureOf('L', [[0, 0, 0, 0, 255, 255, 255, 255]])

  const masked = pixelsOf(await runPictureNode('img_noise', { ...dots, mask }))
  const whole = pixelsOf(await runPictureNode('img_noise', dots))

  const columns = (from: number, to: number, pixels: number[]) =>
    pixels.filter((_, at) => at % SIDE >= from && at % SIDE < to)
  const [untouched] = pixelsOf({ data: Uint8Array.of(100, 100, 100, 255) })
  expect(columns(0, 5, masked)).toEqual(columns(0, 5, whole))
  expect(new Set(columns(35, SIDE, masked))).toEqual(new Set([untouched]))
})
