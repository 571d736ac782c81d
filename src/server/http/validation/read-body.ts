import type { TSchema } from 'typebox'
import type { FaultList } from '#server/core/validation/fault-list.ts'
import { findings } from '#server/core/validation/findings.ts'
import { type Mode, readValue } from '#server/core/validation/read-value.ts'
import { type ValueSchema, valueSchema } from '#server/core/validation/value-schema.ts'

/** Rules for reading a body, in addition to its schema. */
export interface BodyRules {
  /** If false, an absent body reads as `{}`. */
  readonly isRequired: boolean
  readonly mode: Mode
}

/** Reads a JSON body: an object, or a list if the schema is a list. After a fault, it may be empty. */
export function readBody(
  schema: TSchema,
  body: unknown,
  { isRequired, mode }: BodyRules,
  found: FaultList,
): Record<string, unknown> {
  if ((body === undefined || body === null) && isRequired) {
    found.add(findings.missing, ['body'], null)
    return {}
  }
  const value = readValue(valueSchema(schema), body ?? {}, ['body'], mode, found)
  return (value ?? {}) as Record<string, unknown>
}

/** True for PATCH, lists, and bodies with a required key. Otherwise InvokeAI accepts requests without a body. */
export const isBodyRequired = (method: string, body: ValueSchema): boolean =>
  method.toUpperCase() === 'PATCH' || body.type === 'array' || (body.required ?? []).length > 0
