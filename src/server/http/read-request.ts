import type { FastifyRequest } from 'fastify'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { FaultList } from './validation/fault-list.ts'
import { isBodyRequired } from './validation/is-body-required.ts'
import { isInteger } from './validation/is-integer.ts'
import { readBody } from './validation/read-body.ts'
import { readQuery } from './validation/read-query.ts'
import { readValue } from './validation/read-value.ts'
import type { SchemaNode } from './validation/schema-node.ts'
import { ValidationFailure } from './validation/validation-failure.ts'

/** What an operation was asked, read and coerced. */
export interface ReadRequest {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/**
 * Reads path, query and body of a request by the operation's schemas.
 *
 * @throws {ValidationFailure} With the faults of all parts together.
 * @throws {Refusal} `too_many_names`.
 */
export function readRequest(operation: Operation, request: FastifyRequest): ReadRequest {
  const found = new FaultList()
  const query = readQuery(
    operation.query ?? {},
    request.query as Record<string, string | string[]>,
    found,
  )
  const body = operation.body ? readBodyOf(operation, request.body, found) : {}
  const params = readParams(operation, request.params as Record<string, string>, found)
  if (found.all.length > 0) throw new ValidationFailure(found.all)
  return { params, query, body }
}

/** Names are taken as they come; only numbers can be wrong. */
function readParams(
  operation: Operation,
  given: Record<string, string>,
  found: FaultList,
): Record<string, unknown> {
  const params: Record<string, unknown> = { ...given }
  for (const [name, schema] of Object.entries(operation.params?.properties ?? {})) {
    if (!isInteger(schema)) continue
    params[name] = readValue(schema as SchemaNode, given[name], ['path', name], 'text', found)
  }
  return params
}

function readBodyOf(operation: Operation, input: unknown, found: FaultList) {
  const schema = operation.body ?? {}
  const isRequired = isBodyRequired(operation.method, schema as SchemaNode)
  const mode = operation.strictBody ? 'strict' : 'lax'
  const body = readBody(schema, input, { isRequired, mode }, found)
  if (Array.isArray(body.image_names) && body.image_names.length > MAX_NAMES_PER_REQUEST) {
    throw new Refusal('too_many_names')
  }
  return body
}
