import Type, { type Static } from 'typebox'
import { operationsOf } from '#contract/operation.ts'
import { Nullable, Timestamp } from '#contract/schema.ts'

const define = operationsOf({ tag: 'app' })

/** Oldest InvokeAI version that the web page supports. */
export const OLDEST_INVOKEAI = '6.0.0'

/** State of the server behind a Tessera. If several apply, `down` precedes `outdated`, which precedes `slow`. */
export const UpstreamState = Type.Enum(['up', 'slow', 'outdated', 'down'], {
  description:
    '`slow` if responses take seconds, `outdated` if older than `oldest_supported`, `down` if it does not respond like an InvokeAI',
})
export type UpstreamState = Static<typeof UpstreamState>

/** State of the InvokeAI behind a Tessera (extension). */
export const UpstreamStatus = Type.Object({
  address: Type.String({ examples: ['http://127.0.0.1:9090'] }),
  state: UpstreamState,
  detail: Nullable(
    Type.String({ description: 'Problem and remedy as text. null while it is `up`' }),
  ),
  version: Nullable(Type.String({ description: 'null if not known yet' })),
  oldest_supported: Type.String({ examples: [OLDEST_INVOKEAI] }),
  answer_ms: Nullable(
    Type.Integer({ description: 'Duration of its last response. null while it is `down`' }),
  ),
  since: Timestamp,
  checked_at: Timestamp,
})
export type UpstreamStatus = Static<typeof UpstreamStatus>

/** Only available if `capabilities` has `front`. Other servers answer 404. */
export const getUpstreamStatus = define('GET', '/api/v1/app/upstream', {
  operationId: 'upstream_status',
  summary: 'Returns the state of the InvokeAI server behind this server, even while it is down',
  answers: { 200: UpstreamStatus },
  limit: 'poll',
  extension: true,
})
