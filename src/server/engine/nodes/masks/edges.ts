import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { Level } from '#server/engine/nodes/pictures/inputs.ts'
import { boxBlur } from '#server/engine/pictures/blur/blur.ts'
import { dilate } from '#server/engine/pictures/dilate.ts'
import { canny } from '#server/engine/pictures/edges/canny.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { BytePicture } from '#server/engine/pictures/picture.ts'
import { inverted } from './make-mask.ts'

/** Draws the edges of an image with Canny's method, white on black, as RGB. */
export const cannyEdgeDetection = definePictureNode({
  type: 'canny_edge_detection',
  summary: 'Draws the edges of an image',
  inputs: {
    image: ImageField,
    low_threshold: Level(100, 'Change of brightness that continues an edge'),
    high_threshold: Level(200, 'Change of brightness that makes an edge'),
  },
  run: async ({ image, low_threshold, high_threshold }, { readAs }) => {
    const picture = await readAs(image, 'RGB')
    const edges = await canny(picture, { low: low_threshold, high: high_threshold })
    return toMode(edges, 'RGB')
  },
})

/** Adds all pixels that are neither black nor white, because a soft border is an edge too. */
const addSoftPixels = async (edges: BytePicture, mask: BytePicture) => {
  const data = edges.data.slice()
  await inSlices(data.length, 1, (from, to) => {
    for (let at = from; at < to; at++) {
      const gray = mask.data[at] ?? 0
      if (gray > 0 && gray < 255) data[at] = 255
    }
  })
  return { ...edges, data }
}

/** Draws a band along the edges of a mask, black on white. */
export const maskEdge = definePictureNode({
  type: 'mask_edge',
  summary: 'Makes a mask of the edges of a mask',
  inputs: {
    image: ImageField,
    edge_size: Type.Integer({ description: 'How wide the band is, in pixels' }),
    edge_blur: Type.Integer({ description: 'Radius by which it is blurred, in pixels' }),
    low_threshold: Type.Integer({ description: 'Change of brightness that continues an edge' }),
    high_threshold: Type.Integer({ description: 'Change of brightness that makes an edge' }),
  },
  saving: { category: 'mask' },
  run: async ({ image, edge_size, edge_blur, low_threshold, high_threshold }, { readAs }) => {
    const mask = await readAs(image, 'L')
    const edges = await canny(mask, { low: low_threshold, high: high_threshold })
    const thin = await addSoftPixels(edges, mask)
    const wide = await dilate(thin, Math.max(0, Math.trunc(edge_size / 2)))
    return inverted(await boxBlur(wide, Math.max(0, edge_blur)))
  },
})
