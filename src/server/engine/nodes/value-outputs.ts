import Type from 'typebox'
import { BoundingBoxField, ColorField, ImageField } from '#contract/queue/graph.ts'

export const booleanOutput = {
  type: 'boolean_output',
  fields: Type.Object({ value: Type.Boolean() }),
}
export const integerOutput = {
  type: 'integer_output',
  fields: Type.Object({ value: Type.Integer() }),
}
export const floatOutput = { type: 'float_output', fields: Type.Object({ value: Type.Number() }) }
export const stringOutput = { type: 'string_output', fields: Type.Object({ value: Type.String() }) }
export const schedulerOutput = {
  type: 'scheduler_output',
  fields: Type.Object({ scheduler: Type.String() }),
}
export const colorOutput = { type: 'color_output', fields: Type.Object({ color: ColorField }) }
export const boundingBoxOutput = {
  type: 'bounding_box_output',
  fields: Type.Object({ bounding_box: BoundingBoxField }),
}

export const booleanCollectionOutput = {
  type: 'boolean_collection_output',
  fields: Type.Object({ collection: Type.Array(Type.Boolean()) }),
}
export const integerCollectionOutput = {
  type: 'integer_collection_output',
  fields: Type.Object({ collection: Type.Array(Type.Integer()) }),
}
export const floatCollectionOutput = {
  type: 'float_collection_output',
  fields: Type.Object({ collection: Type.Array(Type.Number()) }),
}
export const stringCollectionOutput = {
  type: 'string_collection_output',
  fields: Type.Object({ collection: Type.Array(Type.String()) }),
}
export const imageCollectionOutput = {
  type: 'image_collection_output',
  fields: Type.Object({ collection: Type.Array(ImageField) }),
}

/** Metadata is a JSON object. */
export const MetadataField = Type.Record(Type.String(), Type.Unknown())

/** A name and a value that become part of metadata. */
export const MetadataItemField = Type.Object({ label: Type.String(), value: Type.Unknown() })

export const metadataOutput = {
  type: 'metadata_output',
  fields: Type.Object({ metadata: MetadataField }),
}
export const metadataItemOutput = {
  type: 'metadata_item_output',
  fields: Type.Object({ item: MetadataItemField }),
}
