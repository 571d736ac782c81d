import { type RefusedCode, RefusedError } from '#client/errors.ts'
import type { ImageRecord } from '#contract/image.ts'
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
  // The built package leaves out the refusals that only a Tessera sends.
  const { refusals: ofOperation = [] } = operation
  const sameStatus = ofOperation.filter((code) => refusals[code].status === status)
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

/** Plain text of InvokeAI and of Tessera for an uncaught exception. */
const FAILURE = 'Internal Server Error'

/** Returns the body of Tessera or InvokeAI. null: the body is from a server in front of them, such as an HTML page. */
const bodyOf = (text: string): { detail: string; same_image?: ImageRecord } | null => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'detail' in body) {
      return { ...body, detail: formatDetail(body.detail) }
    }
  } catch {
    if (text.startsWith(FAILURE) && text.length < 300) return { detail: text }
  }
  return null
}

const PROXY = 'A server in front of Tessera'

/** Returns a message for a response of a proxy, whose own text is HTML or two words. */
const proxyDetail = (status: number): string => {
  if (status === 413) {
    return `${PROXY} refuses files of this size. Raise its limit there: client_max_body_size in nginx, for example.`
  }
  if (status === 429) return `${PROXY} takes no more requests for now. Try again in a moment.`
  if ([502, 503, 504].includes(status)) {
    return `${PROXY} does not reach it (${status}). Try again in a moment.`
  }
  return `${PROXY} ${status < 500 ? 'refused the request' : 'failed'} (${status}).`
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
  const { status, headers } = response
  const body = bodyOf(await response.text().catch(() => ''))
  const own = body?.detail ?? null
  const named = headers.get(REFUSAL_CODE_HEADER)
  const code = isRefusalCode(named) ? named : codeFromMessage(operation, status, own ?? '')
  const isProxyLimit = own === null && named === null && status === 413
  return new RefusedError({
    code: isProxyLimit ? 'proxy_too_large' : code,
    status,
    url,
    detail: own ?? proxyDetail(status),
    retryAfterMs: retryAfterMsOf(headers),
    sameImage: body?.same_image,
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
