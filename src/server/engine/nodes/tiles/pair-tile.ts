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

/** The numbers of a tile, each as an output of its own. */
export const tileToProperties = defineNode({
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
