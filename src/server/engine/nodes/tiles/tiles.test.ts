import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphOf } from '#testing/graph-of.ts'
import { outputOf, runLocally } from '#testing/local-nodes.ts'
import type { Tile } from './tile.ts'

const panel = (inputs: Record<string, unknown>) => outputOf('image_panel_layout', inputs)

test('returns the whole grid as one panel by default', async () => {
  expect(await panel({ width: 100, height: 50 })).toEqual({
    type: 'image_panel_coordinate_output',
    x_left: 0,
    y_top: 0,
    width: 100,
    height: 50,
  })
})

test('returns whole pixels and leaves the remainder of the grid unused', async () => {
  const grid = { width: 100, height: 50, num_cols: 3, num_rows: 4 }

  // 100 / 3 is 33.3, 50 / 4 is 12.5
  expect(await panel({ ...grid, panel_col_idx: 2, panel_row_idx: 3 })).toMatchObject({
    x_left: 66,
    y_top: 36,
    width: 33,
    height: 12,
  })
})

test.each([
  [{ num_cols: 2, panel_col_idx: 2 }, 'panel_col_idx must be between 0 and 1'],
  [{ num_rows: 3, panel_row_idx: 7 }, 'panel_row_idx must be between 0 and 2'],
  [{ num_cols: 0 }, 'greater than or equal to 1'],
  [{ panel_row_idx: -1 }, 'greater than or equal to 0'],
])('refuses the panel %o', async (inputs, message) => {
  await expect(panel({ width: 9, height: 9, ...inputs })).rejects.toThrow(message)
})

const tilesOf = async (inputs: Record<string, unknown>): Promise<Tile[]> => {
  const { tiles } = await outputOf('calculate_image_tiles', inputs)
  return tiles as Tile[]
}

const side = (top: number, bottom: number, left: number, right: number) => ({
  top,
  bottom,
  left,
  right,
})

test('covers 1024 pixels with tiles of 576 and an overlap of 128', async () => {
  expect(await outputOf('calculate_image_tiles')).toEqual({
    type: 'calculate_image_tiles_output',
    tiles: [
      { coords: side(0, 576, 0, 576), overlap: side(0, 128, 0, 128) },
      { coords: side(0, 576, 448, 1024), overlap: side(0, 128, 128, 0) },
      { coords: side(448, 1024, 0, 576), overlap: side(128, 0, 0, 128) },
      { coords: side(448, 1024, 448, 1024), overlap: side(128, 0, 128, 0) },
    ],
  })
})

test('moves the last tile back to end with the image', async () => {
  const size = { image_width: 10, tile_width: 4, image_height: 4, tile_height: 4 }

  expect(await tilesOf({ ...size, overlap: 0 })).toEqual([
    { coords: side(0, 4, 0, 4), overlap: side(0, 0, 0, 0) },
    { coords: side(0, 4, 4, 8), overlap: side(0, 0, 0, 2) },
    { coords: side(0, 4, 6, 10), overlap: side(0, 0, 2, 0) },
  ])
})

test('covers every pixel with at least the requested overlap', async () => {
  const length = fc.integer({ min: 1, max: 60 })
  await fc.assert(
    fc.asyncProperty(length, fc.nat(), fc.nat(), async (image, tileSeed, overlapSeed) => {
      const tile = 1 + (tileSeed % image)
      const overlap = overlapSeed % tile
      const tiles = await tilesOf({
        image_width: image,
        tile_width: tile,
        image_height: image,
        tile_height: tile,
        overlap,
      })

      const rows = tiles.filter(({ coords }) => coords.left === 0).map(({ coords }) => coords)
      expect(tiles).toHaveLength(rows.length ** 2)
      expect([rows[0]?.top, rows.at(-1)?.bottom]).toEqual([0, image])
      for (const [index, { top, bottom }] of rows.entries()) {
        expect(bottom - top).toBe(tile)
        const next = rows[index + 1]
        if (next) expect(bottom - next.top).toBeGreaterThanOrEqual(overlap)
      }
    }),
  )
})

test.each([
  [{ tile_width: 1025 }, 'The tile width (1025) is greater than the image width (1024).'],
  [{ image_height: 500 }, 'The tile height (576) is greater than the image height (500).'],
  [{ overlap: 576 }, 'The overlap (576) is not less than the tile width (576).'],
  [
    { image_width: 2 ** 40, tile_width: 1, tile_height: 1, overlap: 0 },
    'There would be 1125899906842624 tiles; at most 50000 are made.',
  ],
  [{ tile_width: 0 }, 'greater than or equal to 1'],
  [{ overlap: -1 }, 'greater than or equal to 0'],
])('refuses tiles of %o', async (inputs, message) => {
  await expect(tilesOf(inputs)).rejects.toThrow(message)
})

