import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'
import {
  MetadataField,
  MetadataItemField,
  metadataItemOutput,
  metadataOutput,
} from '#server/engine/nodes/value-outputs.ts'

export const metadataItemNode = defineNode({
  type: 'metadata_item',
  summary: 'A name and its value',
  inputs: { label: Type.String(), value: Type.Unknown() },
  output: metadataItemOutput,
  run: ({ label, value }) => ({ item: { label, value } }),
})

export const metadataNode = defineNode({
  type: 'metadata',
  summary: 'Metadata out of one item or several',
  inputs: { items: Type.Union([Type.Array(MetadataItemField), MetadataItemField]) },
  output: metadataOutput,
  run: ({ items }, { appVersion }) => {
    const pairs = [items].flat().map(({ label, value }): [string, unknown] => [label, value])
    return { metadata: Object.fromEntries([...pairs, ['app_version', appVersion]]) }
  },
})

export const mergeMetadataNode = defineNode({
  type: 'merge_metadata',
  summary: 'Merges metadata; what comes later wins',
  inputs: { collection: Type.Array(MetadataField) },
  output: metadataOutput,
  run: ({ collection }) => ({
    metadata: Object.fromEntries(collection.flatMap((metadata) => Object.entries(metadata))),
  }),
})
