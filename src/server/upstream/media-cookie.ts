/** With it InvokeAI shows images to `<img>`, which sends no bearer (wire 7). */
export const MEDIA_COOKIE = 'invokeai_media_token'

/** A signed token, and nothing that could end the header. */
const tokenText = /^[\w.~+/=-]{1,4096}$/

/** What the upstream is sent of a browser's cookies: its own. */
export const cookieForUpstream = (
  cookies: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const token = cookies[MEDIA_COOKIE]
  return token !== undefined && tokenText.test(token) ? `${MEDIA_COOKIE}=${token}` : undefined
}

/**
 * What a browser is sent of the upstream's cookies: that one, for images alone, out of reach of scripts,
 * and for no other host, whatever the upstream asked for.
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
