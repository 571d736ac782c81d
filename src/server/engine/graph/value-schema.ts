import type { TSchema } from 'typebox'
import type { ValidationFault } from '#contract/refusal.ts'
import type { Finding, Loc } from '#server/core/findings.ts'

/** The JSON Schema keywords that inputs and outputs of nodes use. */
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

/** Casts a schema, because TypeBox's types do not declare the keywords. */
export const valueSchema = (schema: TSchema): ValueSchema => schema as ValueSchema

/** True if the schema accepts any value. */
export const isAnySchema = ({ type, enum: values, anyOf, const: only }: ValueSchema): boolean =>
  type === undefined && values === undefined && anyOf === undefined && only === undefined

/** True if the schema explicitly accepts null. */
export const namesNull = (schema: ValueSchema): boolean =>
  schema.type === 'null' || (schema.anyOf?.some(namesNull) ?? false)

/** Limit of reported faults. Further ones are dropped. */
const MAX_FAULTS = 100

/** Length limit of texts in faults. An id may have megabytes. */
const MAX_WORDS = 2_000

const cut = (text: string) => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text)

const isShort = (input: unknown) =>
  input === null ||
  typeof input === 'boolean' ||
  typeof input === 'number' ||
  (typeof input === 'string' && input.length <= MAX_WORDS)

/** Collects all faults, so that they are reported together. */
export class Findings {
  readonly all: ValidationFault[] = []

  /** @param input - The refused value. Repeated in the fault if it is short. */
  add({ type, msg, ctx }: Finding, loc: Loc, input?: unknown): void {
    if (this.all.length >= MAX_FAULTS) return
    const at = loc.map((part) => (typeof part === 'string' ? cut(part) : part))
    const echo = isShort(input) ? { input } : {}
    this.all.push({ type, loc: at, msg: cut(msg), ...echo, ...(ctx && { ctx }) })
  }
}
