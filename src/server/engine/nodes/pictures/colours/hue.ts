import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { byteTable, mapBands } from '#server/engine/pictures/map-bands.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'

/** Whole steps of 256 around the circle. */
const stepsOf = (degrees: number): number => {
  const turn = ((degrees % 360) + 360) % 360
  return Math.trunc(256 * (turn / 360))
}

/** Turns all hues; the result is RGBA and opaque, whatever alpha the image had (wire 9.5). */
export const imgHueAdjust = definePictureNode({
  type: 'img_hue_adjust',
  summary: 'Turns the hues of an image',
  inputs: {
    image: ImageField,
    hue: Type.Integer({ default: 0, description: 'In degrees' }),
  },
  run: async ({ image, hue }, { readPicture, signal }) => {
    const hsv = await toMode(await readPicture(image), 'HSV', signal)
    const steps = stepsOf(hue)
    const turned = await mapBands(
      hsv,
      byteTable((value) => (value + steps) % 256),
      signal,
      [0],
    )
    return toMode(turned, 'RGBA', signal)
  },
})
