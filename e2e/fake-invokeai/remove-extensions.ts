import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'
import { REFUSAL_CODE_HEADER } from '#contract/refusal.ts'
import type { AppVersion } from '#contract/server/app-operations.ts'
import { type Fields, isInternal } from './internal-requests.ts'
import { isSince } from './version.ts'

/** Keys that mark extensions in the schema of a route. */
interface RouteMarks {
  'x-extension'?: true
  'x-extension-fields'?: readonly string[]
}

/** Fields of records that InvokeAI does not have. */
const ITEM_EXTENSIONS = [
  'file_name',
  'file_size',
  'media_type',
  'content_hash',
  'thumbhash',
  'taken_at',
  'prompt_start',
  'video',
  'codec',
  'has_sound',
  'poster_ms',
]
const BOARD_EXTENSIONS = ['description', 'starred', 'is_private']

const SINCE_14 = /^\/api\/v1\/(gallery|videos)\/|\/item_summaries_by_ids$/

/** Answers that consist of records or of lists of records. */
const WITH_RECORDS =
  /^\/api\/v1\/(boards|images|board_images|gallery|videos)\/(?!.*\/(metadata|workflow)$)/

interface RemovalOptions {
  version: string
  /** The delay of every answer. */
  pace: { readonly answerMs: number }
}

/** Makes a Tessera server answer as an InvokeAI of this version, within the limits of InvokeAI 6.14.2. */
export function removeExtensions(app: FastifyInstance, options: RemovalOptions): void {
  const { version, pace } = options
  app.addHook('onRequest', async (request, reply) => {
    if (isInternal(request)) return
    if (pace.answerMs > 0) await setTimeout(pace.answerMs)
    const { url = '' } = request.routeOptions
    if (url === '/api/v1/app/version') return reply.send({ version } satisfies AppVersion)
    if (!isKnown(request, version)) return answerUnknown(request, reply)
    delete request.headers['if-none-match']
  })
  app.addHook('preHandler', async (request, reply) => {
    if (isInternal(request)) return
    const { 'x-extension-fields': unknown = [] } = marksOf(request)
    // InvokeAI creates private boards.
    if (request.routeOptions.url === '/api/v1/boards/') {
      Object.assign(request.query as Fields, { is_private: 'true' })
    }
    const body = (request.body ?? {}) as Fields
    for (const field of unknown) delete (request.query as Fields)[field]
    const faults = [
      ...unknown.filter((field) => field in body).map(extraField),
      ...limitFaults(body, request.query as Fields),
    ]
    if (faults.length > 0) return reply.code(422).send({ detail: faults })
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (isInternal(request)) return payload
    for (const header of [REFUSAL_CODE_HEADER, 'etag']) reply.removeHeader(header)
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isJson || !WITH_RECORDS.test(request.url)) return payload
    reply.removeHeader('content-length')
    const json =
      typeof payload === 'string' ? payload : await text(payload as AsyncIterable<Buffer>)
    return JSON.stringify(JSON.parse(json, (_key, value) => recordOfInvokeAi(value)))
  })
}

const marksOf = ({ routeOptions }: FastifyRequest): RouteMarks =>
  (routeOptions.schema ?? {}) as RouteMarks

function isKnown(request: FastifyRequest, version: string): boolean {
  const { url } = request.routeOptions
  if (url === undefined) return !/^\/(api|ws)\b/.test(request.url)
  return !marksOf(request)['x-extension'] && (isSince(version, 14) || !SINCE_14.test(url))
}

/** InvokeAI answers GET and HEAD of unknown paths with its page and status 200. */
function answerUnknown({ method }: FastifyRequest, reply: FastifyReply) {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead
    ? reply.type('text/html; charset=utf-8').send('<!doctype html>')
    : reply.code(405).send({ detail: 'Method Not Allowed' })
}

const extraField = (field: string) => ({
  type: 'extra_forbidden',
  loc: ['body', field],
  msg: 'Extra inputs are not permitted',
})

function limitFaults(body: Fields, query: Fields) {
  const { namesPerRequest, rowsPerRequest, nameLength } = INVOKEAI_LIMITS
  const tooLong = (loc: (string | number)[], most: number) => ({
    type: 'too_long',
    loc,
    msg: `It should have at most ${most} items or characters`,
  })
  const names = Array.isArray(body.image_names) ? body.image_names.map(String) : []
  const rows = Number(query.limit ?? 0)
  return [
    ...(names.length > namesPerRequest ? [tooLong(['body', 'image_names'], namesPerRequest)] : []),
    ...names.flatMap((name, index) =>
      name.length > nameLength ? [tooLong(['body', 'image_names', index], nameLength)] : [],
    ),
    ...(rows < 0 || rows > rowsPerRequest ? [tooLong(['query', 'limit'], rowsPerRequest)] : []),
  ]
}

/** Converts a record and returns any other value unchanged. */
function recordOfInvokeAi(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Fields
  if ('image_url' in fields || 'video_url' in fields) return without(fields, ITEM_EXTENSIONS)
  if ('total_bytes' in fields) return without(fields, ['total_bytes', 'video_total'])
  if (!('board_name' in fields)) return fields
  return {
    ...without(fields, BOARD_EXTENSIONS),
    // Tessera counts all images, InvokeAI only those of the category `general`.
    image_count: Number(fields.image_count) - Number(fields.asset_count),
  }
}

const without = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)))
