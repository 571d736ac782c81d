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
import { MAX_ORIGIN_LENGTH, ORIGIN_HEADER } from '#contract/server/change-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { FaultList, ValidationFailure } from '#server/core/validation/fault-list.ts'
import { readValue } from '#server/core/validation/read-value.ts'
import { valueSchema } from '#server/core/validation/value-schema.ts'
import { assertFromThisMachine } from '#server/http/guards/this-machine.ts'
import { describeOperation } from '#server/http/openapi/describe-operation.ts'
import { isBodyRequired, readBody } from '#server/http/validation/read-body.ts'
import { readQuery } from '#server/http/validation/read-query.ts'
import { isRevisioned, isUnchanged } from './list-etag.ts'
import type { Parts } from './parts.ts'

/** A request for an operation, with validated and coerced parameters. */
export interface Call<T extends TypedOperation> {
  params: ParamsOf<T>
  query: QueryOf<T>
  body: BodyOf<T>
  /** For everything that the contract does not describe: headers, the connection, a multipart body. */
  request: FastifyRequest
  reply: FastifyReply
}

/** Handles a call. Returns the answer, or the reply if the handler sent it. A handler without a value answers null. */
type Handle<T extends TypedOperation> = (
  parts: Parts,
  call: Call<T>,
) => Promise<AnswerOf<T> | FastifyReply> | ([AnswerOf<T>] extends [null] ? Promise<void> : never)

export interface Route {
  readonly operation: Operation
  /** The method of the operation, and HEAD if the route supports it. */
  readonly methods: readonly HTTPMethods[]
  register(app: FastifyInstance, parts: Parts): void
}

/** Converts a path to Fastify's syntax: `/boards/{board_id}` becomes `/boards/:board_id`. */
export const routerPathOf = ({ path }: Operation): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** True if a read-only library refuses the operation. */
const isChange = ({ method, isRead, changesNoRecord }: Operation): boolean =>
  method !== 'GET' && isRead !== true && changesNoRecord !== true

/** Operations with the tag `app` that read the library. The others are about the server itself. */
const OF_LIBRARY = /^\/api\/v1\/(?:client_state\/|app\/(?:demo_library|library|rereading)$)/

/** True if the operation cannot be answered while the library is away. */
const needsLibrary = ({ tag, path }: Operation): boolean => tag !== 'app' || OF_LIBRARY.test(path)

/** Creates a route from an operation of the contract: path, validation, serialization, limit and description. */
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
          config: {
            limit: operation.limit,
            isPublic: operation.isPublic === true,
            ...(operation.text && { isText: true as const }),
          },
          // Image bytes are already compressed, and a compressor would delay streamed lines.
          ...(operation.mediaType && { compress: false as const }),
          onRequest: [
            ...(operation.onThisMachine ? [assertFromThisMachine] : []),
            ...(needsLibrary(operation) ? [async () => parts.state.assertThere()] : []),
            ...(isChange(operation) ? [async () => parts.state.assertNotStartedReadOnly()] : []),
          ],
          handler: async (request, reply) => {
            const call = { ...readRequest(operation, request), request, reply }
            if (isRevisioned(operation) && isUnchanged(await parts.revision(), request, reply)) {
              return reply.code(304).send()
            }
            const work = () => handle(parts, call as unknown as Call<T>)
            const running = parts.origin.run(originOf(request), work)
            const answer = await parts.requestWork.track(running)
            // A sent reply is awaited to undefined, even if the client closed before its last byte was written.
            if (reply.sent || reply.raw.headersSent || answer === reply) return reply
            reply.code(status)
            // Fastify sends an empty body for null.
            return (answer ?? null) === null
              ? reply.type('application/json').send('null')
              : reply.send(answer)
          },
        })
      }
    },
  }
}

/** Returns the origin that the client of a request names. */
const originOf = ({ headers }: FastifyRequest): string | null => {
  const origin = headers[ORIGIN_HEADER]
  const isOrigin = typeof origin === 'string' && origin.length <= MAX_ORIGIN_LENGTH
  return isOrigin && origin !== '' ? origin : null
}

/**
 * @throws {ValidationFailure} With the faults of path, query and body.
 * @throws {Refusal} `too_many_names`.
 */
function readRequest(operation: Operation, request: FastifyRequest) {
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

/** Reads path parameters. Strings are accepted unchanged; only integers are validated. */
function readParams(
  operation: Operation,
  given: Record<string, string>,
  found: FaultList,
): Record<string, unknown> {
  const params: Record<string, unknown> = { ...given }
  for (const [name, schema] of Object.entries(operation.params?.properties ?? {})) {
    const field = valueSchema(schema)
    if (field.type !== 'integer') continue
    params[name] = readValue(field, given[name], ['path', name], 'lax', found)
  }
  return params
}

function readBodyOf(operation: Operation, input: unknown, found: FaultList) {
  const schema = operation.body ?? {}
  const isRequired = isBodyRequired(operation.method, valueSchema(schema))
  const mode = operation.strictBody ? 'strict' : 'lax'
  const body = readBody(schema, input, { isRequired, mode }, found)
  if (Array.isArray(body.image_names) && body.image_names.length > MAX_NAMES_PER_REQUEST) {
    throw new Refusal('too_many_names')
  }
  return body
}
