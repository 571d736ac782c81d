import { randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import type { Upload as TusUpload } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_IMAGE_CATEGORY } from '#contract/image.ts'
import { UNFINISHED_UPLOAD_HOURS } from '#contract/limits.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import {
  ResumableUploadMetadata,
  TUS_VERSION,
} from '#contract/uploads/resumable-upload-operations.ts'
import type { UnfinishedUpload } from '#server/core/intake/file-ports.ts'
import type { Upload } from '#server/core/intake/ingest-service.ts'
import type { NewUpload, ResumableUploads } from '#server/core/intake/resumable-uploads.ts'
import { Refusal } from '#server/core/refusal.ts'
import { FaultList, ValidationFailure } from '#server/core/validation/fault-list.ts'
import { readBody } from '#server/http/validation/read-body.ts'
import { parseTimestamp } from './form-details.ts'

type Metadata = UnfinishedUpload['metadata']

const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration']

/** Keys that fit in a path. Other IDs of clients are not used as keys. */
const usableKey = /^[\w-]{8,100}$/

/** Time for the bytes on their way of a request whose turn ends, in milliseconds. */
const DRAIN_MS = 1_000

/** Refusals for the statuses of `@tus/server`. */
const codesOfTus: Readonly<Record<number, RefusalCode>> = {
  404: 'upload_not_found',
  409: 'wrong_offset',
  410: 'upload_not_found',
  412: 'tus_version',
  413: 'file_too_large',
}

/** Loaded with the first upload of a large file. */
const loadTus = () => import('@tus/server')

/**
 * Answers a request of the tus protocol with `@tus/server`. Refusals are those of all routes.
 *
 * @param key - Of the upload; null for a new one.
 */
export async function answerTus(
  uploads: ResumableUploads,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | null,
): Promise<FastifyReply> {
  reply.header('tus-resumable', TUS_VERSION)
  if (request.method !== 'OPTIONS') assertVersion(request, reply)
  const tus = await loadTus()
  const isNew = request.method === 'POST'
  const wanted = isNew ? newUploadOf(request, tus.Metadata.parse) : null
  let isContinued = false
  if (wanted !== null) {
    const image = await uploads.completed(wanted)
    if (image !== null) return reply.code(200).send(image)
    const { offset } = await uploads.begin(wanted)
    reply.header('upload-offset', offset)
    isContinued = offset > 0
  }
  const id = wanted?.key ?? key ?? ''
  let failure: unknown
  let isStored = false
  class Store extends tus.DataStore {
    override extensions = EXTENSIONS
    override getExpiration = () => UNFINISHED_UPLOAD_HOURS * 3_600_000
    override getUpload = async (): Promise<TusUpload> => {
      if (isStored && wanted !== null)
        return new tus.Upload({ id, size: wanted.bytes, offset: wanted.bytes })
      const upload = await uploads.get(id)
      if (upload === null) throw new Refusal('upload_not_found')
      return new tus.Upload({
        id,
        size: upload.bytes,
        offset: upload.offset,
        metadata: { ...upload.metadata },
        // The time of its last byte, so that it expires a day after it.
        creation_date: new Date(Date.now() - uploads.ageOf(upload)).toISOString(),
      })
    }
    override write = (stream: Readable) => uploads.append(id, stream)
    override remove = () => uploads.remove(id)
  }
  const server = new tus.Server({
    path: '/api/v1/uploads',
    datastore: new Store(),
    lockDrainTimeout: DRAIN_MS,
    locker: {
      newLock: () => {
        let endTurn = () => {}
        return {
          lock: async (signal, askToEnd) => {
            endTurn = await uploads.turns.take(id, () => void askToEnd(), signal)
          },
          unlock: async () => endTurn(),
        }
      },
    },
    allowedOrigins: () => false,
    namingFunction: () => id,
    getFileIdFromRequest: () => id,
    // Relative, because a proxy may serve the gallery below another path.
    generateUrl: () => `uploads/${id}`,
    onUploadFinish: async (_, { metadata = {} }) => {
      const image = await uploads.finish(id, detailsOf(metadata))
      isStored = true
      return {
        ...(!isNew && { status_code: 200 }),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(image),
      }
    },
    onResponseError: (_, error) => {
      failure = error
      return undefined
    },
  })
  const body = bodyOf(request)
  const webRequest = webRequestOf(request, body, isContinued)
  const response = await server.handleWeb(webRequest).finally(() => leave(request, reply, body))
  if (failure !== undefined || response.status >= 400) {
    throw refusalOf(failure, response.status, await response.text())
  }
  for (const [name, value] of response.headers) {
    if (!name.startsWith('access-control-')) reply.header(name, value)
  }
  reply.code(response.status)
  return reply.send(response.status === 204 ? undefined : await response.text())
}

