import type { NodeContext } from '#server/engine/define-node.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { ByteMode, BytePicture, Picture } from '#server/engine/pictures/picture.ts'
import { withAlphaOf } from '#server/engine/pictures/with-alpha-of.ts'

/** The channels that can be changed alone, by InvokeAI's names. */
export const colourChannels = [
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
export type ColourChannel = (typeof colourChannels)[number]

/** The mode that has the channel, and the channel's place in it. */
const bandOf = (channel: ColourChannel): { mode: ByteMode; band: number } => {
  const modeOf = (name: ColourChannel) => name.slice(name.indexOf('(') + 1, -1)
  const mode = modeOf(channel)
  const siblings = colourChannels.filter((name) => modeOf(name) === mode)
  return { mode: mode as ByteMode, band: siblings.indexOf(channel) }
}

/**
 * Changes one channel of a picture by a table, in the mode that has the channel.
 *
 * @returns RGBA, with the alpha that the picture had.
 */
export const mapChannel = async (
  picture: Picture,
  channel: ColourChannel,
  table: Uint8Array,
  { signal }: NodeContext,
): Promise<BytePicture> => {
  const { mode, band } = bandOf(channel)
  const rgba = await toMode(picture, 'RGBA', signal)
  const changed = await mapBands(await toMode(rgba, mode, signal), table, signal, [band])
  return mode === 'RGBA'
    ? changed
    : withAlphaOf(await toMode(changed, 'RGBA', signal), rgba, signal)
}
