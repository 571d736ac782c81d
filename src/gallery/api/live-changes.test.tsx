import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createStore } from 'zustand'
import { connect } from '#client/connect.ts'
import type { EventStreamState } from '#client/index.ts'
import { FakeFetch } from '#testing/fake-fetch.ts'
import { systemClock } from './clock.ts'
import { LiveChanges } from './live-changes.ts'

beforeEach(() => void vi.useFakeTimers())

const capabilities = {
  ...{ server: 'tessera', extensions: ['changes'] },
  limits: { requests_per_minute: null, batch_requests_per_minute: null },
}

/** Starts a page whose event stream is in a phase. `now.idleMs` is the age of the last change of the library. */
const startPage = async ({ phase = 'open', extensions = capabilities.extensions } = {}) => {
  const now = { idleMs: 3_600_000, refreshes: 0 }
  const none = { created: [], updated: [], destroyed: [] }
  const changes = { old_state: 's1', new_state: 's1', has_more: false, images: none, boards: none }
  const server = new FakeFetch({
    'GET /api/v1/app/capabilities': () => ({ ...capabilities, extensions }),
    'GET /api/v1/changes': () => ({
      ...{ ...changes, unlisted_boards: [], is_everything_unlisted: false },
      idle_ms: now.idleMs,
    }),
    'GET /api/v1/images/': () => ({ offset: 0, limit: 1, total: 0, items: [] }),
  })
  const state = { phase } as EventStreamState
  const live = new LiveChanges({
    client: connect({ baseUrl: 'http://gallery.test', fetch: server.fetch }),
    clock: systemClock,
    origin: 'tab',
    events: {
      on: () => () => {},
      onConnected: () => () => {},
      stream: createStore(() => ({ state, hasBeenOpen: phase === 'open' })),
    },
    refresh: { all: () => void now.refreshes++, inSight: () => {}, askAgain: () => {} },
    reachability: { askAgain: async () => {} },
    others: { show: () => {} },
    contested: { ask: () => {} },
  })
  const page = new AbortController()
  onTestFinished(() => {
    page.abort()
    vi.useRealTimers()
  })
  const start = () => live.start(page.signal)
  const questions = (path = '/api/v1/changes') =>
    server.requests.filter((request) => request.path === path).length
  return { now, start, questions }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('reads all that it shows if the library changed after the page was opened', async () => {
  const { now, start } = await startPage()
  await pass(10_000)
  now.idleMs = performance.now() - 1

  await start()
  await pass(0)

  expect(now.refreshes).toBe(1)
})

test('reads nothing again if the last change is older than the page', async () => {
  const { now, start } = await startPage()
  await pass(10_000)
  now.idleMs = performance.now() + 1

  await start()
  await pass(0)

  expect(now.refreshes).toBe(0)
})

test('asks after half a minute without an event, because the last one may be lost', async () => {
  const { start, questions } = await startPage()
  await start()
  await pass(29_000)
  expect(questions()).toBe(1)

  await pass(2_000)

  expect(questions()).toBe(2)
})

test('asks every two seconds without an event stream, and nothing while it is hidden', async () => {
  const { start, questions } = await startPage({ phase: 'lost' })
  await start()

  await pass(10_000)
  expect(questions()).toBe(6)
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  await pass(10_000)

  expect(questions()).toBe(6)
})

test('asks a server that lists no changes every five seconds for its newest image', async () => {
  const { start, questions } = await startPage({ extensions: [] })
  await start()

  await pass(21_000)

  expect(questions('/api/v1/images/')).toBe(4)
})

test('asks at once when the network is back', async () => {
  const { start, questions } = await startPage()
  await start()
  await pass(1_000)

  window.dispatchEvent(new Event('online'))
  await pass(0)

  expect(questions()).toBe(2)
})

test('asks once when it is seen after a sleep', async () => {
  const { start, questions } = await startPage()
  await start()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  await pass(3_600_000)
  expect(questions()).toBe(1)

  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('focus'))
  await pass(1_000)
  window.dispatchEvent(new Event('focus'))
  await pass(20_000)

  expect(questions()).toBe(2)
})
