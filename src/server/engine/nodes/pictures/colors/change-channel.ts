import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { multiply, withAlphaOf } from '#server/engine/pictures/blend.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { clip8 } from '#server/engine/pictures/modes/pixel-loop.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import {
  type ByteMode,
  type BytePicture,
  isBytePicture,
  type Picture,
} from '#server/engine/pictures/picture.ts'

/** InvokeAI's names of the channels that can be changed separately. */
export const colorChannels = [
  'Red (RGBA)',
  'Green (RGBA)',
  'Blue (RGBA)',
  'Alpha (RGBA)',
  'Cyan (CMYK)',
  'Magenta (CMYK)',
  'Yellow (CMYK)',
  'Black (CMYK)',
  'Hue (HSV)',
  'Saturation (HSV)',
  'Value (HSV)',
  'Luminosity (LAB)',
  'A (LAB)',
  'B (LAB)',
  'Y (YCbCr)',
  'Cb (YCbCr)',
  'Cr (YCbCr)',
] as const
type ColorChannel = (typeof colorChannels)[number]

/** Returns the mode that contains the channel, and the band of the channel in it. */
const bandOf = (channel: ColorChannel): { mode: ByteMode; band: number } => {
  const modeOf = (name: ColorChannel) => name.slice(name.indexOf('(') + 1, -1)
  const mode = modeOf(channel)
  const siblings = colorChannels.filter((name) => modeOf(name) === mode)
  return { mode: mode as ByteMode, band: siblings.indexOf(channel) }
}

/**
 * Changes the values of one channel, in the mode that contains it.
 *
 * @returns RGBA with the original alpha.
 */
const mapChannel = async (
  picture: Picture,
  channel: ColorChannel,
  change: (value: number) => number,
): Promise<BytePicture> => {
  const { mode, band } = bandOf(channel)
  const rgba = await toMode(picture, 'RGBA')
  const changed = await mapBands(await toMode(rgba, mode), change, [band])
  return mode === 'RGBA' ? changed : withAlphaOf(await toMode(changed, 'RGBA'), rgba)
}

const Channel = Type.Enum([...colorChannels])

const labDiffers =
  'in LAB, values that leave the range are cut, while those of InvokeAI wrap around.'

/** Adds to one channel and clamps it to 0..255. Hues wrap around. Returns RGBA with the original alpha. */
export const imgChannelOffset = definePictureNode({
  type: 'img_channel_offset',
  summary: 'Adds a number to one channel of an image',
  differs: labDiffers,
  inputs: {
    image: ImageField,
    channel: Channel,
    offset: Type.Integer({ default: 0, minimum: -255, maximum: 255 }),
  },
  run: async ({ image, channel, offset }, { readPicture }) => {
    const change = (value: number) =>
      channel === 'Hue (HSV)' ? (value + offset + 256) % 256 : clip8(value + offset)
    return mapChannel(await readPicture(image), channel, change)
  },
})

/** Scales one channel, clamps it to 0..255 and optionally inverts it. Returns RGBA with the original alpha. */
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
  run: async ({ image, channel, scale, invert_channel }, { readPicture }) => {
    // In Lab, 128 represents zero for a and b. Scaling starts there, so that gray stays gray.
    const zero = channel === 'A (LAB)' || channel === 'B (LAB)' ? 128 : 0
    const change = (value: number) => {
      const scaled = clip8((value - zero) * scale + zero)
      return invert_channel ? 255 - scaled : scaled
    }
    return mapChannel(await readPicture(image), channel, change)
  },
})

/** Converts an image to another mode. Modes that PNG does not support fail when the result is saved. */
export const imgConv = definePictureNode({
  type: 'img_conv',
  summary: 'Converts an image to another mode',
  inputs: {
    image: ImageField,
    mode: Type.Enum(['L', 'RGB', 'RGBA', 'CMYK', 'YCbCr', 'LAB', 'HSV', 'I', 'F'], {
      default: 'L',
    }),
  },
  run: async ({ image, mode }, { readPicture }) => toMode(await readPicture(image), mode),
})

/** Converts degrees to hue steps (256 per turn), truncated. */
const stepsOf = (degrees: number): number => {
  const turn = ((degrees % 360) + 360) % 360
  return Math.trunc(256 * (turn / 360))
}

/** Rotates all hues. The result is opaque RGBA, whatever the alpha of the image, as in InvokeAI. */
export const imgHueAdjust = definePictureNode({
  type: 'img_hue_adjust',
  summary: 'Turns the hues of an image',
  inputs: {
    image: ImageField,
    hue: Type.Integer({ default: 0, description: 'In degrees' }),
  },
  run: async ({ image, hue }, { readAs }) => {
    const hsv = await readAs(image, 'HSV')
    const steps = stepsOf(hue)
    const turned = await mapBands(hsv, (value) => (value + steps) % 256, [0])
    return toMode(turned, 'RGBA')
  },
})

/** Multiplies two images channel by channel. Images of different sizes are aligned at the upper left. */
export const imgMul = definePictureNode({
  type: 'img_mul',
  summary: 'Multiplies two images',
  inputs: { image1: ImageField, image2: ImageField },
  run: async ({ image1, image2 }, { readPicture }) => {
    const first = await readPicture(image1)
    const second = await readPicture(image2)
    if (first.mode !== second.mode) throw new NodeFault('images do not match')
    if (!isBytePicture(first) || !isBytePicture(second)) {
      throw new NodeFault('image has wrong mode')
    }
    return multiply(first, second)
  },
})
