import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { resize } from '#server/engine/pictures/resample/resize.ts'

/**
 * Draws blocks of the average color as RGB. Sides that are not a multiple of the tile are divided evenly, so that no
 * block is smaller than the tile.
 */
export const colorMap = definePictureNode({
  type: 'color_map',
  summary: 'Draws an image as blocks of colour',
  differs: 'a block has the average color of its pixels; InvokeAI shrinks with a cubic filter.',
  inputs: {
    image: ImageField,
    tile_size: Type.Integer({ default: 64, minimum: 1, description: 'Side of a block, in pixels' }),
  },
  run: async ({ image, tile_size }, { readAs }) => {
    const picture = await readAs(image, 'RGB')
    const blocks = {
      width: Math.max(1, Math.floor(picture.width / tile_size)),
      height: Math.max(1, Math.floor(picture.height / tile_size)),
    }
    const averages = await resize(picture, blocks, 'box')
    return resize(averages, picture, 'nearest')
  },
})
