import {
  deleteClientState,
  deleteClientStateKey,
  getClientState,
  listClientStateKeys,
  setClientState,
} from '#contract/server/client-state-operations.ts'
import { storeClientState } from '#server/core/record-ports.ts'
import { failureOf } from '#server/core/validation/fault-list.ts'
import { findings } from '#server/core/validation/findings.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const clientStateRoutes: readonly Route[] = [
  defineRoute(getClientState, async ({ records }, { query, reply }) => {
    const value = await records.clientState.get(query.key)
    // Fastify would send a string without quotes.
    return value === null ? null : reply.type('application/json').send(JSON.stringify(value))
  }),
  defineRoute(setClientState, async ({ records }, { query, request, reply }) => {
    const value = textOf(request.body)
    await storeClientState(records.clientState, query.key, value)
    return reply.type('application/json').send(JSON.stringify(value))
  }),
  defineRoute(listClientStateKeys, ({ records }, { query }) =>
    records.clientState.keys(query.prefix),
  ),
  defineRoute(deleteClientStateKey, ({ records }, { query }) =>
    records.clientState.delete(query.key),
  ),
  defineRoute(deleteClientState, ({ records }) => records.clientState.delete(null)),
]

/** @throws {ValidationFailure} The body is neither plain text nor a JSON string. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  throw failureOf(body === undefined ? findings.missing : findings.string, ['body'], body ?? null)
}
