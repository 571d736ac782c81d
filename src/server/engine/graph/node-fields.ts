import Type, { type TSchema } from 'typebox'
import { BoardField } from '#contract/queue/graph.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import { namesNull, type ValueSchema, valueSchema } from './value-schema.ts'

/** What a node that saves an image also takes (wire 9.5). */
export const savingFields = {
  board: Type.Union([BoardField, Type.Null()], { default: null }),
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    default: null,
  }),
}

/** An input of a type of node, as the engine works with it. */
export interface NodeField {
  readonly name: string
  readonly schema: ValueSchema
  /** What an absent one becomes; null where it must be given or connected. */
  readonly default: unknown
  /** Without a value when the node runs, the run fails (wire 9.1). */
  readonly isRequired: boolean
  /** A value in the graph is dropped: it comes through an edge or not at all. */
  readonly isEdgeOnly: boolean
}

const known = new WeakMap<NodeDefinition, ReadonlyMap<string, NodeField>>()

/** The inputs of a type of node, in the order in which it names them. */
export function fieldsOf(definition: NodeDefinition): ReadonlyMap<string, NodeField> {
  const kept = known.get(definition)
  if (kept) return kept
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

/** The outputs of a type of node. */
export const outputsOf = (definition: NodeDefinition): Readonly<Record<string, ValueSchema>> =>
  valueSchema(definition.output.fields).properties ?? {}
