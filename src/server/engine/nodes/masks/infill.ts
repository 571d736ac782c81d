import Type from 'typebox'
import { ColorField, ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { alphaComposite } from '#server/engine/pictures/alpha-composite.ts'
import { filledPicture } from '#server/engine/pictures/filled-picture.ts'
import { isBytePicture } from '#server/engine/pictures/picture.ts'

/**
 * Lays an image on a colour, so that nothing stays transparent, where InvokeAI keeps some of what was half
 * transparent. An image that is not RGBA is handed on as it is (wire 9.5).
 */
export const infillRgba = definePictureNode({
  type: 'infill_rgba',
  summary: 'Fills what is transparent with a colour',
  differs: 'nothing stays transparent, while InvokeAI keeps some of what was half transparent.',
  inputs: {
    image: ImageField,
    color: Type.Object(ColorField.properties, { default: { r: 127, g: 127, b: 127, a: 255 } }),
  },
  run: async ({ image, color: { r, g, b, a } }, { readPicture, imageRecord, signal }) => {
    const picture = await readPicture(image)
    if (picture.mode !== 'RGBA' || !isBytePicture(picture)) return imageRecord(image)
    return alphaComposite(filledPicture('RGBA', picture, [r, g, b, a]), picture, signal)
  },
})
