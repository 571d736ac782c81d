import type { FastifySchema } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import { REFUSAL_CODE_HEADER, type RefusalCode, refusals } from '#contract/refusal.ts'
import { RefusalBody, ValidationBody } from '#contract/refusal-bodies.ts'
import { valueSchema } from '#server/core/validation/value-schema.ts'
import { isRevisioned } from '#server/http/list-etag.ts'

/** Refusals that every operation can answer, in addition to its own. */
const commonRefusals: readonly RefusalCode[] = [
  'unauthorized',
  'host_not_allowed',
  'origin_not_allowed',
  'busy',
  'database_down',
  'library_away',
  'stopping',
]

/** Refusals that a public operation cannot answer. */
const guardRefusals: readonly RefusalCode[] = ['unauthorized', 'host_not_allowed']

/** Refusals of the router if a path parameter is empty or has a slash: the path is then another one, or none. */
const routerRefusals: readonly RefusalCode[] = ['not_found', 'method_not_allowed']

/** Refusals that every operation except GET can answer. */
const writeRefusals = [
  'disk_full',
  'disk_error',
  'library_read_only',
  'library_damaged',
] satisfies RefusalCode[]

const text = (description: string) => ({ type: 'string', description })
const seconds = (description: string) => ({ type: 'integer', description })

const codeHeader = { [REFUSAL_CODE_HEADER]: text('The name of the refusal') }
const limitHeaders = {
  'ratelimit-limit': seconds('Requests that the tightest limit lets pass in any sixty seconds'),
  'ratelimit-remaining': seconds('Requests left in it'),
  'ratelimit-reset': seconds('Seconds until the next place in it frees'),
  'ratelimit-policy': text('Every limit: `"default";q=100;w=60, ...`'),
  ratelimit: text('Where the client stands in each: `"default";r=99;t=60, ...`'),
}

/** Converts an operation to the schema that Fastify and `@fastify/swagger` read, for a complete `/openapi.json`. */
export function describeOperation(operation: Operation): FastifySchema {
  const { operationId, summary, tag, params, query, headers, body, parts } = operation
  const { text: textBody, bytes } = operation
  return {
    operationId,
    summary,
    tags: [tag],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body, consumes: ['application/json'] }),
    ...(textBody && { body: textBody, consumes: ['text/plain'] }),
    ...(parts && { body: parts, consumes: ['multipart/form-data'] }),
    ...(bytes && { body: { type: 'string', format: 'binary' }, consumes: [bytes] }),
    response: {
      ...describeAnswers(operation),
      ...describeConditions(operation),
      ...describeRefusals(operation),
      ...((query || body || parts || hasIntegerParams(operation)) && {
        422: answer('The request does not fit this description', ValidationBody, codeHeader),
      }),
    },
    ...(operation.extension && { 'x-extension': true }),
    ...(operation.extensionFields && { 'x-extension-fields': operation.extensionFields }),
    ...(operation.limit && { 'x-limit': operation.limit }),
  } as FastifySchema
}

/** True if a path parameter of the operation is an integer and can therefore be invalid. */
const hasIntegerParams = ({ params }: Operation): boolean =>
  Object.values(params?.properties ?? {}).some((schema) => valueSchema(schema).type === 'integer')

const answer = (description: string, schema: unknown, headers = {}, type = 'application/json') => ({
  description,
  headers,
  content: { [type]: { schema } },
})

function describeAnswers({ answers, mediaType, summary, limit, operationId }: Operation) {
  const headers = {
    ...(limit !== 'exempt' && limitHeaders),
    ...(operationId === 'upload_image' && { location: text('Where the full image is') }),
  }
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      answer(summary, schema, headers, mediaType),
    ]),
  )
}

/** Describes the answers to conditional and range requests (`sendBytes`, `isUnchanged`). */
function describeConditions(operation: Operation) {
  const isBytes = operation.refusals.includes('range_not_satisfiable')
  if (!isBytes && !isRevisioned(operation)) return {}
  const { 200: whole } = operation.answers
  const range = { 'content-range': text('Which bytes of how many: `bytes 0-9/3698`') }
  return {
    304: { type: 'null', description: 'What `If-None-Match` names is still the same' },
    ...(isBytes && {
      206: answer('The one range that `Range` names', whole, range, operation.mediaType),
    }),
  }
}

function describeRefusals(operation: Operation) {
  const codes = new Set<RefusalCode>([...operation.refusals, ...commonRefusals])
  if (operation.limit !== 'exempt') codes.add('rate_limited')
  if (operation.body) codes.add('body_too_large')
  if (operation.params) for (const code of routerRefusals) codes.add(code)
  if (operation.isPublic) for (const code of guardRefusals) codes.delete(code)
  if (operation.method !== 'GET') {
    for (const code of writeRefusals) codes.add(code)
  }
  const byStatus = Object.groupBy(
    [...codes].filter((code) => !Object.hasOwn(operation.answers, refusals[code].status)),
    (code) => String(refusals[code].status),
  )
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus = []]) => {
      const descriptions = ofStatus.map((code) => `\`${code}\`: ${refusals[code].detail}`).join(' ')
      const retry = { 'retry-after': seconds('Seconds to wait'), ...limitHeaders }
      const headers = { ...codeHeader, ...(status === '429' && retry) }
      return [status, answer(descriptions, RefusalBody, headers)]
    }),
  )
}
