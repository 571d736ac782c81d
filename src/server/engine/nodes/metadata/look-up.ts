import Type, { type TObject, type TSchema } from 'typebox'
import { defineNode, EdgeOnly, type NodeDefinition } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import {
  booleanOutput,
  floatOutput,
  integerOutput,
  MetadataField,
  stringOutput,
} from '#server/engine/nodes/value-outputs.ts'

/** Stands for "the label is in `custom_label`". */
const CUSTOM_LABEL = '* CUSTOM LABEL *'

/** A node that looks a key up in metadata and reads what it finds as Python would. */
const lookUpNode = (
  type: string,
  output: { type: string; fields: TObject },
  schema: TSchema,
  read: (value: unknown) => unknown,
): NodeDefinition =>
  defineNode({
    type,
    summary: 'Looks a key up in metadata',
    inputs: {
      metadata: EdgeOnly(Type.Union([MetadataField, Type.Null()], { default: null })),
      label: Type.String({ default: CUSTOM_LABEL }),
      custom_label: Type.Union([Type.String(), Type.Null()], { default: null }),
      default_value: schema,
    },
    output,
    check: ({ label, custom_label }) =>
      label === CUSTOM_LABEL && !custom_label
        ? { field: 'custom_label', message: 'You must enter a Custom Label' }
        : null,
    run: ({ metadata, label, custom_label, default_value }) => {
      const key = label === CUSTOM_LABEL ? (custom_label ?? '') : label
      const found = metadata !== null && Object.hasOwn(metadata, key)
      return { value: read(found ? metadata[key] : default_value) }
    },
  })

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const asNumber = (value: unknown): number => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  const isReadable = typeof value !== 'object' && Number.isFinite(number)
  if (!isReadable) throw new NodeFault(`could not convert to a number: ${asText(value)}`)
  return number
}

const asWhole = (value: unknown): number => {
  const number = asNumber(value)
  // int('1.5') fails in Python, int(1.5) is 1.
  if (typeof value === 'string' && !Number.isInteger(number)) {
    throw new NodeFault(`invalid literal for int() with base 10: '${value}'`)
  }
  return Math.trunc(number)
}

const isTruthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

export const lookUpNodes = [
  lookUpNode('metadata_to_string', stringOutput, Type.String(), asText),
  lookUpNode('metadata_to_integer', integerOutput, Type.Integer(), asWhole),
  lookUpNode('metadata_to_float', floatOutput, Type.Number(), asNumber),
  lookUpNode('metadata_to_bool', booleanOutput, Type.Boolean(), isTruthy),
]
