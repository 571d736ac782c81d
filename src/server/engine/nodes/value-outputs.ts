import Type, { type TSchema } from 'typebox'
import { BoundingBoxField, ColorField, ImageField } from '#contract/queue/graph.ts'

/** Defines an output class with one field. */
const outputOf = <const Name extends string, T extends TSchema>(
  type: string,
  name: Name,
  schema: T,
) => ({ type, fields: Type.Object({ [name]: schema } as Record<Name, T>) })

const valueOutput = <T extends TSchema>(type: string, schema: T) => outputOf(type, 'value', schema)

const collectionOutput = <T extends TSchema>(type: string, item: T) =>
  outputOf(type, 'collection', Type.Array(item))

export const booleanOutput = valueOutput('boolean_output', Type.Boolean())
export const integerOutput = valueOutput('integer_output', Type.Integer())
export const floatOutput = valueOutput('float_output', Type.Number())
export const stringOutput = valueOutput('string_output', Type.String())
export const schedulerOutput = outputOf('scheduler_output', 'scheduler', Type.String())
export const colorOutput = outputOf('color_output', 'color', ColorField)
export const boundingBoxOutput = outputOf('bounding_box_output', 'bounding_box', BoundingBoxField)

export const booleanCollectionOutput = collectionOutput('boolean_collection_output', Type.Boolean())
export const integerCollectionOutput = collectionOutput('integer_collection_output', Type.Integer())
export const floatCollectionOutput = collectionOutput('float_collection_output', Type.Number())
export const stringCollectionOutput = collectionOutput('string_collection_output', Type.String())
export const imageCollectionOutput = collectionOutput('image_collection_output', ImageField)

/** Metadata is a JSON object. */
export const MetadataField = Type.Record(Type.String(), Type.Unknown())

/** A name and a value that become part of metadata. */
export const MetadataItemField = Type.Object({ label: Type.String(), value: Type.Unknown() })

export const metadataOutput = outputOf('metadata_output', 'metadata', MetadataField)
export const metadataItemOutput = outputOf('metadata_item_output', 'item', MetadataItemField)
