import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { colorDistance, hashDistance, ORIENTATIONS } from '#server/core/likeness/fingerprint.ts'
import { type Fingerprint, fingerprintOf } from './draw-fingerprint.ts'
import { drawThumbnail, reduce, thumbnailFingerprint } from './draw-thumbnail.ts'

const drawn = async (picture: Sharp) => {
  const upright = sharp(await picture.png().toBuffer())
  return drawThumbnail(await reduce(upright, 384))
}

/** Returns the smallest hash distance, the color distance of that orientation, and the orientation. */
const compared = (one: Fingerprint, other: Fingerprint) =>
  Array.from({ length: ORIENTATIONS }, (_, orientation) => ({
    hash: hashDistance(one, other, orientation),
    colors: colorDistance(one, other, orientation),
    orientation,
  })).reduce((best, each) => (each.hash < best.hash ? each : best))

const drawScene = async (seed: number) => {
  const { bytes } = await drawPicture({ seed, kind: 'comfyui', widthPx: 640, heightPx: 448 })
  return { png: bytes, ...(await drawn(sharp(bytes))) }
}

const scenes = new Map<number, ReturnType<typeof drawScene>>()

/** Returns a picture with its fingerprint. Each is drawn once. */
const scene = (seed: number) => {
  const found = scenes.get(seed) ?? drawScene(seed)
  scenes.set(seed, found)
  return found
}

const changes: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  'a JPEG of low quality': (picture) => picture.jpeg({ quality: 60 }),
  'a WebP of low quality': (picture) => picture.webp({ quality: 40 }),
  'a small copy': (picture) => picture.resize(160),
  'a mirrored copy': (picture) => picture.flop(),
  'a flipped copy': (picture) => picture.flip(),
  'a copy turned to the left': (picture) => picture.rotate(270),
  'a copy turned to the right': (picture) => picture.rotate(90),
  'a copy that is upside down': (picture) => picture.rotate(180),
}

describe.each([
  [1, ''],
  [2, ''],
  [3, ' @long'],
  [4, ' @long'],
])('the fingerprint of picture %i%s', (seed) => {
  test.each(Object.keys(changes))('is nearly the same for %s', async (name) => {
    const { png, fingerprint } = await scene(seed)
    const changed = await (changes[name]?.(sharp(png)) ?? sharp(png)).toBuffer()
    const other = await drawn(sharp(changed))
    const { hash, colors } = compared(fingerprint, other.fingerprint)
    expect(hash).toBeLessThanOrEqual(5)
    expect(colors).toBeLessThanOrEqual(9)
  })

  test('is nearly the same for its thumbnail', async () => {
    const { fingerprint, thumbnail } = await scene(seed)
    expect(compared(fingerprint, await thumbnailFingerprint(thumbnail)).hash).toBeLessThanOrEqual(5)
  })

  test('differs from that of another picture', async () => {
    const [one, other] = [await scene(seed), await scene(seed + 4)]
    expect(compared(one.fingerprint, other.fingerprint).hash).toBeGreaterThan(11)
  })
})

const filled = (width: number, height: number, color: readonly number[]) =>
  fingerprintOf({
    ...{ width, height },
    rgba: Uint8Array.from({ length: 4 * width * height }, (_, at) => color[at % 4] ?? 0),
  })

test('one color has a hash without bits, at any size', () => {
  const red = filled(32, 32, [200, 0, 0, 255])
  expect(red.slice(0, 2)).toEqual([0, 0])
  for (const [width, height] of [
    [1, 1],
    [2, 1],
    [1, 32],
    [3, 3],
    [32, 2],
    [5, 7],
  ] as const)
    expect(filled(width, height, [200, 0, 0, 255])).toEqual(red)
  const blue = filled(32, 32, [0, 0, 200, 255])
  expect(blue.slice(0, 2)).toEqual([0, 0])
  expect(colorDistance(red, blue, 0)).toBeGreaterThan(18)
})

test('transparent parts are white', () => {
  expect(filled(8, 8, [0, 0, 0, 0])).toEqual(filled(8, 8, [255, 255, 255, 255]))
})

test('leaves room for the 0 of columns in memory if all waves are in the picture', () => {
  const white = [255, 255, 255, 255]
  const black = [0, 0, 0, 255]
  // A point in the corner has all waves with the same sign.
  const rgba = Uint8Array.from([
    ...white,
    ...Array.from({ length: 32 * 32 - 1 }, () => black).flat(),
  ])
  const [high, low] = fingerprintOf({ width: 32, height: 32, rgba })
  expect([high, low]).toEqual([0xff_fe_ff_ff, 0xff_ff_ff_fe])
})
