import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type {
  AnswerOf,
  BodyOf,
  Operation,
  ParamsOf,
  QueryOf,
  TypedOperation,
} from '#contract/operation.ts'
import { describeOperation } from './describe-operation.ts'
import { assertFromThisMachine } from './guards/this-machine.ts'
import { isRevisioned, isUnchanged } from './list-etag.ts'
import type { Parts } from './parts.ts'
import { readRequest } from './read-request.ts'

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
