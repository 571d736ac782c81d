import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { OLDEST_INVOKEAI } from '#contract/server/upstream-operations.ts'
import type { UpstreamServerOptions } from '#server/index.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

/** Long enough for a busy machine. */
const pollOptions = { timeout: 20_000 }

let upstream: FakeUpstream
let gallery: RunningUpstreamServer
const open = async (answer: RequestListener, options: Partial<UpstreamServerOptions> = {}) => {
  upstream = await startFakeUpstream(answer, { version: null })
  gallery = await startUpstreamServer(upstream.url, options)
}
afterEach(async () => {
  await gallery.close()
  await upstream.kill()
})

const says =
  (version: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ version }))

const status = () => gallery.client.server.upstream()

test.each(['6.0.0', '6.14.0-alpha', '6.2.0rc1', '7.0.0', '10.1'])(
  'reports %s as up',
  async (version) => {
    await open(says(version))

    expect(await status()).toMatchObject({
      address: upstream.url,
      state: 'up',
      detail: null,
      version,
      answer_ms: expect.any(Number),
    })
  },
)

test.each(['5.15.0', '4.2.9post1', '0.9', '5.99.99'])('reports %s as outdated', async (version) => {
  await open(says(version))

  expect(await status()).toMatchObject({
    state: 'outdated',
    version,
    oldest_supported: OLDEST_INVOKEAI,
    detail: expect.stringMatching(new RegExp(`is ${version}\\..*Update it`)),
  })
  expect((await fetch(`${gallery.url}/api/v1/boards/`)).status).toBe(200) // still passed on
})

test.each([
  ['a page', (_request, response) => response.setHeader('content-type', 'text/html').end('<p>')],
  ['something else', says(undefined)],
  ['no version', says('latest <script>')],
  ['no end', (_request, response) => void response.end('['.repeat(1_000_000))],
] satisfies [string, RequestListener][])(
  'does not accept %s as an answer of InvokeAI',
  async (_what, answer) => {
    await open(answer)

    expect(await status()).toMatchObject({
      state: 'down',
      version: null,
      answer_ms: null,
      detail: `What answers at ${upstream.url} is no InvokeAI. Look at --upstream.`,
    })
  },
)

test('reports a slow upstream before it answers, and no longer when it is fast', async () => {
  const waiting: (() => void)[] = []
  let isQuick = false
  await open(
    (request, response) => {
      waiting.push(() => says('6.14.0')(request, response))
      if (isQuick) waiting.pop()?.()
    },
    { watch: { slowMs: 300, everyMs: 50, soonMs: 50 } },
  )

  expect(await status()).toMatchObject({ state: 'slow', version: null })
  isQuick = true
  waiting.pop()?.()
  await expect.poll(async () => (await status())?.state, pollOptions).toBe('up')
})

test('reports a hanging upstream as down without delaying capabilities', async () => {
  await open(() => {}, { watch: { slowMs: 50, downMs: 200, soonMs: 50 } })

  expect(await gallery.client.server.capabilities()).toMatchObject({
    server: 'invokeai',
    version: 'unknown',
    front: { upstream: upstream.url },
  })
  await expect.poll(async () => (await status())?.state, pollOptions).toBe('down')
  expect((await status())?.detail).toContain('took too long')
})

test('updates the status after a failed or successful request', async () => {
  await open(says('6.14.0'), { watch: { everyMs: 3_600_000, soonMs: 3_600_000 } })
  expect(await gallery.server.status()).toMatchObject({ state: 'up' })

  await upstream.kill()
  await fetch(`${gallery.url}/api/v1/boards/`)
  await expect.poll(async () => (await gallery.server.status()).state, pollOptions).toBe('down')

  await upstream.revive()
  await fetch(`${gallery.url}/api/v1/boards/`)
  await expect.poll(async () => (await gallery.server.status()).state, pollOptions).toBe('up')
})

test('reports an unresolvable name as down, and as up once it resolves', async () => {
  let isKnown = false
  upstream = await startFakeUpstream(says('6.14.0'))
  gallery = await startUpstreamServer(`http://invoke.lan:${upstream.port}`, {
    resolve: async () => (isKnown ? [{ address: '127.0.0.1', family: 4 }] : []),
  })

  expect(await status()).toMatchObject({
    state: 'down',
    detail: expect.stringContaining('no machine of this name'),
  })
  isKnown = true
  await expect.poll(async () => (await status())?.state, pollOptions).toBe('up')
})

test('checks the upstream while the maximum number of requests is pending', async () => {
  upstream = await startFakeUpstream(() => {})
  gallery = await startUpstreamServer(upstream.url)
  const leave = new AbortController()
  const ask = () => fetch(`${gallery.url}/api/v1/boards/`, { signal: leave.signal })
  const asked = Array.from({ length: 40 }, () => ask().catch(() => {}))
  await expect.poll(() => upstream.received.length, pollOptions).toBe(32)

  const before = (await status())?.checked_at ?? ''
  await expect
    .poll(async () => ((await status())?.checked_at ?? '') > before, pollOptions)
    .toBe(true)
  expect(await status()).toMatchObject({ state: 'up' })
  leave.abort()
  await Promise.all(asked)
})
