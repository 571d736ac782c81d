import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crop } from '#server/engine/pictures/crop.ts'
import { emptyPicture, type Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'
import { outputOf } from '#testing/local-nodes.ts'
import type { Tile } from './tile.ts'

const none = { top: 0, bottom: 0, left: 0, right: 0 }

/** Returns a tile of the size of its picture. */
const pieceOf = (
  picture: Picture,
  left: number,
  top: number,
  overlap: Partial<Tile['overlap']>,
) => ({
  picture,
  tile: {
    coords: { left, top, right: left + picture.width, bottom: top + picture.height },
    overlap: { ...none, ...overlap },
  },
})

const merge = (
  pieces: readonly { picture: Picture; tile: Tile }[],
  inputs: Record<string, unknown>,
  options: { maxPixels?: number; signal?: AbortSignal } = {},
) =>
  runPictureNode(
    'merge_tiles_to_image',
    {
      tiles_with_images: pieces.map(({ tile }, index) => ({
        tile,
        image: { image_name: `${index}` },
      })),
      ...inputs,
    },
    {
      images: Object.fromEntries(pieces.map(({ picture }, index) => [index, picture])),
      ...options,
    },
  )

/** Fills every band of every row with the values. */
const evenRows = (...values: number[]) => values.map((value) => [value, value, value])
const flat = (value: number, width: number, height: number) =>
  pictureOf('L', Array(height).fill(Array(width).fill(value)))

const dark = flat(0, 6, 2)
const light = flat(200, 6, 2)

test.each([
  // Without blending, the new tile begins at half of the overlap
  [0, [0, 0, 0, 0, 200, 200, 200, 200]],
  [1, [0, 0, 0, 0, 0, 200, 200, 200]],
  // The ramp is in the middle of the overlap and runs from 0 to 1
  [2, [0, 0, 0, 0, 200, 200, 200, 200]],
  [3, [0, 0, 0, 0, 100, 200, 200, 200]],
  [4, [0, 0, 0, 67, 133, 200, 200, 200]],
])('blends horizontal neighbors linearly over %d pixels', async (blend_amount, expected) => {
  const pieces = [pieceOf(dark, 0, 0, { right: 4 }), pieceOf(light, 2, 0, { left: 4 })]

  const merged = await merge(pieces, { blend_mode: 'Linear', blend_amount })

  expect(merged.mode).toBe('RGB')
  expect(rowsOf(merged)).toEqual([evenRows(...expected), evenRows(...expected)])
})

test('blends vertical neighbors downwards', async () => {
  const pieces = [
    pieceOf(flat(0, 1, 4), 0, 0, { bottom: 3 }),
    pieceOf(flat(200, 1, 4), 0, 1, { top: 3 }),
  ]

  const merged = await merge(pieces, { blend_mode: 'Linear', blend_amount: 3 })

  expect(rowsOf(merged).flat()).toEqual(evenRows(0, 0, 100, 200, 200))
})

test('places touching tiles next to each other, in any input order', async () => {
  const pieces = [
    pieceOf(flat(4, 1, 1), 1, 1, {}),
    pieceOf(flat(2, 1, 1), 1, 0, {}),
    pieceOf(flat(3, 1, 1), 0, 1, {}),
    pieceOf(flat(1, 1, 1), 0, 0, {}),
  ]

  expect(rowsOf(await merge(pieces, {}))).toEqual([evenRows(1, 2), evenRows(3, 4)])
})

test('cuts a seam where the difference of both tiles changes least', async () => {
  const left = pictureOf('L', Array(3).fill([9, 9, 0, 0, 0, 0, 0, 0, 0]))
  const right = pictureOf('L', Array(3).fill([90, 30, 0, 0, 0, 50, 120, 7, 7]))
  const pieces = [pieceOf(left, 0, 0, { right: 7 }), pieceOf(right, 2, 0, { left: 7 })]

  const merged = await merge(pieces, { blend_mode: 'Seam', blend_amount: 0 })

  // Differences are 90 30 0 0 0 50 120: constant only around the fourth, where the right tile begins.
  expect(rowsOf(merged)).toEqual(Array(3).fill(evenRows(9, 9, 0, 0, 0, 0, 0, 50, 120, 7, 7)))
})

test('blurs a seam', async () => {
  // All cuts are equal, so the seam is straight at the first position that leaves room for the blur.
  const pieces = [
    pieceOf(flat(0, 7, 1), 0, 0, { right: 7 }),
    pieceOf(flat(180, 8, 1), 0, 0, { left: 7 }),
  ]

  const merged = await merge(pieces, { blend_mode: 'Seam', blend_amount: 3 })

  // Two pixels of the first tile, blurred by a box of 3: weights of 255, 170, 85, 0
  expect(rowsOf(merged)).toEqual([evenRows(0, 60, 120, 180, 180, 180, 180, 180)])
})

test('cuts seams and blurs them over 32 pixels by default', async () => {
  const pieces = [
    pieceOf(flat(0, 64, 1), 0, 0, { right: 64 }),
    pieceOf(flat(255, 64, 1), 0, 0, { left: 64 }),
  ]

  const merged = rowsOf(await merge(pieces, {})).flat()

  expect(merged[0]).toEqual([0, 0, 0])
  // The cut is at 16, half of the blur from the edge
  expect(merged.slice(32)).toEqual(Array(32).fill([255, 255, 255]))
  expect(merged).toEqual(
    rowsOf(await merge(pieces, { blend_mode: 'Seam', blend_amount: 32 })).flat(),
  )
})

test('restores an image that was cut into tiles', async () => {
  const size = fc.integer({ min: 1, max: 20 })
  const mode = fc.constantFrom('Linear', 'Seam')
  await fc.assert(
    fc.asyncProperty(
      fc.record({ size, mode, tile: fc.nat(), overlap: fc.nat(), blend: fc.nat(), seed: fc.nat() }),
      async ({ size: side, mode: blend_mode, ...dice }) => {
        const tileSide = 1 + (dice.tile % side)
        const overlap = dice.overlap % tileSide
        const whole = emptyPicture('RGB', side, side)
        for (const at of whole.data.keys()) whole.data[at] = ((at + dice.seed) * 7919) % 251
        const { tiles } = await outputOf('calculate_image_tiles', {
          image_width: side,
          image_height: side,
          tile_width: tileSide,
          tile_height: tileSide,
          overlap,
        })
        const pieces = (tiles as Tile[]).map((tile) => {
          const { left, top } = tile.coords
          return { tile, picture: crop(whole, { left, top, width: tileSide, height: tileSide }) }
        })
        const blend_amount = dice.blend % (overlap + 1)

        expect(await merge(pieces, { blend_mode, blend_amount })).toEqual(whole)
      },
    ),
  )
})

const transposed = (picture: Picture): Picture => {
  const rows = rowsOf(picture)
  return pictureOf(
    picture.mode,
    [...(rows[0] ?? []).keys()].map((x) => rows.map((row) => row[x] ?? 0)),
  )
}

test.each(['Linear', 'Seam'])('%s blends downwards like to the right', async (blend_mode) => {
  const bytes = fc.uint8Array({ minLength: 63, maxLength: 63 })
  await fc.assert(
    fc.asyncProperty(bytes, bytes, fc.nat(6), async (first, second, blend_amount) => {
      const size = { mode: 'RGB' as const, width: 7, height: 3 }
      const left = { ...size, data: first }
      const right = { ...size, data: second }
      const inputs = { blend_mode, blend_amount }

      const across = await merge(
        [pieceOf(left, 0, 0, {}), pieceOf(right, 1, 0, { left: 6 })],
        inputs,
      )
      const down = await merge(
        [pieceOf(transposed(left), 0, 0, {}), pieceOf(transposed(right), 0, 1, { top: 6 })],
        inputs,
      )

      expect(down).toEqual(transposed(across))
    }),
  )
})

const alone = flat(1, 4, 4)

test.each<[string, readonly { picture: Picture; tile: Tile }[], RegExp]>([
  ['an empty list', [], /There are no tiles to merge/],
  [
    'an overlap below the blend amount',
    [pieceOf(alone, 0, 0, { left: 3 })],
    /overlap by 3 pixels cannot be blended over 4/,
  ],
  [
    'an overlap above the tile size',
    [pieceOf(alone, 0, 0, { top: 5 })],
    /4 pixels overlaps its neighbour by 5/,
  ],
  ['a negative position', [pieceOf(alone, -1, 0, {})], /from -1 to 3/],
  [
    'an image of another size',
    [{ ...pieceOf(alone, 0, 0, {}), picture: flat(1, 4, 3) }],
    /image of a tile has 4 x 3 pixels, the tile 4 x 4/,
  ],
  [
    'a position beyond the pixel limit',
    [pieceOf(alone, 2 ** 40, 0, {})],
    /more than this server's limit/,
  ],
])('refuses %s', async (_what, pieces, message) => {
  await expect(merge(pieces, { blend_amount: 4 })).rejects.toThrow(message)
})

test.each([{ blend_mode: 'Poisson' }, { blend_amount: -1 }])('refuses %o', async (inputs) => {
  await expect(merge([pieceOf(alone, 0, 0, {})], inputs)).rejects.toThrow(/^refused: /)
})

test('stops merging when it is canceled', async () => {
  const signal = AbortSignal.abort(new Error('canceled'))

  await expect(merge([pieceOf(alone, 0, 0, {})], {}, { signal })).rejects.toThrow('canceled')
})
