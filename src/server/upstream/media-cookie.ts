/** InvokeAI authorizes `<img>` requests with this cookie, because they send no bearer header. */
export const MEDIA_COOKIE = 'invokeai_media_token'

/** Characters of a signed token. None of them can end the header. */
const tokenText = /^[\w.~+/=-]{1,4096}$/

/** Returns the `Cookie` header for the upstream: only its own cookie. */
export const cookieForUpstream = (
  cookies: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const token = cookies[MEDIA_COOKIE]
  return token !== undefined && tokenText.test(token) ? `${MEDIA_COOKIE}=${token}` : undefined
}

/**
 * Returns the `Set-Cookie` headers for the browser: only the media cookie. Path, `HttpOnly` and `SameSite` are fixed,
 * and a domain is dropped, whatever the upstream sent.
 */
export const cookiesForBrowser = (
  setCookies: readonly string[] = [],
  { isSecure }: { isSecure: boolean },
): string[] =>
  setCookies.flatMap((setCookie) => {
    const [pair = '', ...attributes] = setCookie.split(';').map((part) => part.trim())
    const [name, ...rest] = pair.split('=')
    const value = rest.join('=').replace(/^"(.*)"$/, '$1')
    if (name !== MEDIA_COOKIE || (value !== '' && !tokenText.test(value))) return []
    const lasts = attributes.filter((one) =>
      /^(?:max-age=-?\d{1,10}|expires=[\w,: -]{1,40})$/i.test(one),
    )
    const fixed = ['Path=/api/v1', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])]
    return [[`${MEDIA_COOKIE}=${value}`, ...lasts, ...fixed].join('; ')]
  })
