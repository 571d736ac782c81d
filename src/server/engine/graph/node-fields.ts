import Type, { type TSchema } from 'typebox'
import { BoardField } from '#contract/queue/graph.ts'
import { namesNull, type ValueSchema, valueSchema } from '#server/core/validation/value-schema.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'

/** Additional inputs of nodes that save an image. */
export const savingFields = {
  board: Type.Union([BoardField, Type.Null()], { default: null }),
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    default: null,
  }),
}

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
  const { properties, required } = valueSchema(definition.inputs)
  const saving: Record<string, TSchema> = definition.saving?.hasBoard ? savingFields : {}
  const fields = new Map(
    Object.entries({ ...properties, ...saving }).map(([name, schema]) => {
      const field = schema as ValueSchema
      const isRequired =
        field.default === undefined && (required?.includes(name) ?? false) && !namesNull(field)
      return [
        name,
        {
          name,
          schema: field,
          default: field.default ?? null,
          isRequired,
          isEdgeOnly: field['x-edge-only'] === true,
        },
      ]
    }),
  )
  known.set(definition, fields)
  return fields
}

export const outputsOf = (definition: NodeDefinition): Readonly<Record<string, ValueSchema>> =>
  valueSchema(definition.output.fields).properties ?? {}
