import Type, { type Static } from 'typebox'
import { defineOperation } from '#contract/operation.ts'
import { Nullable, Timestamp } from '#contract/schema.ts'

/** Oldest InvokeAI version that the web page supports. */
export const OLDEST_INVOKEAI = '6.0.0'

/**
 * State of the server behind a Tessera. If several apply, `down` precedes `outdated`, which precedes `slow`.
 */
export const UpstreamState = Type.Enum(['up', 'slow', 'outdated', 'down'], {
  description:
    '`slow`: answers, but takes seconds. `outdated`: older than `oldest_supported`. `down`: does not answer as an InvokeAI does',
})
export type UpstreamState = Static<typeof UpstreamState>

/** State of the InvokeAI behind a Tessera (extension). */
export const UpstreamStatus = Type.Object({
  address: Type.String({ examples: ['http://127.0.0.1:9090'] }),
  state: UpstreamState,
  detail: Nullable(
    Type.String({ description: 'What is wrong and what to do, in words; null while it is `up`' }),
  ),
  version: Nullable(Type.String({ description: 'null: it has not said yet' })),
  oldest_supported: Type.String({ examples: [OLDEST_INVOKEAI] }),
  answer_ms: Nullable(
    Type.Integer({ description: 'How long its last answer took; null while it is `down`' }),
  ),
  since: Timestamp,
  checked_at: Timestamp,
})
export type UpstreamStatus = Static<typeof UpstreamStatus>

/** Only available if `capabilities` has `front`. Other servers answer 404. */
export const getUpstreamStatus = defineOperation({
  operationId: 'upstream_status',
  method: 'GET',
  path: '/api/v1/app/upstream',
  summary:
    'How the InvokeAI is that this server stands in front of. Answers while that one is down',
  tag: 'app',
  answers: { 200: UpstreamStatus },
  refusals: [],
  limit: 'poll',
  extension: true,
})
