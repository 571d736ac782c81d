import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { Tile } from './tile.ts'

/** Limit of tiles that fit in the result of a node. */
const MAX_TILES = 50_000

const Px = (fallback: number) =>
  Type.Integer({ default: fallback, minimum: 1, description: 'In pixels' })

/** The part of one axis of a picture that a tile covers, in pixels. */
interface Span {
  readonly start: number
  readonly end: number
}

const spanCount = (length: number, tile: number, overlap: number): number =>
  Math.ceil((length - overlap) / (tile - overlap))

/** Returns spans of equal length with the given overlap. The last one moves back to end with the axis. */
const spansOf = (length: number, tile: number, overlap: number): Span[] =>
  Array.from({ length: spanCount(length, tile, overlap) }, (_, index) => {
    const start = Math.min(index * (tile - overlap), length - tile)
    return { start, end: start + tile }
  })

/** Returns the overlap of two spans, or 0 if one is missing. */
const shared = (first: Span | undefined, second: Span | undefined): number =>
  first && second ? Math.max(0, first.end - second.start) : 0

const tilesOf = (columns: readonly Span[], rows: readonly Span[]): Tile[] =>
  rows.flatMap((row, y) =>
    columns.map((column, x) => ({
      coords: { top: row.start, bottom: row.end, left: column.start, right: column.end },
      overlap: {
        top: shared(rows[y - 1], row),
        bottom: shared(row, rows[y + 1]),
        left: shared(columns[x - 1], column),
        right: shared(column, columns[x + 1]),
      },
    })),
  )

const checkSide = (side: 'width' | 'height', length: number, tile: number, overlap: number) => {
  if (tile > length) {
    throw new NodeFault(`The tile ${side} (${tile}) is greater than the image ${side} (${length}).`)
  }
  if (overlap >= tile) {
    throw new NodeFault(`The overlap (${overlap}) is not less than the tile ${side} (${tile}).`)
  }
}

type Axis = readonly [length: number, tile: number, overlap: number]

/** Returns the tiles of one size that cover both axes of a picture. */
const coverWith = (spans: (...axis: Axis) => Span[], across: Axis, down: Axis): Tile[] => {
  checkSide('width', ...across)
  checkSide('height', ...down)
  checkCount(spanCount(...across), spanCount(...down))
  return tilesOf(spans(...across), spans(...down))
}

const checkCount = (columns: number, rows: number) => {
  const count = columns * rows
  if (count <= MAX_TILES) return
  throw new NodeFault(`There would be ${count} tiles; at most ${MAX_TILES} are made.`)
}

const imageSize = { image_width: Px(1024), image_height: Px(1024) }
const tileSize = { tile_width: Px(576), tile_height: Px(576) }

const OverlapPx = (description: string, options: { multipleOf?: number } = {}) =>
  Type.Integer({ default: 128, minimum: 0, ...options, description })

const tilesOutput = {
  type: 'calculate_image_tiles_output',
  fields: Type.Object({ tiles: Type.Array(Tile) }),
}

/** Calculates tiles of equal size that cover a picture, row by row from the upper left. */
export const calculateImageTiles = defineNode({
  type: 'calculate_image_tiles',
  summary: 'Works out tiles that cover an image',
  inputs: {
    ...imageSize,
    ...tileSize,
    overlap: OverlapPx('Pixels that neighbours share at least'),
  },
  output: tilesOutput,
  run: ({ image_width, image_height, tile_width, tile_height, overlap }) => {
    const across = [image_width, tile_width, overlap] as const
    const down = [image_height, tile_height, overlap] as const
    return { tiles: coverWith(spansOf, across, down) }
  },
})

/** Sides of tiles are multiples of this, as latents require. */
const STEP_PX = 8

/** Divides an axis into `count` spans. The last one takes the remainder. */
const evenSpans = (side: string, length: number, count: number, overlap: number): Span[] => {
  if (count === 1) return [{ start: 0, end: length }]
  const even = Math.floor((length + overlap * (count - 1)) / count)
  const span = Math.floor(even / STEP_PX) * STEP_PX
  if (overlap > length - STEP_PX * (count - 1) || overlap >= span) {
    throw new NodeFault(
      `The image ${side} (${length}) has no room for ${count} tiles with an overlap of ${overlap}.`,
    )
  }
  return Array.from({ length: count }, (_, index) => {
    const start = index * (span - overlap)
    return { start, end: index === count - 1 ? length : Math.min(start + span, length) }
  })
}

const Count = Type.Integer({ default: 2, minimum: 1 })

/** Calculates a given number of tiles, row by row from the upper left. */
export const calculateImageTilesEvenSplit = defineNode({
  type: 'calculate_image_tiles_even_split',
  summary: 'Divides an image into a number of tiles',
  inputs: {
    ...imageSize,
    num_tiles_x: Count,
    num_tiles_y: Count,
    overlap: OverlapPx('Pixels that neighbors share', { multipleOf: STEP_PX }),
  },
  output: tilesOutput,
  run: ({ image_width, image_height, num_tiles_x, num_tiles_y, overlap }) => {
    if (image_width % STEP_PX !== 0 || image_height % STEP_PX !== 0) {
      throw new NodeFault(
        `image size ((${image_width}, ${image_height})) must be divisible by ${STEP_PX}`,
      )
    }
    checkCount(num_tiles_x, num_tiles_y)
    const columns = evenSpans('width', image_width, num_tiles_x, overlap)
    return { tiles: tilesOf(columns, evenSpans('height', image_height, num_tiles_y, overlap)) }
  },
})

/** Distributes spans of equal length evenly over an axis. They overlap by at least `overlap`. */
const spreadSpans = (length: number, tile: number, overlap: number): Span[] => {
  const count = spanCount(length, tile, overlap)
  return Array.from({ length: count }, (_, index) => {
    const start = count > 1 ? Math.floor((index * (length - tile)) / (count - 1)) : 0
    return { start, end: start + tile }
  })
}

/** Calculates tiles of equal size at equal distances, row by row from the upper left. */
export const calculateImageTilesMinOverlap = defineNode({
  type: 'calculate_image_tiles_min_overlap',
  summary: 'Spreads tiles of one size evenly over an image',
  inputs: {
    ...imageSize,
    ...tileSize,
    min_overlap: OverlapPx('Pixels that neighbors share at least'),
  },
  output: tilesOutput,
  run: ({ image_width, image_height, tile_width, tile_height, min_overlap }) => {
    // Limits a tile to the size of the image.
    const across = [image_width, Math.min(tile_width, image_width), min_overlap] as const
    const down = [image_height, Math.min(tile_height, image_height), min_overlap] as const
    return { tiles: coverWith(spreadSpans, across, down) }
  },
})
