import { getClientState } from '#contract/client-state-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getClientStateRoute = defineRoute(
  getClientState,
  async ({ clientState }, { query, reply }) => {
    const value = await clientState.get(query.key)
    // To Fastify a text is a finished body.
    return value === null ? null : reply.type('application/json').send(JSON.stringify(value))
  },
)
