import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { defineNode, type NodeDefinition } from '#server/engine/define-node.ts'
import {
  calculateImageTiles,
  calculateImageTilesEvenSplit,
  calculateImageTilesMinOverlap,
} from './calculate-tiles.ts'
import { mergeTilesToImage } from './merge-tiles.ts'
import { Tile, TileWithImage } from './tile.ts'

/** Pairs a tile with its image, because collected lists have no guaranteed order. */
const pairTileImage = defineNode({
  type: 'pair_tile_image',
  summary: 'Pairs a tile with its image',
  inputs: { tile: Tile, image: ImageField },
  output: {
    type: 'pair_tile_image_output',
    fields: Type.Object({ tile_with_image: TileWithImage }),
  },
  run: ({ tile, image }) => ({ tile_with_image: { tile, image } }),
})

/** Outputs each number of a tile separately. */
const tileToProperties = defineNode({
  type: 'tile_to_properties',
  summary: 'Splits a tile into its numbers',
  inputs: { tile: Tile },
  output: {
    type: 'tile_to_properties_output',
    fields: Type.Object({
      coords_left: Type.Integer(),
      coords_right: Type.Integer(),
      coords_top: Type.Integer(),
      coords_bottom: Type.Integer(),
      width: Type.Integer(),
      height: Type.Integer(),
      overlap_top: Type.Integer(),
      overlap_bottom: Type.Integer(),
      overlap_left: Type.Integer(),
      overlap_right: Type.Integer(),
    }),
  },
  run: ({ tile: { coords, overlap } }) => ({
    coords_left: coords.left,
    coords_right: coords.right,
    coords_top: coords.top,
    coords_bottom: coords.bottom,
    width: coords.right - coords.left,
    height: coords.bottom - coords.top,
    overlap_top: overlap.top,
    overlap_bottom: overlap.bottom,
    overlap_left: overlap.left,
    overlap_right: overlap.right,
  }),
})

const Count = () => Type.Integer({ default: 1, minimum: 1 })
const Index = () => Type.Integer({ default: 0, minimum: 0, description: 'From 0' })

/** Calculates a cell of a grid in whole pixels. The remainder stays unused on the right and at the bottom. */
const imagePanelLayout = defineNode({
  type: 'image_panel_layout',
  summary: 'Works out where a panel of a grid lies',
  inputs: {
    width: Type.Integer({ description: 'Of the whole grid, in pixels' }),
    height: Type.Integer({ description: 'Of the whole grid, in pixels' }),
    num_cols: Count(),
    num_rows: Count(),
    panel_col_idx: Index(),
    panel_row_idx: Index(),
  },
  output: {
    type: 'image_panel_coordinate_output',
    fields: Type.Object({
      x_left: Type.Integer(),
      y_top: Type.Integer(),
      width: Type.Integer(),
      height: Type.Integer(),
    }),
  },
  check: ({ num_cols, num_rows, panel_col_idx, panel_row_idx }) => {
    const fault = (field: string, count: number) => ({
      field,
      message: `${field} must be between 0 and ${count - 1}`,
    })
    if (panel_col_idx >= num_cols) return fault('panel_col_idx', num_cols)
    return panel_row_idx >= num_rows ? fault('panel_row_idx', num_rows) : null
  },
  run: (grid) => {
    const width = Math.floor(grid.width / grid.num_cols)
    const height = Math.floor(grid.height / grid.num_rows)
    const x_left = grid.panel_col_idx * width
    const y_top = grid.panel_row_idx * height
    return { x_left, y_top, width, height }
  },
})

export const tileNodes: readonly NodeDefinition[] = [
  imagePanelLayout,
  calculateImageTiles,
  calculateImageTilesEvenSplit,
  calculateImageTilesMinOverlap,
  tileToProperties,
  pairTileImage,
  mergeTilesToImage,
]
