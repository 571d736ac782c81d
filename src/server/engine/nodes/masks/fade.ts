import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { distancesToBlack } from '#server/engine/pictures/distances.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { byteTable, mapBands } from '#server/engine/pictures/map-bands.ts'
import { emptyPicture } from '#server/engine/pictures/picture.ts'
import { fadeCurve } from './fade-curve.ts'
import { readGrey } from './grey.ts'

/**
 * Grows the black of a mask with a fade to white (wire 9.5). Distances are exact, those of InvokeAI up to 2 %
 * off, so that a fade may be a few levels apart.
 */
export const expandMaskWithFade = definePictureNode({
  type: 'expand_mask_with_fade',
  summary: 'Grows the black of a mask with a fade',
  inputs: {
    mask: ImageField,
    threshold: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 255,
      description: 'The lightest grey that counts as black',
    }),
    fade_size_px: Type.Integer({
      default: 32,
      minimum: 0,
      description: 'Where white begins, in pixels; 0 leaves the mask as it is',
    }),
  },
  saving: { category: 'mask' },
  run: async ({ mask, threshold, fade_size_px }, context) => {
    const { signal } = context
    const grey = await readGrey(mask, context)
    if (fade_size_px === 0) return grey
    const isWhite = byteTable((value) => (value > threshold ? 255 : 0))
    const distances = await distancesToBlack(await mapBands(grey, isWhite, signal), signal)
    const whiteness = fadeCurve(fade_size_px)
    const faded = emptyPicture('L', grey.width, grey.height)
    await inSlices(distances.length, 1, signal, (from, to) => {
      for (let at = from; at < to; at++) {
        const distance = distances[at] ?? 0
        faded.data[at] = distance === 0 ? 0 : Math.trunc(whiteness(distance) * 255)
      }
    })
    return faded
  },
})
