import { BoundingBoxField, ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { alphaComposite } from '#server/engine/pictures/alpha-composite.ts'
import { crop } from '#server/engine/pictures/crop.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { place } from '#server/engine/pictures/place.ts'
import { areaOfBox, boxInputFault } from './box.ts'

/**
 * An image laid over a box of another, which keeps its size; RGBA (wire 9.5). What is half transparent lets
 * the target shine through and leaves it opaque, where InvokeAI thins its alpha.
 */
export const pasteIntoBox = definePictureNode({
  type: 'paste_image_into_bounding_box',
  summary: 'Pastes an image into a box of another',
  inputs: { source_image: ImageField, target_image: ImageField, bounding_box: BoundingBoxField },
  check: ({ bounding_box }) => boxInputFault(bounding_box),
  run: async ({ source_image, target_image, bounding_box }, { readPicture, signal }) => {
    const source = await toMode(await readPicture(source_image), 'RGBA', signal)
    const target = await toMode(await readPicture(target_image), 'RGBA', signal)
    const area = areaOfBox(bounding_box)
    if (source.width !== area.width || source.height !== area.height) {
      throw new NodeFault('images do not match')
    }
    const covered = await alphaComposite(crop(target, area), source, signal)
    const pasted = { ...target, data: target.data.slice() }
    place(pasted, covered, area.left, area.top)
    return pasted
  },
})
