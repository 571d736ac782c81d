import { ImageField } from '#contract/graph.ts'
import { defineNode, imageOutput, type NodeContext } from '#server/engine/define-node.ts'

const passOn = async ({ image }: { image: ImageField }, context: NodeContext) => {
  const { image_name, width, height } = await context.imageRecord(image)
  return { image: { image_name }, width, height }
}

export const imageNode = defineNode({
  type: 'image',
  summary: 'An image of the library',
  inputs: { image: ImageField },
  output: imageOutput,
  run: passOn,
})

/** In InvokeAI it opens a window on the desktop of the server; ours has none (wire 9.5). */
export const showImageNode = defineNode({
  type: 'show_image',
  summary: 'Hands an image on',
  inputs: { image: ImageField },
  output: imageOutput,
  run: passOn,
})
