import type { TSchema } from 'typebox'
import { findings } from '#server/core/findings.ts'
import type { FaultList } from './fault-list.ts'
import { type Mode, readObject, readValue, type SchemaNode } from './read-value.ts'

/** Rules for reading a body, in addition to its schema. */
export interface BodyRules {
  /** If false, an absent body reads as `{}`. */
  readonly isRequired: boolean
  readonly mode: Mode
}

/** Reads a JSON body: an object, or a list if the schema is a list. */
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
 * True if a JSON body is required: for PATCH, for lists, and if the body has a required key. In all other cases
 * InvokeAI accepts requests without a body.
 */
export const isBodyRequired = (method: string, body: SchemaNode): boolean =>
  method.toUpperCase() === 'PATCH' || body.type === 'array' || (body.required ?? []).length > 0
