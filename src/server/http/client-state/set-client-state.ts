import { setClientState } from '#contract/client-state-operations.ts'
import { findings } from '#server/core/findings.ts'
import { defineRoute } from '#server/http/route.ts'
import { FaultList } from '#server/http/validation/fault-list.ts'
import { ValidationFailure } from '#server/http/validation/validation-failure.ts'

/** A JSON body is read as well, where it is a text. */
export const setClientStateRoute = defineRoute(
  setClientState,
  async ({ clientState }, { query, request, reply }) => {
    const value = textOf(request.body)
    await clientState.set(query.key, value)
    return reply.type('application/json').send(JSON.stringify(value))
  },
)

/** @throws {ValidationFailure} There is no text. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  const found = new FaultList()
  found.add(body === undefined ? findings.missing : findings.string, ['body'], body ?? null)
  throw new ValidationFailure(found.all)
}
