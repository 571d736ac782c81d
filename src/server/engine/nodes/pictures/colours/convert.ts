import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'

/** Another mode. Those that PNG cannot hold fail when the result is saved (wire 9.5). */
export const imgConv = definePictureNode({
  type: 'img_conv',
  summary: 'Converts an image to another mode',
  inputs: {
    image: ImageField,
    mode: Type.Enum(['L', 'RGB', 'RGBA', 'CMYK', 'YCbCr', 'LAB', 'HSV', 'I', 'F'], {
      default: 'L',
    }),
  },
  run: async ({ image, mode }, { readPicture, signal }) =>
    toMode(await readPicture(image), mode, signal),
})
