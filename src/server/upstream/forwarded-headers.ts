import type { IncomingHttpHeaders } from 'node:http'

/** What a request may say to the upstream. What is not here does not reach it. */
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

/** What the upstream may say to the browser. No scripts, frames, cookies or other places are among it. */
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

/** Who sends, as far as the upstream is to know. */
export interface Sender {
  /** The host that the upstream is to be called by, with its port. */
  host: string
  /** The bearer of a login there, if it is none of ours. */
  authorization: string | undefined
  /** The upstream's own cookie, as it is to be sent. */
  cookie: string | undefined
  /** Which servers the request came through. */
  via: string
}

/** The headers of a request as the upstream gets them. */
export const headersForUpstream = (
  headers: IncomingHttpHeaders,
  { host, authorization, cookie, via }: Sender,
): Record<string, string | string[]> => ({
  ...pick(headers, requestHeaders),
  // Sizes are then true, and what is compressed on the way to the browser is compressed once.
  'accept-encoding': 'identity',
  ...(authorization !== undefined && { authorization }),
  ...(cookie !== undefined && { cookie }),
  host,
  via,
})

/** The headers of an answer as the browser gets them. Nothing in the body can run. */
export const headersForBrowser = (
  headers: IncomingHttpHeaders,
): Record<string, string | string[]> => ({
  ...pick(headers, answerHeaders),
  'content-security-policy': "default-src 'none'; sandbox",
})
