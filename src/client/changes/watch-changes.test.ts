import { expect, onTestFinished, test, vi } from 'vitest'
import { connect, type TesseraClient } from '#client/connect.ts'
import type { LibraryChanges } from '#contract/server/change-operations.ts'
import { FakeFetch, json, type Route, refusal } from '#testing/fake-fetch.ts'

const capabilities = {
  ...{ server: 'tessera', extensions: ['changes'] },
  limits: { requests_per_minute: null, batch_requests_per_minute: null },
}

const change = (old_state: string, new_state: string, created: string[] = []): LibraryChanges => {
  const none = { created: [], updated: [], destroyed: [] }
  return {
    ...{ old_state, new_state, has_more: false, images: { ...none, created }, boards: none },
    ...{ unlisted_boards: [], is_everything_unlisted: false, idle_ms: 0 },
  }
}

/** A server whose answers to `GET /changes` the test names in order. Its last answer repeats. */
const serverOf = (...answers: Route[]) => {
  const asked: (string | null)[] = []
  const sockets: EventTarget[] = []
  class Socket extends EventTarget {
    constructor() {
      super()
      sockets.push(this)
    }
    /** Answers probes, as servers do. */
    send(): void {
      this.dispatchEvent(new MessageEvent('message', { data: '' }))
    }
    close(): void {}
  }
  const { fetch } = new FakeFetch({
    'GET /api/v1/app/capabilities': () => capabilities,
    'GET /api/v1/changes': (request) => {
      asked.push(request.query.get('since'))
      return (answers.length > 1 ? answers.shift() : answers[0])?.(request)
    },
  })
  const WebSocket = Socket as unknown as new (url: string) => globalThis.WebSocket
  const client = connect({ baseUrl: 'http://gallery.test', fetch, events: { WebSocket } })
  return { asked, sockets, client }
}

/** Watches until a number of entries arrived. */
const entries = async (client: TesseraClient, count: number, options = {}) => {
  const found: LibraryChanges[] = []
  for await (const entry of client.changes.watch({ pollMs: 5, ...options })) {
    if (found.push(entry) === count) break
  }
  return found
}

test('yields earlier changes in parts, and later ones by asking without a connection', async () => {
  const { client, asked } = serverOf(
    () => ({ ...change('s1', 's2'), has_more: true }),
    () => change('s2', 's3'),
    () => change('s3', 's3'),
    () => change('s3', 's4'),
  )

  const found = await entries(client, 3, { since: 's1' })

  expect(found.map(({ new_state }) => new_state)).toEqual(['s2', 's3', 's4'])
  expect(asked).toEqual(['s1', 's2', 's3', 's3'])
})

test('starts at the current state by default', async () => {
  const { client, asked } = serverOf(
    () => change('s1', 's1'),
    () => change('s1', 's2', ['a.png']),
  )

  const [entry] = await entries(client, 1)

  expect(entry?.images.created).toEqual(['a.png'])
  expect(asked).toEqual([null, 's1'])
})

test('waits for events while the connection is open', async () => {
  let current = change('s1', 's1')
  const { client, asked, sockets } = serverOf(() => current)
  const found = entries(client, 1, { since: 's1', exceptOrigin: 'me' })
  await expect.poll(() => sockets.length).toBe(1)
  const [socket] = sockets
  const send = (origin: string | null, state: string) =>
    socket?.dispatchEvent(
      new MessageEvent('message', {
        data: JSON.stringify({ event: 'library_changed', data: { origin, state } }),
      }),
    )
  socket?.dispatchEvent(new Event('open'))
  await expect.poll(() => asked.length).toBeGreaterThan(1)
  await new Promise((resolve) => setTimeout(resolve, 600))
  const before = asked.length

  send(null, 's1')
  send('me', 's2')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toHaveLength(before)

  current = change('s1', 's3')
  send(null, 's3')
  expect((await found)[0]?.new_state).toBe('s3')
})

test('asks after half a minute without an event, because the last one may be lost', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { client, asked, sockets } = serverOf(() => change('s1', 's1'))
  const stop = new AbortController()
  const ended = expect(
    entries(client, 1, { since: 's1', pollMs: 2_000, signal: stop.signal }),
  ).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(2_000)
  sockets[0]?.dispatchEvent(new Event('open'))
  await vi.advanceTimersByTimeAsync(1_000)

  const before = asked.length
  await vi.advanceTimersByTimeAsync(28_000)
  expect(asked).toHaveLength(before)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toHaveLength(before + 1)

  sockets[0]?.dispatchEvent(new CloseEvent('close', { code: 1006 }))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(asked.length).toBeGreaterThan(before + 1)
  stop.abort(new Error('enough'))
  await ended
})

test('says that the library must be read again if the state is unknown', async () => {
  const { client, asked } = serverOf(
    () => refusal(410, 'Read the library again.'),
    () => change('s9', 's9'),
    () => change('s9', 's10'),
  )

  const [lost, next] = await entries(client, 2, { since: 's1' })

  expect(lost).toMatchObject({ old_state: 's1', new_state: 's9', is_everything_unlisted: true })
  expect(next).toMatchObject({ new_state: 's10', is_everything_unlisted: false })
  expect(asked).toEqual(['s1', null, 's9'])
})

test('goes on after failures of the server', async () => {
  const { client } = serverOf(
    () => json({ detail: 'away' }, 502),
    () => Promise.reject(new TypeError('cut')),
    () => change('s1', 's2'),
  )

  const [entry] = await entries(client, 1, { since: 's1' })

  expect(entry?.new_state).toBe('s2')
})

test('throws if the server has no changes, and opens no connection', async () => {
  const { client, sockets } = serverOf(() => refusal(404, 'Not Found'))

  await expect(entries(client, 1)).rejects.toMatchObject({ name: 'RefusedError', status: 404 })
  expect(sockets).toEqual([])
})

test.each([
  ['its signal', (stop: AbortController) => stop.abort(new Error('enough')), 'enough'],
  ['the end of the client', (_: unknown, client: TesseraClient) => client.close(), 'closed'],
] as const)('ends with %s', async (_, end, message) => {
  const { client, sockets } = serverOf(() => change('s1', 's1'))
  const stop = new AbortController()
  const watched = entries(client, 1, { pollMs: 60_000, signal: stop.signal })
  await expect.poll(() => sockets.length).toBe(1)

  end(stop, client)

  await expect(watched).rejects.toThrow(message)
})
