import Type from 'typebox'
import { ColorField, ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { checkSize, filledPicture } from '#server/engine/pictures/picture.ts'

/** A copy with a new name; on another board, if one is given (wire 9.5). */
export const saveImage = definePictureNode({
  type: 'save_image',
  summary: 'Saves a copy of an image',
  inputs: { image: ImageField },
  usesCache: false,
  run: ({ image }, { readPicture }) => readPicture(image),
})

/** A copy for a canvas: it takes neither board nor metadata (wire 9.5). */
export const canvasOutput = definePictureNode({
  type: 'canvas_output',
  summary: 'Saves a copy of an image for a canvas',
  inputs: { image: ImageField },
  usesCache: false,
  saving: { hasBoard: false },
  run: ({ image }, { readPicture }) => readPicture(image),
})

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
