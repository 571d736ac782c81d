import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { Level } from '#server/engine/nodes/pictures/inputs.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { bytesOf } from '#server/engine/pictures/modes/to-mode.ts'

const { fround } = Math

/** Compresses 0..255 to min..max, including alpha. Truncates and uses single precision, like InvokeAI. */
export const imgLerp = definePictureNode({
  type: 'img_lerp',
  summary: 'Squeezes all channels of an image into a range',
  inputs: {
    image: ImageField,
    min: Level(0, 'What 0 becomes'),
    max: Level(255, 'What 255 becomes'),
  },
  run: async ({ image, min, max }, { readPicture }) => {
    const picture = await bytesOf(await readPicture(image))
    return mapBands(picture, (value) => fround(fround(fround(value / 255) * (max - min)) + min))
  },
})

/** Returns the relative position of a value between min and max, or a step function if they are equal. */
const share = (value: number, min: number, max: number): number => {
  if (max === min) return value > min ? 1 : 0
  return Math.min(Math.max((value - min) / (max - min), 0), 1)
}

/** Stretches min..max to 0..255, including alpha. Values outside of the range are clamped. */
export const imgIlerp = definePictureNode({
  type: 'img_ilerp',
  summary: 'Stretches a range of all channels of an image to the whole',
  differs: 'where `min` is above `max`, its values wrap around and these are 255.',
  inputs: {
    image: ImageField,
    min: Level(0, 'What becomes 0'),
    max: Level(255, 'What becomes 255'),
  },
  run: async ({ image, min, max }, { readPicture }) => {
    const picture = await bytesOf(await readPicture(image))
    return mapBands(picture, (value) => fround(fround(share(value, min, max)) * 255))
  },
})
