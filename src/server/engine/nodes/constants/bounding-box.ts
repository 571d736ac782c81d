import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { boundingBoxOutput } from '#server/engine/nodes/value-outputs.ts'

const side = Type.Integer({ default: 0, description: 'Pixels' })

export const boundingBoxNode = defineNode({
  type: 'bounding_box',
  summary: 'A constant box in pixels',
  inputs: { x_min: side, y_min: side, x_max: side, y_max: side },
  output: boundingBoxOutput,
  run: (box) => {
    if (box.x_min > box.x_max) {
      throw new NodeFault(`x_min (${box.x_min}) is greater than x_max (${box.x_max}).`)
    }
    if (box.y_min > box.y_max) {
      throw new NodeFault(`y_min (${box.y_min}) is greater than y_max (${box.y_max}).`)
    }
    const { x_min, x_max, y_min, y_max } = box
    return { bounding_box: { x_min, x_max, y_min, y_max, score: null } }
  },
})
