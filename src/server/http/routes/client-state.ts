import {
  deleteClientState,
  deleteClientStateKey,
  getClientState,
  listClientStateKeys,
  setClientState,
} from '#contract/server/client-state-operations.ts'
import { failureOf } from '#server/core/validation/fault-list.ts'
import { findings } from '#server/core/validation/findings.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const clientStateRoutes: readonly Route[] = [
  defineRoute(getClientState, async ({ clientState }, { query, reply }) => {
    const value = await clientState.get(query.key)
    // Fastify would send a string without quotes.
    return value === null ? null : reply.type('application/json').send(JSON.stringify(value))
  }),
  defineRoute(setClientState, async ({ clientState }, { query, request, reply }) => {
    const value = textOf(request.body)
    await clientState.set(query.key, value)
    return reply.type('application/json').send(JSON.stringify(value))
  }),
  defineRoute(listClientStateKeys, ({ clientState }, { query }) => clientState.keys(query.prefix)),
  defineRoute(deleteClientStateKey, async ({ clientState }, { query }) => {
    await clientState.delete(query.key)
    return null
  }),
  defineRoute(deleteClientState, async ({ clientState }) => {
    await clientState.delete(null)
    return null
  }),
]

/**
 * Returns the body: plain text or a JSON string.
 *
 * @throws {ValidationFailure} The body is neither.
 */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  throw failureOf(body === undefined ? findings.missing : findings.string, ['body'], body ?? null)
}