test('covers the image with a number of tiles, the last ones taking the remainder', async () => {
  const image = { image_width: 1000, image_height: 64, num_tiles_x: 3, num_tiles_y: 1 }
  const { tiles } = await outputOf('calculate_image_tiles_even_split', { ...image, overlap: 16 })

  // (1000 + 2 * 16) / 3 is 344, a multiple of 8.
  expect(tiles).toEqual([
    { coords: side(0, 64, 0, 344), overlap: side(0, 0, 0, 16) },
    { coords: side(0, 64, 328, 672), overlap: side(0, 0, 16, 16) },
    { coords: side(0, 64, 656, 1000), overlap: side(0, 0, 16, 0) },
  ])
  const { tiles: two } = await outputOf('calculate_image_tiles_even_split', {
    ...image,
    num_tiles_x: 2,
    overlap: 0,
  })
  // 1000 / 2 is 500, and 8 * 62 is 496.
  expect(two).toMatchObject([{ coords: { right: 496 } }, { coords: { left: 496, right: 1000 } }])
})

test('distributes tiles of equal size evenly over the image', async () => {
  const image = { image_width: 10, image_height: 3, tile_width: 4, tile_height: 9 }
  const { tiles } = await outputOf('calculate_image_tiles_min_overlap', {
    ...image,
    min_overlap: 1,
  })

  // (10 - 1) / (4 - 1) is 3 tiles, at distances of (10 - 4) / 2. A tile is at most as high as the image.
  expect(tiles).toEqual([
    { coords: side(0, 3, 0, 4), overlap: side(0, 0, 0, 1) },
    { coords: side(0, 3, 3, 7), overlap: side(0, 0, 1, 1) },
    { coords: side(0, 3, 6, 10), overlap: side(0, 0, 1, 0) },
  ])
})

test.each([
  ['even_split', { image_width: 1001 }, 'image size ((1001, 1024)) must be divisible by 8'],
  ['even_split', { num_tiles_x: 200 }, 'has no room for 200 tiles with an overlap of 128.'],
  ['even_split', { overlap: 9 }, 'multiple of 8'],
  ['even_split', { overlap: 0, image_width: 2 ** 20, num_tiles_x: 60_000 }, 'at most 50000'],
  ['min_overlap', { image_width: 100 }, 'The overlap (128) is not less than the tile width (100).'],
  ['min_overlap', { image_width: 2 ** 30, tile_width: 130, tile_height: 130 }, 'at most 50000'],
])('calculate_image_tiles_%s refuses %o', async (kind, inputs, message) => {
  await expect(outputOf(`calculate_image_tiles_${kind}`, inputs)).rejects.toThrow(message)
})

test('outputs the numbers of a tile', async () => {
  const tile = { coords: side(10, 40, 5, 25), overlap: side(1, 2, 3, 4) }

  expect(await outputOf('tile_to_properties', { tile })).toEqual({
    type: 'tile_to_properties_output',
    coords_left: 5,
    coords_right: 25,
    coords_top: 10,
    coords_bottom: 40,
    width: 20,
    height: 30,
    overlap_top: 1,
    overlap_bottom: 2,
    overlap_left: 3,
    overlap_right: 4,
  })
})

test('pairs tiles with their images along edges and collects the pairs', async () => {
  const size = { image_width: 3, tile_width: 2, image_height: 1, tile_height: 1, overlap: 0 }
  const graph = graphOf(
    {
      tiles: { type: 'calculate_image_tiles', ...size },
      each: { type: 'iterate' },
      pair: { type: 'pair_tile_image', image: { image_name: 'a.png' } },
      all: { type: 'collect' },
    },
    [
      'tiles.tiles -> each.collection',
      'each.item -> pair.tile',
      'pair.tile_with_image -> all.item',
    ],
  )

  const { session } = await runLocally(graph)

  const [all = ''] = session.source_prepared_mapping.all ?? []
  expect(session.results[all]).toEqual({
    type: 'collect_output',
    output_meta: null,
    collection: [
      {
        tile: { coords: side(0, 1, 0, 2), overlap: side(0, 0, 0, 1) },
        image: { image_name: 'a.png' },
      },
      {
        tile: { coords: side(0, 1, 1, 3), overlap: side(0, 0, 1, 0) },
        image: { image_name: 'a.png' },
      },
    ],
  })
})
