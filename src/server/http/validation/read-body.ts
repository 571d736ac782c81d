import type { TSchema } from 'typebox'
import { findings } from '#server/core/findings.ts'
import type { FaultList } from './fault-list.ts'
import { type Mode, readObject, readValue, type SchemaNode } from './read-value.ts'

/** How a body is read beside its schema. */
export interface BodyRules {
  /** False: a body that is absent reads as `{}`. */
  readonly isRequired: boolean
  readonly mode: Mode
}

/** Reads a JSON body: an object, or a list where the schema is one. */
export function readBody(
  schema: TSchema,
  body: unknown,
  rules: BodyRules,
  found: FaultList,
): Record<string, unknown> {
  if ((body === undefined || body === null) && rules.isRequired) {
    found.add(findings.missing, ['body'], null)
    return {}
  }
  const node = schema as SchemaNode
  if (node.type === 'array') {
    const list = readValue(node, body, ['body'], rules.mode, found)
    return (list ?? []) as unknown as Record<string, unknown>
  }
  return readObject(node, body ?? {}, ['body'], rules.mode, found)
}

/**
 * Whether a JSON body must be there: a change always says what changes, a list what is in it; elsewhere
 * a body of which every key may be absent may be absent too (wire 0).
 */
export const isBodyRequired = (method: string, body: SchemaNode): boolean =>
  method.toUpperCase() === 'PATCH' || body.type === 'array' || (body.required ?? []).length > 0
