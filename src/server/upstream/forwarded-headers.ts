import type { IncomingHttpHeaders } from 'node:http'

/** Request headers that reach the upstream. All others are dropped. */
const requestHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'content-encoding',
  'content-length',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'range',
] as const

/** Response headers that reach the browser. None of them permits scripts or frames, sets cookies or redirects. */
const answerHeaders = [
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'retry-after',
  'x-refreshed-token',
] as const

const pick = (
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Record<string, string | string[]> => {
  const picked: Record<string, string | string[]> = {}
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) picked[name] = value
  }
  return picked
}

/** Headers of a forwarded request that this server sets. */
export interface Sender {
  /** Host and port of the upstream. */
  host: string
  /** The bearer header for the upstream, unless it is the gallery's own token. */
  authorization: string | undefined
  /** The upstream's own cookie. */
  cookie: string | undefined
  via: string
}

export const headersForUpstream = (
  headers: IncomingHttpHeaders,
  { host, authorization, cookie, via }: Sender,
): Record<string, string | string[]> => ({
  ...pick(headers, requestHeaders),
  // Sizes are then exact, and responses are compressed only once, for the browser.
  'accept-encoding': 'identity',
  ...(authorization !== undefined && { authorization }),
  ...(cookie !== undefined && { cookie }),
  host,
  via,
})

/** Returns the response headers for the browser. The CSP blocks scripts in the body. */
export const headersForBrowser = (
  headers: IncomingHttpHeaders,
): Record<string, string | string[]> => ({
  ...pick(headers, answerHeaders),
  'content-security-policy': "default-src 'none'; sandbox",
})
