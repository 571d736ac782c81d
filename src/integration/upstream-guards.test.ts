import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SHARE_PATH } from '#contract/uploads/upload-operations.ts'
import type { UpstreamServerOptions } from '#server/index.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

let upstream: FakeUpstream
let gallery: RunningUpstreamServer
const open = async (options: Partial<UpstreamServerOptions> = {}) => {
  upstream = await startFakeUpstream((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  )
  gallery = await startUpstreamServer(upstream.url, options)
}
afterEach(async () => {
  await gallery.close()
  await upstream.kill()
})

/** Sends a request with headers that `fetch` does not allow. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    const asked = request(`${gallery.url}${path}`, { headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, code: answer.headers['x-refusal-code'] })
    })
    asked.on('error', reject).end()
  })

test('forwards nothing for an unknown host or another site', async () => {
  await open({ allowedHosts: ['gallery.lan'] })

  expect((await ask('/api/v1/boards/', { host: 'gallery.lan' })).status).toBe(200)
  const refused = [
    { host: 'evil.example' },
    { origin: 'http://evil.example' },
    { origin: upstream.url },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of refused) {
    expect((await ask('/api/v1/boards/', headers)).status).toBe(403)
    expect((await ask('/ws/socket.io/?EIO=4&transport=polling', headers)).status).toBe(403)
  }
  expect(upstream.received).toHaveLength(1)
})

test('forwards nothing without the token, if there is one', async () => {
  await open({ token: 'sesame' })
  const signIn = await fetch(`${gallery.url}/?token=sesame`, { redirect: 'manual' })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''

  for (const path of ['/api/v1/boards/', '/api/v1/app/upstream', '/ws/socket.io/?EIO=4']) {
    expect(await ask(path)).toEqual({ status: 401, code: 'unauthorized' })
    const wrong = { authorization: 'Bearer ey.login' }
    expect(await ask(path, wrong)).toEqual({ status: 401, code: 'unauthorized' })
    expect((await ask(path, { cookie })).status).toBe(200)
  }
  expect((await ask('/')).status).toBe(401)
})

test("forwards an InvokeAI login next to the gallery's cookie", async () => {
  await open({ token: 'sesame' })
  const signIn = await fetch(`${gallery.url}/?token=sesame`, { redirect: 'manual' })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''

  await ask('/api/v1/boards/', { cookie, authorization: 'Bearer ey.login' })

  expect(upstream.received[0]?.headers).toMatchObject({ authorization: 'Bearer ey.login' })
  expect(upstream.received[0]?.headers).not.toHaveProperty('cookie')
})

test('has no rate limits by default', async () => {
  await open()
  for (let sent = 0; sent < 120; sent++) {
    expect((await ask('/api/v1/boards/')).status).toBe(200)
  }
})

test("applies configured limits as the gallery's own server does", async () => {
  await open({ rateLimit: { requestsPerMinute: 3, batchRequestsPerMinute: 1 } })
  const { limits } = await gallery.client.server.capabilities() // the first of three

  expect(limits).toMatchObject({ requests_per_minute: 3, batch_requests_per_minute: 1 })
  for (let sent = 0; sent < 10; sent++) await ask('/api/v1/images/i/a.png/thumbnail')
  const star = () => fetch(`${gallery.url}/api/v1/images/star`, { method: 'POST' })
  expect([(await star()).status, (await star()).status]).toEqual([200, 429])
  expect((await ask('/api/v1/boards/')).status).toBe(200)
  expect((await ask('/api/v1/boards/')).status).toBe(429)
  expect((await ask('/api/v1/images/i/a.png/thumbnail')).status).toBe(200)
})

test('serves its own page, whatever the upstream is', async () => {
  const pageFolder = join(await createTemporaryFolder(), 'page')
  await mkdir(join(pageFolder, 'assets'), { recursive: true })
  await writeFile(join(pageFolder, 'index.html'), '<title>Tessera</title>')
  await writeFile(join(pageFolder, 'assets/index-1a2b.js'), '// script')
  await open({ pageFolder })
  await upstream.kill()

  for (const path of ['/', '/boards/none']) {
    const page = await fetch(`${gallery.url}${path}`)
    expect(await page.text()).toBe('<title>Tessera</title>')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  }
  expect(await (await fetch(`${gallery.url}/assets/index-1a2b.js`)).text()).toBe('// script')
  const share = await fetch(`${gallery.url}${SHARE_PATH}`, { method: 'POST', body: new FormData() })
  expect([share.status, await share.text()]).toEqual([405, expect.stringContaining('Open Tessera')])
  for (const path of ['/ws', '/api', '/assets/other.js']) {
    expect((await ask(path)).status, path).toBe(404)
  }
  await removeFolder(join(pageFolder, '..'))
})
