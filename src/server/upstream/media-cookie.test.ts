import { expect, test } from 'vitest'
import { cookieForUpstream, cookiesForBrowser } from './media-cookie.ts'

const safe = 'Path=/api/v1; HttpOnly; SameSite=Lax'
const forBrowser = (...cookies: string[]) => cookiesForBrowser(cookies, { isSecure: false })

test('sends the upstream only its own cookie', () => {
  const cookies = { tessera_9091: 'secret', invokeai_media_token: 'ey.J-_.x', other: '1' }

  expect(cookieForUpstream(cookies)).toBe('invokeai_media_token=ey.J-_.x')
  expect(cookieForUpstream({ tessera_9091: 'secret' })).toBeUndefined()
  for (const broken of ['', 'a;b', 'a\r\nhost: x', 'a b', 'x'.repeat(5000)]) {
    expect(cookieForUpstream({ invokeai_media_token: broken })).toBeUndefined()
  }
})

test('sends the browser that cookie, limited to images and HttpOnly', () => {
  const given =
    'invokeai_media_token=ey.J; Max-Age=86400; Path=/; Domain=evil.example; SameSite=None'

  expect(forBrowser(given)).toEqual([`invokeai_media_token=ey.J; Max-Age=86400; ${safe}`])
  expect(cookiesForBrowser([given], { isSecure: true })).toEqual([
    `invokeai_media_token=ey.J; Max-Age=86400; ${safe}; Secure`,
  ])
})

test('deletes the cookie on logout', () => {
  const gone =
    'invokeai_media_token=""; expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/api/v1'

  expect(forBrowser(gone)).toEqual([
    `invokeai_media_token=; expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; ${safe}`,
  ])
})

test.each([
  'session=1',
  'tessera_9091=forged; Path=/',
  'invokeai_media_token2=x',
  'Invokeai_media_token=x',
  'invokeai_media_token',
  '__Host-invokeai_media_token=x',
  'invokeai_media_token=a b',
  'invokeai_media_token=a"b',
  '=x',
  '',
])('does not send the browser %j', (cookie) => {
  expect(forBrowser(cookie).filter((one) => one !== `invokeai_media_token=; ${safe}`)).toEqual([])
})
