import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'

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
