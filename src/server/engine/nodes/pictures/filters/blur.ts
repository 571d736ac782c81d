import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { boxBlur, gaussianBlur } from '#server/engine/pictures/blur/blur.ts'
import { mapColours } from '#server/engine/pictures/modes/premultiply.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'

const { fround, trunc } = Math

const timesAlpha = (value: number, alpha: number): number => trunc((value * alpha) / 255)

/** InvokeAI adds a little so that it never divides by 0: 200 over an alpha of 1 comes out as 199. */
const overAlpha = (value: number, alpha: number): number =>
  Math.min(255, trunc(fround(value / fround(fround(alpha / 255) + fround(1e-6)))))

/** RGBA, blurred with its colours premultiplied: what is invisible does not bleed in (wire 9.5). */
export const imgBlur = definePictureNode({
  type: 'img_blur',
  summary: 'Blurs an image',
  inputs: {
    image: ImageField,
    radius: Type.Number({ default: 8, minimum: 0, description: 'In pixels' }),
    blur_type: Type.Enum(['gaussian', 'box'], { default: 'gaussian' }),
  },
  run: async ({ image, radius, blur_type }, { readPicture, signal }) => {
    const rgba = await toMode(await readPicture(image), 'RGBA', signal)
    const blur = blur_type === 'gaussian' ? gaussianBlur : boxBlur
    const blurred = await blur(await mapColours(rgba, signal, timesAlpha), radius, signal)
    return mapColours(blurred, signal, overAlpha)
  },
})
