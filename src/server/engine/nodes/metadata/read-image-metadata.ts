import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { defineNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { metadataOutput, stringOutput } from '#server/engine/nodes/value-outputs.ts'

export const metadataFromImageNode = defineNode({
  type: 'metadata_from_image',
  summary: 'The metadata of an image; empty where it has none',
  inputs: { image: ImageField },
  output: metadataOutput,
  run: async ({ image }, { metadataOf }) => ({ metadata: (await metadataOf(image)) ?? {} }),
})

export const metadataFieldExtractorNode = defineNode({
  type: 'metadata_field_extractor',
  summary: 'A text out of the metadata of an image',
  inputs: { image: ImageField, key: Type.String() },
  output: stringOutput,
  run: async ({ image, key }, { metadataOf }) => {
    const metadata = await metadataOf(image)
    if (metadata === null) throw new NodeFault(`No metadata found on image ${image.image_name}`)
    if (!Object.hasOwn(metadata, key)) {
      throw new NodeFault(`No key '${key}' found in the metadata for ${image.image_name}`)
    }
    const value = metadata[key]
    if (typeof value !== 'string') {
      throw new NodeFault(`Metadata at key '${key}' must be a string`)
    }
    return { value }
  },
})
