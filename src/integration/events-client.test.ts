import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  connect,
  type EventStream,
  type EventStreamState,
  type ServerEvent,
} from '#client/index.ts'
import { eventNames, MAX_SOCKETS_PER_ADDRESS, SOCKET_IO_PATH } from '#contract/events.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { emitAll, sampleEvents } from './sample-events.ts'

/** Waits until a stream reaches a phase. */
const untilPhase = (stream: EventStream, phase: EventStreamState['phase']) =>
  new Promise<void>((resolve) => {
    const look = () => stream.getState().phase === phase && resolve()
    stream.onState(look)
    look()
  })

/** Records everything that a stream reports. */
class EventRecorder {
  readonly events: ServerEvent[] = []
  readonly stop: () => void
  #onEvent = () => {}

  constructor(stream: EventStream) {
    this.stop = stream.listen((event) => {
      this.events.push(event)
      this.#onEvent()
    })
  }

  async names(count: number): Promise<string[]> {
    while (this.events.length < count) {
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve
      })
    }
    return this.events.map(({ event }) => event)
  }
}

describe('with a Tessera server', () => {
  let server: RunningServer
  beforeEach(async () => {
    server = await startServer()
  })
  afterEach(() => server.close())

  test('delivers each event once and in order', async () => {
    const { events } = connect({ baseUrl: server.url, events: { changes: true } })
    const recorder = new EventRecorder(events)
    await untilPhase(events, 'open')

    emitAll(server.events)

    expect(await recorder.names(eventNames.length)).toEqual(Object.keys(sampleEvents))
    recorder.stop()
  })

  test('reconnects after a server restart', async () => {
    const { events } = server.client
    const recorder = new EventRecorder(events)
    await untilPhase(events, 'open')
    const lost = untilPhase(events, 'lost')

    await server.restart()
    await lost
    await untilPhase(events, 'open')

    server.events.emit('queue_cleared', sampleEvents.queue_cleared)
    expect(await recorder.names(1)).toEqual(['queue_cleared'])
    recorder.stop()
  })

  test('reports a stream that was replaced by one of the same client', async () => {
    const open = () => connect({ baseUrl: server.url, events: { clientId: 'page' } }).events
    const [older, newer] = [open(), open()]
    const olderRecorder = new EventRecorder(older)
    await untilPhase(older, 'open')
    const newerRecorder = new EventRecorder(newer)

    await untilPhase(older, 'replaced')
    await untilPhase(newer, 'open')

    olderRecorder.stop()
    newerRecorder.stop()
  })

  test('closes the socket when the last listener is removed', async () => {
    for (let turn = 1; turn <= MAX_SOCKETS_PER_ADDRESS + 4; turn += 1) {
      const clientId = `page ${turn}`
      const { events } = connect({ baseUrl: server.url, events: { clientId } })
      const recorder = new EventRecorder(events)
      await untilPhase(events, 'open')
      recorder.stop()
      expect(events.getState().phase).toBe('closed')
    }
  })
})

test('requires the token to open the stream', async () => {
  const server = await startServer({ token: 'sesame' })
  const { events } = connect({ baseUrl: server.url, token: 'sesame' })
  const recorder = new EventRecorder(events)
  await untilPhase(events, 'open')
  const refused = connect({ baseUrl: server.url })
  const refusedRecorder = new EventRecorder(refused.events)
  await untilPhase(refused.events, 'lost')

  refusedRecorder.stop()
  recorder.stop()
  await server.close()
})

describe('with an InvokeAI server', () => {
  let http: HttpServer
  let io: Server
  let baseUrl: string
  let subscriptions: [string, unknown][]
  beforeEach(async () => {
    subscriptions = []
    http = createServer((request, answer) => {
      const isVersion = request.url === '/api/v1/app/version'
      answer.setHeader('content-type', isVersion ? 'application/json' : 'text/html')
      answer.end(isVersion ? '{"version":"6.13.0"}' : '<!doctype html>')
    })
    io = new Server(http, { path: SOCKET_IO_PATH })
    io.on('connection', (socket) => {
      socket.onAny((event, data) => subscriptions.push([event, data]))
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  })
  afterEach(() => io.close())

  test('receives events by Socket.IO, ignores repeats and unknown events', async () => {
    const { events } = connect({ baseUrl })
    const recorder = new EventRecorder(events)
    await untilPhase(events, 'open')
    const started = { timestamp: 1, ...sampleEvents.invocation_started }

    for (const _room of ['user', 'admin']) io.emit('invocation_started', started)
    io.emit('recall_parameters_updated', { timestamp: 1 })
    io.emit('invocation_started', 'broken')
    io.emit('queue_cleared', { timestamp: 2, ...sampleEvents.queue_cleared })

    expect(await recorder.names(2)).toEqual(['invocation_started', 'queue_cleared'])
    recorder.stop()
  })

  test.each(['completed', 'failed', 'canceled'] as const)(
    'reports the end of a session for an item that is %s',
    async (status) => {
      const { events } = connect({ baseUrl })
      const recorder = new EventRecorder(events)
      await untilPhase(events, 'open')
      const item = { timestamp: 7, ...sampleEvents.queue_item_status_changed }

      io.emit('queue_item_status_changed', item)
      io.emit('queue_item_status_changed', { ...item, status })

      const changed = 'queue_item_status_changed'
      expect(await recorder.names(3)).toEqual([changed, changed, 'session_complete'])
      expect(recorder.events[2]?.data).toEqual({
        timestamp: 7,
        ...sampleEvents.session_complete,
        status,
      })
      recorder.stop()
    },
  )

  test('subscribes again after each reconnect', async () => {
    const { events } = connect({ baseUrl })
    const recorder = new EventRecorder(events)
    await untilPhase(events, 'open')
    const lost = untilPhase(events, 'lost')
    await expect.poll(() => subscriptions.length).toBe(2)

    io.disconnectSockets(true)
    await lost
    events.retryNow()
    await untilPhase(events, 'open')
    await expect.poll(() => subscriptions.length).toBe(4)

    const both = [
      ['subscribe_queue', { queue_id: 'default' }],
      ['subscribe_bulk_download', { bulk_download_id: 'default' }],
    ]
    expect(subscriptions).toEqual([...both, ...both])
    recorder.stop()
  })
})
