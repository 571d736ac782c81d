import { namesNull, type ValueSchema, valueSchema } from '#server/core/validation/value-schema.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'

export interface NodeField {
  readonly name: string
  readonly schema: ValueSchema
  /** The value if the input is absent, or null if the input must be given or connected. */
  readonly default: unknown
  /** True if the run fails when the node starts without a value. */
  readonly isRequired: boolean
  /** True if the input only accepts an edge. A value in the graph is dropped. */
  readonly isEdgeOnly: boolean
}

const known = new WeakMap<NodeDefinition, ReadonlyMap<string, NodeField>>()

/** Returns the inputs of a node type in declaration order. */
export function fieldsOf(definition: NodeDefinition): ReadonlyMap<string, NodeField> {
  const cached = known.get(definition)
  if (cached) return cached
  const { properties = {}, required = [] } = valueSchema(definition.inputs)
  const fields = new Map(
    Object.entries(properties).map(([name, schema]) => {
      const isRequired =
        schema.default === undefined && required.includes(name) && !namesNull(schema)
      const isEdgeOnly = schema['x-edge-only'] === true
      return [name, { name, schema, default: schema.default ?? null, isRequired, isEdgeOnly }]
    }),
  )
  known.set(definition, fields)
  return fields
}

export const outputsOf = (definition: NodeDefinition): Readonly<Record<string, ValueSchema>> =>
  valueSchema(definition.output.fields).properties ?? {}
