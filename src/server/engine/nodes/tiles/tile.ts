import Type, { type Static } from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'

const Sides = Type.Object({
  top: Type.Integer(),
  bottom: Type.Integer(),
  left: Type.Integer(),
  right: Type.Integer(),
})

/** A part of a picture: its position, and its overlap with the neighbor on each side, in pixels. */
export const Tile = Type.Object({ coords: Sides, overlap: Sides })
export type Tile = Static<typeof Tile>

export const TileWithImage = Type.Object({ tile: Tile, image: ImageField })
export type TileWithImage = Static<typeof TileWithImage>
