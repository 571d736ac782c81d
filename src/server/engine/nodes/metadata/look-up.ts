import Type, { type TSchema } from 'typebox'
import {
  defineNode,
  EdgeOnly,
  type InputFault,
  type NodeDefinition,
} from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import {
  booleanCollectionOutput,
  booleanOutput,
  floatCollectionOutput,
  floatOutput,
  integerCollectionOutput,
  integerOutput,
  MetadataField,
  metadataOutput,
  schedulerOutput,
  stringCollectionOutput,
  stringOutput,
} from '#server/engine/nodes/value-outputs.ts'

/** Value of `label` that selects `custom_label` instead. */
const CUSTOM_LABEL = '* CUSTOM LABEL *'

/** Inputs that name a metadata key. */
const labelInputs = (label = CUSTOM_LABEL) => ({
  metadata: EdgeOnly(Type.Union([MetadataField, Type.Null()], { default: null })),
  label: Type.String({ default: label }),
  custom_label: Type.Union([Type.String(), Type.Null()], { default: null }),
})

interface Labels {
  label: string
  custom_label: string | null
}

const keyOf = ({ label, custom_label }: Labels): string =>
  label === CUSTOM_LABEL ? (custom_label ?? '') : label

const checkLabel = (labels: Labels): InputFault | null =>
  keyOf(labels) === '' ? { field: 'custom_label', message: 'You must enter a Custom Label' } : null

/** Defines a node that looks up a metadata key and converts the value like Python. */
const lookUpNode = (
  type: string,
  { output, value, label }: { output: NodeDefinition['output']; value: TSchema; label?: string },
  read: (value: unknown) => unknown,
): NodeDefinition =>
  defineNode({
    type,
    summary: 'Looks a key up in metadata',
    inputs: { ...labelInputs(label), default_value: value },
    output,
    check: checkLabel,
    run: (inputs) => {
      const { metadata, default_value } = inputs
      const key = keyOf(inputs)
      const found = metadata !== null && Object.hasOwn(metadata, key)
      const [name = ''] = Object.keys(output.fields.properties)
      return { [name]: read(found ? metadata[key] : default_value) }
    },
  })

const lookUpList = (
  type: string,
  output: NodeDefinition['output'],
  item: TSchema,
  read: (value: unknown) => unknown,
): NodeDefinition =>
  lookUpNode(type, { output, value: Type.Array(item) }, (value) => {
    if (!Array.isArray(value)) throw new NodeFault(`not a list: ${asText(value)}`)
    return value.map(read)
  })

/** Sets a key in metadata, or creates metadata with this key only. */
const itemLinkedNode = defineNode({
  type: 'metadata_item_linked',
  summary: 'Sets a key in metadata',
  inputs: { ...labelInputs(), value: Type.Unknown() },
  output: metadataOutput,
  check: checkLabel,
  run: (inputs, { appVersion }) => ({
    metadata: Object.fromEntries([
      ...Object.entries(inputs.metadata ?? {}),
      [keyOf(inputs), inputs.value],
      ['app_version', appVersion],
    ]),
  }),
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
  // Python: int('1.5') fails, int(1.5) is 1.
  if (typeof value === 'string' && !Number.isInteger(number)) {
    throw new NodeFault(`invalid literal for int() with base 10: '${value}'`)
  }
  return Math.trunc(number)
}

const isTruthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

export const lookUpNodes = [
  lookUpNode('metadata_to_string', { output: stringOutput, value: Type.String() }, asText),
  lookUpNode('metadata_to_integer', { output: integerOutput, value: Type.Integer() }, asWhole),
  lookUpNode('metadata_to_float', { output: floatOutput, value: Type.Number() }, asNumber),
  lookUpNode('metadata_to_bool', { output: booleanOutput, value: Type.Boolean() }, isTruthy),
  lookUpNode(
    'metadata_to_scheduler',
    { output: schedulerOutput, value: Type.String({ default: 'euler' }), label: 'scheduler' },
    asText,
  ),
  lookUpList('metadata_to_string_collection', stringCollectionOutput, Type.String(), asText),
  lookUpList('metadata_to_integer_collection', integerCollectionOutput, Type.Integer(), asWhole),
  lookUpList('metadata_to_float_collection', floatCollectionOutput, Type.Number(), asNumber),
  lookUpList('metadata_to_bool_collection', booleanCollectionOutput, Type.Boolean(), isTruthy),
  itemLinkedNode,
]
