import type { TSchema } from 'typebox'
import type { ValidationFault } from '#contract/refusal.ts'
import type { Finding, Loc } from '#server/core/findings.ts'

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

/** More faults than anybody reads: the rest is left out. */
const MAX_FAULTS = 100

/** Longer words than anybody reads: an id may have megabytes. */
const MAX_WORDS = 2_000

const cut = (text: string) => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text)

const isShort = (input: unknown) =>
  input === null ||
  typeof input === 'boolean' ||
  typeof input === 'number' ||
  (typeof input === 'string' && input.length <= MAX_WORDS)

/** Collects what is wrong, so that all of it is said at once. */
export class Findings {
  readonly all: ValidationFault[] = []

  /** @param input - What was refused; echoed where it is short. */
  add({ type, msg, ctx }: Finding, loc: Loc, input?: unknown): void {
    if (this.all.length >= MAX_FAULTS) return
    const at = loc.map((part) => (typeof part === 'string' ? cut(part) : part))
    const echo = isShort(input) ? { input } : {}
    this.all.push({ type, loc: at, msg: cut(msg), ...echo, ...(ctx && { ctx }) })
  }
}
