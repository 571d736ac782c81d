import Type from 'typebox'
import { ColorField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { checkSize } from '#server/engine/pictures/check-size.ts'
import { filledPicture } from '#server/engine/pictures/filled-picture.ts'

/** A picture of one colour. Sizes below 1 fail when it runs, not when it is enqueued (wire 9.5). */
export const blankImage = definePictureNode({
  type: 'blank_image',
  summary: 'Makes a picture of one colour',
  inputs: {
    width: Type.Integer({ default: 512, description: 'In pixels' }),
    height: Type.Integer({ default: 512, description: 'In pixels' }),
    mode: Type.Enum(['RGB', 'RGBA'], { default: 'RGB' }),
    color: Type.Object(ColorField.properties, { default: { r: 0, g: 0, b: 0, a: 255 } }),
  },
  run: ({ width, height, mode, color: { r, g, b, a } }, { maxPixels }) => {
    checkSize(width, height, maxPixels)
    return filledPicture(mode, { width, height }, [r, g, b, a])
  },
})
