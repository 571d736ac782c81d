import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { byteTable } from '#server/engine/pictures/map-bands.ts'
import { clip8 } from '#server/engine/pictures/modes/pixel-loop.ts'
import { colourChannels, mapChannel } from './colour-channels.ts'

const Channel = Type.Enum([...colourChannels])

const labDiffers =
  'in LAB, values that leave the range are cut, while those of InvokeAI wrap around.'

/** Adds to one channel, cut to 0..255; hues go round. RGBA, alpha kept (wire 9.5). */
export const imgChannelOffset = definePictureNode({
  type: 'img_channel_offset',
  summary: 'Adds a number to one channel of an image',
  differs: labDiffers,
  inputs: {
    image: ImageField,
    channel: Channel,
    offset: Type.Integer({ default: 0, minimum: -255, maximum: 255 }),
  },
  run: async ({ image, channel, offset }, context) => {
    const table = byteTable((value) =>
      channel === 'Hue (HSV)' ? (value + offset + 256) % 256 : clip8(value + offset),
    )
    return mapChannel(await context.readPicture(image), channel, table, context)
  },
})

/** Scales one channel, cuts it to 0..255, then inverts it if asked to. RGBA, alpha kept (wire 9.5). */
export const imgChannelMultiply = definePictureNode({
  type: 'img_channel_multiply',
  summary: 'Scales one channel of an image, or inverts it',
  differs: labDiffers,
  inputs: {
    image: ImageField,
    channel: Channel,
    scale: Type.Number({ default: 1, minimum: 0 }),
    invert_channel: Type.Boolean({ default: false, description: 'After it is scaled' }),
  },
  run: async ({ image, channel, scale, invert_channel }, context) => {
    // The channels a and b of LAB are 0 at 128: they are scaled from there, or grey would gain a colour.
    const zero = channel === 'A (LAB)' || channel === 'B (LAB)' ? 128 : 0
    const table = byteTable((value) => {
      const scaled = clip8((value - zero) * scale + zero)
      return invert_channel ? 255 - scaled : scaled
    })
    return mapChannel(await context.readPicture(image), channel, table, context)
  },
})
