import Type from 'typebox'
import { ColorField, ImageField } from '#contract/graph.ts'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { boundingBoxOutput } from '#server/engine/nodes/value-outputs.ts'
import { areaOf } from '#server/engine/pictures/area-of.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { boxFault } from './box.ts'

/** The box around all pixels of one colour; its edges are such pixels, margin apart (wire 9.5). */
export const findBox = defineNode({
  type: 'get_image_mask_bounding_box',
  summary: 'Finds the box around the pixels of a colour',
  inputs: {
    mask: ImageField,
    margin: Type.Integer({ default: 0, description: 'Pixels added on each side' }),
    mask_color: Type.Object(ColorField.properties, { default: { r: 255, g: 255, b: 255, a: 255 } }),
  },
  output: boundingBoxOutput,
  run: async ({ mask, margin, mask_color: { r, g, b, a } }, { readPicture, signal }) => {
    const picture = await toMode(await readPicture(mask), 'RGBA', signal)
    const { data, width, height } = picture
    const isOfColour = (pixel: number) =>
      data[pixel * 4] === r &&
      data[pixel * 4 + 1] === g &&
      data[pixel * 4 + 2] === b &&
      data[pixel * 4 + 3] === a
    const area = await areaOf(picture, isOfColour, signal)
    const box = { x_min: 0, x_max: 0, y_min: 0, y_max: 0, score: null }
    if (area === null) return { bounding_box: box }
    box.x_min = Math.max(0, area.left - margin)
    box.y_min = Math.max(0, area.top - margin)
    box.x_max = Math.min(width, area.left + area.width - 1 + margin)
    box.y_max = Math.min(height, area.top + area.height - 1 + margin)
    const message = boxFault(box)
    if (message !== null) throw new NodeFault(message)
    return { bounding_box: box }
  },
})
