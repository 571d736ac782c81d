import type { TSchema } from 'typebox'

/** The JSON Schema keywords that the contract and the nodes use. */
export interface ValueSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly ValueSchema[]
  readonly items?: ValueSchema
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly 'x-edge-only'?: boolean
}

/** Casts a schema, because TypeBox's types do not declare the keywords. */
export const valueSchema = (schema: TSchema): ValueSchema => schema as ValueSchema

/** True if the schema accepts any value. */
export const isAnySchema = ({ type, enum: values, anyOf, const: only }: ValueSchema): boolean =>
  type === undefined && values === undefined && anyOf === undefined && only === undefined

/** True if the schema explicitly accepts null. */
export const namesNull = (schema: ValueSchema): boolean =>
  schema.type === 'null' || (schema.anyOf?.some(namesNull) ?? false)
