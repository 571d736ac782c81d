import type { TSchema } from 'typebox'

/** The keywords of JSON Schema that inputs and outputs of nodes use, as the engine reads them. */
export interface ValueSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly ValueSchema[]
  readonly items?: ValueSchema
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly default?: unknown
  readonly 'x-edge-only'?: boolean
}

/** TypeBox's own types say nothing of the keywords that a schema carries. */
export const valueSchema = (schema: TSchema): ValueSchema => schema as ValueSchema

/** Whether anything fits it. */
export const isAnySchema = ({ type, enum: values, anyOf, const: only }: ValueSchema): boolean =>
  type === undefined && values === undefined && anyOf === undefined && only === undefined

/** Whether it says that null fits. */
export const namesNull = (schema: ValueSchema): boolean =>
  schema.type === 'null' || (schema.anyOf?.some(namesNull) ?? false)
