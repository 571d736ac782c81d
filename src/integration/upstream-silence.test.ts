import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { afterEach, expect, test } from 'vitest'
import type { UpstreamServerOptions } from '#server/index.ts'
import { defaultTimes } from '#server/upstream/upstream-watch.ts'
import { type Relay, startRelay } from '#testing/server/relay.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

/** Long enough for a busy machine. */
const pollOptions = { timeout: 20_000 }
const HOUR_MS = 3_600_000

let upstream: FakeUpstream
let relay: Relay
let gallery: RunningUpstreamServer
const open = async (watch: UpstreamServerOptions['watch']) => {
  upstream = await startFakeUpstream((_request, response) => response.end('[]'))
  relay = await startRelay(upstream.url)
  gallery = await startUpstreamServer(relay.url, { watch: { everyMs: HOUR_MS, ...watch } })
}
afterEach(async () => {
  await gallery.close()
  await relay.close()
  await upstream.kill()
})

const state = async () => (await gallery.client.server.upstream())?.state

test('reports a silent upstream as slow, and as up when it answers again', async () => {
  await open({ slowMs: 500, soonMs: HOUR_MS })
  expect(await state()).toBe('up')

  relay.stall()
  await expect.poll(state, pollOptions).toBe('slow')

  relay.resume()
  await expect.poll(state, pollOptions).toBe('up')
})

test('detects the end of a silence even if the pending probes are lost', async () => {
  await open({ slowMs: 300, soonMs: 200, downMs: HOUR_MS })
  expect(await state()).toBe('up')
  relay.stall()
  await expect.poll(state, pollOptions).toBe('slow')

  relay.resumeWithoutConnections()

  await expect.poll(state, pollOptions).toBe('up')
})

test('does not probe the upstream while it answers other requests', async () => {
  let asked = 0
  await open({ soonMs: HOUR_MS })
  upstream.server.prependListener('request', ({ url }) => {
    if (url === '/api/v1/app/version') asked++
  })
  expect(await state()).toBe('up')
  const before = asked

  for (let round = 0; round < 20; round++) {
    await fetch(`${gallery.url}/api/v1/boards/`)
    await state()
  }
  expect(asked).toBeLessThanOrEqual(before + 1)
})

test('detects a restarted upstream within two seconds while old probes hang @long', async () => {
  await open({ ...defaultTimes, everyMs: HOUR_MS })
  expect(await state()).toBe('up')
  relay.stall()
  await expect.poll(state, pollOptions).toBe('slow')

  // The connections of the old process stay open and silent. Only a new connection is answered.
  relay.resumeWithoutConnections()
  const backAt = performance.now()
  await expect.poll(async () => (await gallery.server.status()).state, pollOptions).toBe('up')

  expect(performance.now() - backAt).toBeLessThan(2_000)
})

test('detects within two seconds that a killed upstream is back, while probes hang @long', async () => {
  let hangs = false
  upstream = await startFakeUpstream(
    (_request, response) => {
      if (!hangs) response.end('{"version":"6.14.2"}')
    },
    { version: null },
  )
  relay = await startRelay(upstream.url)
  gallery = await startUpstreamServer(upstream.url, { watch: { ...defaultTimes, everyMs: 100 } })
  const status = async () => (await gallery.server.status()).state
  await expect.poll(status, pollOptions).toBe('up')
  hangs = true
  await expect.poll(status, pollOptions).toBe('slow')

  await upstream.kill()
  await expect.poll(status, pollOptions).toBe('down')
  hangs = false
  await upstream.revive()
  const backAt = performance.now()
  await expect.poll(status, pollOptions).toBe('up')

  expect(performance.now() - backAt).toBeLessThan(2_000)
})

test('closes an event connection that the restarted upstream does not know', async () => {
  await open({ slowMs: 100, downMs: 500, soonMs: 100 })
  const events = new Server(upstream.server, { path: '/ws/socket.io' })
  const options = { path: '/ws/socket.io', transports: ['websocket'], reconnection: false }
  const client = io(gallery.url, options)
  await expect.poll(() => client.connected, pollOptions).toBe(true)

  relay.stall()
  await expect.poll(state, pollOptions).toBe('down')
  expect(client.connected).toBe(true)
  relay.resumeWithoutConnections()

  await expect.poll(() => client.connected, pollOptions).toBe(false)
  events.engine.close()
})
