import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Api, openApi } from './open-api.ts'

let api: Api
afterEach(() => api.close())

/** `fetch` cannot send another host name than that of the address. */
const statusForHost = async (host: string, path: string): Promise<number | undefined> => {
  const [answer] = (await once(get(`${api.url}${path}`, { headers: { host } }), 'response')) as [
    IncomingMessage,
  ]
  answer.resume()
  return answer.statusCode
}

const TOKEN = 'a-token-of-a-person'

test('answers probes without a token, a limit or a known host name', async () => {
  const rateLimit = { requestsPerMinute: 1, batchRequestsPerMinute: 1 }
  api = await openApi({ token: TOKEN, rateLimit })

  for (const path of ['/api/v1/health', '/api/v1/ready', '/api/v1/health', '/api/v1/ready']) {
    const answer = await api.send('GET', path)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('ratelimit-limit')).toBeNull()
  }
  expect((await api.send('GET', '/api/v1/app/library')).status).toBe(401)
  expect(await statusForHost('pod.cluster', '/api/v1/ready')).toBe(200)
  expect(await statusForHost('pod.cluster', '/api/v1/app/version')).toBe(403)
})

test('names each server that answers, with its time', async () => {
  api = await openApi()

  const { body } = await api.send('GET', '/api/v1/ready')

  const ms = expect.any(Number)
  expect(body).toEqual({ status: 'ready', checks: [{ name: 'database', status: 'ok', ms }] })
})

test('says that a library is read-only', async () => {
  api = await openApi()
  await api.close()
  api = await openApi({ readOnly: true }, async (folder) => {
    const { createServer } = await import('#server/app.ts')
    await (await createServer({ dataFolder: folder })).close()
  })

  expect((await api.send('GET', '/api/v1/health')).body).toMatchObject({
    status: 'read_only',
    detail: expect.stringContaining('started with --read-only'),
  })
  expect((await api.send('GET', '/api/v1/ready')).status).toBe(200)
})
