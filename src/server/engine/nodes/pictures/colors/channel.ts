import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { bandOf } from '#server/engine/pictures/blend.ts'
import { isBytePicture } from '#server/engine/pictures/picture.ts'

/** Extracts one channel as grayscale. Fails if the image lacks the channel. */
export const imgChan = definePictureNode({
  type: 'img_chan',
  summary: 'Takes one channel of an image as grey',
  inputs: {
    image: ImageField,
    channel: Type.Enum(['A', 'R', 'G', 'B'], { default: 'A' }),
  },
  run: async ({ image, channel }, { readPicture }) => {
    const picture = await readPicture(image)
    // The names of the modes that files have list their bands.
    const band = picture.mode.indexOf(channel)
    if (band < 0 || !isBytePicture(picture)) {
      throw new NodeFault(`The image has no channel "${channel}"`)
    }
    return bandOf(picture, band)
  },
})
