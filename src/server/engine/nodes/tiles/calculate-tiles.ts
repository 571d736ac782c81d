import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { Tile } from './tile.ts'

/** As many as the result of a node has room for. */
const MAX_TILES = 50_000

const Px = (fallback: number) =>
  Type.Integer({ default: fallback, minimum: 1, description: 'In pixels' })

/** What tiles cover of one side of a picture, in pixels. */
interface Span {
  readonly start: number
  readonly end: number
}

const spanCount = (length: number, tile: number, overlap: number): number =>
  Math.ceil((length - overlap) / (tile - overlap))

/** Spans of one length, each as far into the one before as asked, the last one further to end with the side. */
const spansOf = (length: number, tile: number, overlap: number): Span[] =>
  Array.from({ length: spanCount(length, tile, overlap) }, (_, index) => {
    const start = Math.min(index * (tile - overlap), length - tile)
    return { start, end: start + tile }
  })

/** What the second span has of the first; nothing where one is missing. */
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

/** Tiles of one size that cover a picture, row by row from the upper left (wire 9.5). */
export const calculateImageTiles = defineNode({
  type: 'calculate_image_tiles',
  summary: 'Works out tiles that cover an image',
  inputs: {
    image_width: Px(1024),
    image_height: Px(1024),
    tile_width: Px(576),
    tile_height: Px(576),
    overlap: Type.Integer({
      default: 128,
      minimum: 0,
      description: 'Pixels that neighbours share at least',
    }),
  },
  output: {
    type: 'calculate_image_tiles_output',
    fields: Type.Object({ tiles: Type.Array(Tile) }),
  },
  run: ({ image_width, image_height, tile_width, tile_height, overlap }) => {
    checkSide('width', image_width, tile_width, overlap)
    checkSide('height', image_height, tile_height, overlap)
    const across = [image_width, tile_width, overlap] as const
    const down = [image_height, tile_height, overlap] as const
    const count = spanCount(...across) * spanCount(...down)
    if (count > MAX_TILES) {
      throw new NodeFault(`There would be ${count} tiles; at most ${MAX_TILES} are made.`)
    }
    return { tiles: tilesOf(spansOf(...across), spansOf(...down)) }
  },
})
