import Type from 'typebox'
import { ColorField, ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { checkSize, filledPicture } from '#server/engine/pictures/picture.ts'

const copyNode = (type: string, summary: string, hasBoard: boolean) =>
  definePictureNode({
    type,
    summary,
    inputs: { image: ImageField },
    usesCache: false,
    saving: { hasBoard },
    run: ({ image }, { readPicture }) => readPicture(image),
  })

/** Copies an image under a new name, optionally to another board. */
export const saveImage = copyNode('save_image', 'Saves a copy of an image', true)

/** Copies an image for a canvas. The node has neither board nor metadata. */
export const canvasOutput = copyNode(
  'canvas_output',
  'Saves a copy of an image for a canvas',
  false,
)

/** Makes a picture of one color. Sizes below 1 fail at the run instead of at the enqueue, as in InvokeAI. */
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
