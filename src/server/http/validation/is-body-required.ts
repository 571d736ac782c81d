import type { SchemaNode } from './schema-node.ts'

/**
 * Whether a JSON body must be there: a change always says what changes, a list what is in it; elsewhere
 * a body of which every key may be absent may be absent too (wire 0).
 */
export const isBodyRequired = (method: string, body: SchemaNode): boolean =>
  method.toUpperCase() === 'PATCH' || body.type === 'array' || (body.required ?? []).length > 0
