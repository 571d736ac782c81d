import { type RefusedCode, RefusedError } from '#client/errors.ts'
import type { Operation } from '#contract/operation.ts'
import { REFUSAL_CODE_HEADER, type RefusalCode, refusals } from '#contract/refusal.ts'

/** InvokeAI's messages, with status 500, for moving a single unknown image. */
const UNKNOWN_IMAGE_DETAILS = ['Failed to add image to board', 'Failed to remove image from board']

const codeByStatus: Readonly<Record<number, RefusalCode>> = {
  401: 'login_required', // a Tessera sends its own code
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unreadable_image',
  422: 'invalid_request',
  429: 'rate_limited',
  501: 'not_implemented',
  503: 'busy',
  507: 'disk_full',
}

const isRefusalCode = (code: string | null): code is RefusalCode =>
  code !== null && Object.hasOwn(refusals, code)

/** Derives the code from the status, the message and the operation's refusals. InvokeAI sends no codes. */
const codeFromMessage = (operation: Operation, status: number, detail: string): RefusedCode => {
  if (status === 500 && UNKNOWN_IMAGE_DETAILS.includes(detail)) return 'image_not_found'
  const sameStatus = operation.refusals.filter((code) => refusals[code].status === status)
  const sameMessage = sameStatus.find((code) => refusals[code].detail === detail)
  const only = sameStatus.length === 1 ? sameStatus[0] : undefined
  return sameMessage ?? only ?? codeByStatus[status] ?? 'unexpected'
}

/** Formats one validation error, such as `query.board_name: Field required`. */
const formatError = (fault: unknown): string => {
  if (typeof fault !== 'object' || fault === null) return String(fault)
  const { loc, msg } = fault as { loc?: unknown; msg?: unknown }
  return `${Array.isArray(loc) ? loc.join('.') : ''}: ${String(msg)}`
}

const formatDetail = (detail: unknown): string => {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(formatError).join('; ')
  return JSON.stringify(detail)
}

/** Returns `detail` of a JSON body, or the text of another body. */
const detailOf = (text: string, status: number): string => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'detail' in body) {
      return formatDetail(body.detail)
    }
  } catch {
    // Not JSON: InvokeAI answers an uncaught exception as plain text, a proxy as HTML.
  }
  const isPlainText = text !== '' && text.length < 300 && !text.includes('<')
  return isPlainText ? text : `Status ${status}`
}

/** Returns the milliseconds of `Retry-After`; undefined if it is absent or a date. */
export const retryAfterMsOf = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/** Converts a response with a status of 400 or higher to an error. Consumes the body. */
export const refusalOfAnswer = async (
  operation: Operation,
  response: Response,
  url: string,
): Promise<RefusedError> => {
  const detail = detailOf(await response.text().catch(() => ''), response.status)
  const named = response.headers.get(REFUSAL_CODE_HEADER)
  return new RefusedError({
    code: isRefusalCode(named) ? named : codeFromMessage(operation, response.status, detail),
    status: response.status,
    url,
    detail,
    retryAfterMs: retryAfterMsOf(response.headers),
  })
}

/** Returns the error for an unknown path, which InvokeAI answers with status 200 and its HTML page. */
export const notFound = (operation: Operation, url: string): RefusedError =>
  new RefusedError({
    code: codeFromMessage(operation, 404, refusals.not_found.detail),
    status: 404,
    url,
    detail: refusals.not_found.detail,
  })
