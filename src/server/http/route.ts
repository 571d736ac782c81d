import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import type {
  AnswerOf,
  BodyOf,
  Operation,
  ParamsOf,
  QueryOf,
  TypedOperation,
} from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { assertFromThisMachine } from '#server/http/guards/this-machine.ts'
import { describeOperation } from '#server/http/openapi/describe-operation.ts'
import { FaultList, ValidationFailure } from '#server/http/validation/fault-list.ts'
import { isBodyRequired, readBody } from '#server/http/validation/read-body.ts'
import { readQuery } from '#server/http/validation/read-query.ts'
import { isInteger, readValue, type SchemaNode } from '#server/http/validation/read-value.ts'
import { isRevisioned, isUnchanged } from './list-etag.ts'
import type { Parts } from './parts.ts'

/** One call of an operation, as its route gets it. */
export interface Call<T extends TypedOperation> {
  params: ParamsOf<T>
  query: QueryOf<T>
  body: BodyOf<T>
  /** For what stands outside the contract: headers, the connection, a multipart body. */
  request: FastifyRequest
  reply: FastifyReply
}

/** Carries an operation out. A reply that it sent itself is returned as it is. */
type Handle<T extends TypedOperation> = (
  parts: Parts,
  call: Call<T>,
) => Promise<AnswerOf<T> | FastifyReply>

/** An operation and what carries it out. */
export interface Route {
  readonly operation: Operation
  /** The operation's own, and HEAD where it answers that as well. */
  readonly methods: readonly HTTPMethods[]
  register(app: FastifyInstance, parts: Parts): void
}

/** Where Fastify finds an operation: `/boards/{board_id}` is `/boards/:board_id` there. */
export const routerPathOf = ({ path }: Operation): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Makes a route from an operation of the contract: its path, validation, serialisation, limit and
 * description all come from there.
 */
export function defineRoute<T extends TypedOperation>(
  operation: T,
  handle: Handle<T>,
  options: { hasHead?: boolean } = {},
): Route {
  const [status = 200] = Object.keys(operation.answers).map(Number)
  const methods: HTTPMethods[] = options.hasHead ? [operation.method, 'HEAD'] : [operation.method]
  return {
    operation,
    methods,
    register(app, parts) {
      for (const method of methods) {
        app.route({
          method,
          url: routerPathOf(operation),
          schema: describeOperation(operation),
          config: { limit: operation.limit, ...(operation.text && { isText: true as const }) },
          // Bytes are compressed already, and lines must not wait for each other in a compressor.
          ...(operation.mediaType && { compress: false as const }),
          ...(operation.onThisMachine && { onRequest: assertFromThisMachine }),
          handler: async (request, reply) => {
            const call = { ...readRequest(operation, request), request, reply }
            if (isRevisioned(operation) && isUnchanged(parts.revision(), request, reply)) {
              return reply.code(304).send()
            }
            const answer = await parts.underWay.track(handle(parts, call as unknown as Call<T>))
            if (reply.sent || answer === reply) return reply
            reply.code(status)
            // To Fastify null is no body at all.
            return answer === null
              ? reply.type('application/json').send('null')
              : reply.send(answer)
          },
        })
      }
    },
  }
}

/** What an operation was asked, read and coerced. */
interface ReadRequest {
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
function readRequest(operation: Operation, request: FastifyRequest): ReadRequest {
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
