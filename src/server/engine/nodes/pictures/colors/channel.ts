import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import {
  bandsOf,
  emptyPicture,
  isBytePicture,
  type Picture,
} from '#server/engine/pictures/picture.ts'

type ChannelName = 'A' | 'R' | 'G' | 'B'

/** Returns the band of the channel, or -1. Handles only the modes that files have. */
const bandOf = ({ mode }: Picture, channel: ChannelName): number => mode.indexOf(channel)

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
    const band = bandOf(picture, channel)
    if (band < 0 || !isBytePicture(picture)) {
      throw new NodeFault(`The image has no channel "${channel}"`)
    }
    const bands = bandsOf[picture.mode]
    const gray = emptyPicture('L', picture.width, picture.height)
    await inSlices(gray.data.length, 1, (from, to) => {
      for (let at = from; at < to; at++) gray.data[at] = picture.data[at * bands + band] ?? 0
    })
    return gray
  },
})
