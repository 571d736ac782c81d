import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { defineNode } from '#server/engine/define-node.ts'
import { Tile, TileWithImage } from './tile.ts'

/** Keeps a tile and its image together, since lists that are collected have no order (wire 9.5). */
export const pairTileImage = defineNode({
  type: 'pair_tile_image',
  summary: 'Pairs a tile with its image',
  inputs: { tile: Tile, image: ImageField },
  output: {
    type: 'pair_tile_image_output',
    fields: Type.Object({ tile_with_image: TileWithImage }),
  },
  run: ({ tile, image }) => ({ tile_with_image: { tile, image } }),
})