/** Larger bodies are not read to their end only to keep the connection. */
const MAX_UNWANTED_BYTES = 1024 * 1024

/**
 * Leaves bytes that nobody wants. Most clients read an answer only after they have sent everything, or if they cannot
 * send: a browser that repeats a broken request would send a large piece for nothing, so the connection is closed.
 */
function leave({ raw }: FastifyRequest, reply: FastifyReply, body: PassThrough): void {
  raw.unpipe(body)
  const isLarge = Number(raw.headers['content-length'] ?? Infinity) > MAX_UNWANTED_BYTES
  const hasBody = raw.method === 'POST' || raw.method === 'PATCH'
  if (hasBody && isLarge && !raw.complete) reply.header('connection', 'close')
  else raw.resume()
}

function assertVersion({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers['tus-resumable'] === TUS_VERSION) return
  reply.header('tus-version', TUS_VERSION)
  throw new Refusal('tus_version')
}

/** Returns the body as a separate stream. Ending it early does not close the connection. */
function bodyOf({ raw }: FastifyRequest): PassThrough {
  const body = new PassThrough()
  raw.once('error', (error) => body.destroy(error))
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The connection was lost'))
  })
  return raw.pipe(body)
}

/** @param isContinued - A POST found an earlier upload: its bytes are not wanted, because others arrived before. */
function webRequestOf(
  { method, headers, host, url }: FastifyRequest,
  body: Readable,
  isContinued: boolean,
): Request {
  const given = Object.entries(headers).filter(
    ([name, value]) =>
      (value !== '' && /^(?:tus|upload)-/.test(name)) ||
      name === 'content-length' ||
      (name === 'content-type' && !isContinued),
  )
  const hasBody = method === 'POST' || method === 'PATCH'
  return new Request(new URL(url, `http://${host || 'localhost'}`), {
    method,
    headers: given.map(([name, value]): [string, string] => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' as const }),
  })
}

/** Converts an error of `@tus/server`, or what a rule of this server refuses. */
function refusalOf(failure: unknown, status: number, text: string): unknown {
  if (failure instanceof Error && !('status_code' in failure)) return failure
  const code = codesOfTus[status] ?? (status < 500 || status === 501 ? 'invalid_tus_request' : null)
  if (code === null) return new Error(`@tus/server answered ${status}: ${text}`)
  return new Refusal(code, code === 'invalid_tus_request' ? text.trim() : undefined)
}

/** @throws {Refusal | ValidationFailure} A header is missing or invalid. */
function newUploadOf(
  { headers }: FastifyRequest,
  parseMetadata: (text?: string) => Record<string, string | null>,
): NewUpload {
  const length = headers['upload-length']
  if (!/^\d+$/.test(String(length)) || !Number.isSafeInteger(Number(length))) {
    throw new Refusal('invalid_tus_request', 'The header `Upload-Length` must be a size in bytes.')
  }
  const metadata = metadataOf(headers['upload-metadata'], parseMetadata)
  const details = detailsOf(metadata)
  const { uploadId = null } = details
  const key = uploadId !== null && usableKey.test(uploadId) ? uploadId : randomUUID()
  return { key, bytes: Number(length), metadata, details }
}

function metadataOf(
  header: string | string[] | undefined,
  parse: (text?: string) => Record<string, string | null>,
): Metadata {
  if (header === undefined || header === '') return {}
  try {
    return parse(String(header))
  } catch (cause) {
    const detail = 'The header `Upload-Metadata` has no valid pairs of a key and Base64.'
    throw new Refusal('invalid_tus_request', detail, { cause })
  }
}

/** Reads what the sender says about the file. Unknown keys are ignored: tus clients add their own, such as `filetype`. */
function detailsOf(metadata: Metadata): Omit<Upload, 'source'> {
  const found = new FaultList()
  const rules = { isRequired: true, mode: 'lax' } as const
  const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))
  const item = readBody(ResumableUploadMetadata, given, rules, found) as ResumableUploadMetadata
  if (found.all.length > 0) throw new ValidationFailure(found.all)
  return {
    kind: 'any',
    fileName: item.filename ?? null,
    category: item.image_category ?? DEFAULT_IMAGE_CATEGORY,
    isIntermediate: item.is_intermediate ?? false,
    boardId: item.board_id,
    sessionId: item.session_id ?? null,
    uploadId: item.upload_id ?? null,
    takenAt: parseTimestamp(item.taken_at),
    knownBytes: item.known_bytes ?? 'keep',
  }
}
