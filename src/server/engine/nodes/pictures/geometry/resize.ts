import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { SidePx } from '#server/engine/nodes/pictures/inputs.ts'
import { checkSize } from '#server/engine/pictures/picture.ts'
import { resampleModes } from '#server/engine/pictures/resample/filters.ts'
import type { Size } from '#server/engine/pictures/resample/resize.ts'

const shrinkingDiffers =
  'down to a third of the size, 99.9 % of the values of a photograph are within 2 levels; below, 93 %.'

const ResampleModeInput = Type.Enum([...resampleModes], { default: 'bicubic' })

/** Resizes to any proportions. The mode does not change. */
export const imgResize = definePictureNode({
  type: 'img_resize',
  summary: 'Resizes an image',
  differs: shrinkingDiffers,
  inputs: {
    image: ImageField,
    width: SidePx(512),
    height: SidePx(512),
    resample_mode: ResampleModeInput,
  },
  run: async ({ image, width, height, resample_mode }, { readResized, maxPixels }) => {
    checkSize(width, height, maxPixels)
    return readResized(image, () => ({ width, height }), resample_mode)
  },
})

/** Multiplies both sides by a factor, truncated to whole pixels. */
export const imgScale = definePictureNode({
  type: 'img_scale',
  summary: 'Scales an image by a factor',
  differs: shrinkingDiffers,
  inputs: {
    image: ImageField,
    scale_factor: Type.Number({ default: 2, exclusiveMinimum: 0 }),
    resample_mode: ResampleModeInput,
  },
  run: async ({ image, scale_factor, resample_mode }, { readResized, maxPixels }) => {
    const scaled = (file: Size) => {
      const width = Math.trunc(file.width * scale_factor)
      const height = Math.trunc(file.height * scale_factor)
      checkSize(width, height, maxPixels)
      return { width, height }
    }
    return readResized(image, scaled, resample_mode)
  },
})
