import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFUSAL_CODE_HEADER, type RefusalCode, refusals } from '#contract/refusal.ts'
import { AlreadyHere, Refusal } from '#server/core/refusal.ts'
import { ValidationFailure } from '#server/core/validation/fault-list.ts'

/** Refusal codes for client errors that Fastify and its plugins throw. */
const refusalCodesOfFastify: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'upload_cut_off',
  FST_ERR_BAD_URL: 'not_found',
  FST_PARTS_LIMIT: 'too_many_files',
  FST_FILES_LIMIT: 'too_many_files',
  FST_FIELDS_LIMIT: 'invalid_multipart',
  FST_REQ_FILE_TOO_LARGE: 'file_too_large',
  FST_PROTO_VIOLATION: 'invalid_multipart',
  FST_INVALID_JSON_FIELD_ERROR: 'invalid_multipart',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'invalid_multipart',
  FST_MP_PREMATURE_CLOSE: 'upload_cut_off',
  EMFILE: 'busy',
  ENFILE: 'busy',
  EAGAIN: 'busy',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
}

/** `sendFile` throws errors that have a status but no code. */
const RANGE_NOT_SATISFIABLE = 416

const codeOf = (error: unknown): RefusalCode | undefined => {
  if (statusOf(error) === RANGE_NOT_SATISFIABLE) return 'range_not_satisfiable'
  return error instanceof Error && 'code' in error
    ? refusalCodesOfFastify[String(error.code)]
    : undefined
}

/** Converts an error to a refusal. Returns null for an internal error. */
export function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  return code ? new Refusal(code, refusals[code].detail, { cause: error }) : null
}

/** Returns an error as a part of a line, for an answer that has already begun. */
export function refusalLineOf(error: unknown) {
  const refusal = asRefusal(error)
  if (refusal === null) return { code: 'internal', status: 500, detail: 'Internal Server Error' }
  const { code, message } = refusal
  return { code, status: refusals[code].status, detail: message }
}

const sendDetail = (reply: FastifyReply, code: RefusalCode, detail: unknown, more = {}) =>
  reply
    .code(refusals[code].status)
    .header(REFUSAL_CODE_HEADER, code)
    .type('application/json')
    .send(JSON.stringify({ detail, ...more }))

/** Sends a refusal: its status, its code in a header and its message in the body. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal) =>
  sendDetail(reply, refusal.code, refusal.message, sameImageOf(refusal))

/** Returns the image with the same bytes, as a part of an answer. */
export const sameImageOf = (error: unknown) =>
  error instanceof AlreadyHere ? { same_image: error.image } : {}

/** Returns the 4xx status of an error, or null. A 5xx error of a plugin is answered as an internal error. */
const statusOf = (error: unknown): number | null => {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0
  return status >= 400 && status < 500 ? status : null
}

/** Refusals that the user has asked for, or whose cause is logged once. */
const expectedRefusals: readonly RefusalCode[] = ['library_read_only', 'library_away', 'stopping']

/** Logs a refusal that is the fault of this server or of a server behind it. */
function logFault(request: FastifyRequest, { code, message, cause }: Refusal): void {
  if (refusals[code].status < 500 || expectedRefusals.includes(code)) return
  request.log.warn({ code, ...(cause !== undefined && { err: cause }) }, message)
}

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // These headers describe the response that failed.
  for (const name of ['etag', 'content-disposition', 'content-encoding']) reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
  // `Content-Range` with the file size
  if (error instanceof Error && 'headers' in error) reply.headers(error.headers as object)
  if (error instanceof ValidationFailure) return sendDetail(reply, 'invalid_request', error.faults)
  const refusal = asRefusal(error)
  if (refusal) {
    logFault(request, refusal)
    return sendRefusal(reply, refusal)
  }
  const status = statusOf(error)
  if (status !== null) {
    const detail = error instanceof Error ? error.message : String(error)
    return reply.code(status).type('application/json').send(JSON.stringify({ detail }))
  }
  request.log.error({ err: error }, 'a request failed')
  const text = `Internal Server Error (request ID ${request.id})`
  return reply.code(500).type('text/plain; charset=utf-8').send(text)
}
