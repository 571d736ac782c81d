import Type, { type Static } from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'

/** One number for each side. */
const Sides = Type.Object({
  top: Type.Integer(),
  bottom: Type.Integer(),
  left: Type.Integer(),
  right: Type.Integer(),
})

/** A part of a picture, in pixels: where it lies, and how far it shares each side with its neighbour. */
export const Tile = Type.Object({ coords: Sides, overlap: Sides })
export type Tile = Static<typeof Tile>

/** A tile and the image that belongs there. */
export const TileWithImage = Type.Object({ tile: Tile, image: ImageField })
export type TileWithImage = Static<typeof TileWithImage>
