import { expect, test } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import type { ConnectionHandlers, OpenConnection } from './event-connection.ts'
import { EventStream, type EventStreamState } from './event-stream.ts'

const cleared: ServerEvent = {
  event: 'queue_cleared',
  data: { timestamp: 1, queue_id: 'default', user_id: null },
}

/** A clock that advances only on command. */
class TestClock {
  #now = 1_000_000
  readonly #timers = new Set<{ at: number; run: () => void }>()

  readonly now = () => this.#now
  readonly after = (ms: number, run: () => void) => {
    const timer = { at: this.#now + ms, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  pass(ms: number): void {
    this.#now += ms
    for (const timer of [...this.#timers]) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.run()
    }
  }

  get isIdle(): boolean {
    return this.#timers.size === 0
  }
}

/**
 * Creates a stream whose connections the test opens and closes. `random` returns 0.5, so the retry delays are
 * 375 ms, 750 ms and so on.
 */
function setUp() {
  const clock = new TestClock()
  const lines: (ConnectionHandlers & { signal: AbortSignal })[] = []
  const openLine: OpenConnection = async (handlers, signal) =>
    void lines.push({ ...handlers, signal })
  const stream = new EventStream(openLine, { clock, random: () => 0.5 })
  const states: EventStreamState[] = []
  stream.onState((state) => states.push(state))
  const line = () => lines.at(-1) ?? expect.fail('no line')
  return { clock, lines, stream, states, line, phase: () => stream.getState().phase }
}

test('opens one connection for all listeners, and none before the first', () => {
  const { lines, stream, states, line } = setUp()
  expect(lines).toHaveLength(0)
  const heard: string[] = []

  stream.listen(() => heard.push('one'))
  stream.listen(() => heard.push('other'))
  line().onOpen()
  line().onEvent(cleared)

  expect(lines).toHaveLength(1)
  expect(heard).toEqual(['one', 'other'])
  expect(states).toEqual([{ phase: 'connecting', lostSince: null }, { phase: 'open' }])
})

test('closes the connection with the last listener', () => {
  const { clock, stream, line, phase } = setUp()
  const stops = [stream.listen(() => {}), stream.listen(() => {})]
  line().onOpen()

  stops[0]?.()
  stops[0]?.()
  expect(line().signal.aborted).toBe(false)
  stops[1]?.()

  expect(line().signal.aborted).toBe(true)
  expect(phase()).toBe('closed')
  expect(clock.isIdle).toBe(true)
})

test('reports the time of a connection loss and of the next attempt', () => {
  const { clock, lines, stream, states, line } = setUp()
  stream.listen(() => {})
  line().onOpen()
  const lostSince = clock.now()

  line().onEnd('lost')
  clock.pass(375)
  line().onOpen()

  expect(lines).toHaveLength(2)
  expect(states.slice(2)).toEqual([
    { phase: 'lost', lostSince, retryAt: lostSince + 375 },
    { phase: 'connecting', lostSince },
    { phase: 'open' },
  ])
})

test('doubles the delay up to 30 s and resets it after a stable connection', () => {
  const { clock, stream, line } = setUp()
  stream.listen(() => {})
  const waits: number[] = []
  const lose = () => {
    line().onEnd('lost')
    const state = stream.getState()
    const wait = state.phase === 'lost' ? state.retryAt - clock.now() : 0
    waits.push(wait)
    clock.pass(wait)
  }

  for (let attempt = 1; attempt <= 9; attempt += 1) lose()
  line().onOpen()
  clock.pass(9_999)
  lose()
  line().onOpen()
  clock.pass(10_000)
  lose()

  const growing = [375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500]
  expect(waits).toEqual([...growing, 22_500, 375])
})

test('treats an attempt that fails or hangs as lost', async () => {
  const clock = new TestClock()
  const failing = new EventStream(async () => Promise.reject(new Error('No answer')), { clock })
  const hanging = new EventStream(() => new Promise(() => {}), { clock })
  const failed = new Promise<EventStreamState>((resolve) => {
    failing.onState((state) => state.phase === 'lost' && resolve(state))
  })

  failing.listen(() => {})
  expect((await failed).phase).toBe('lost')
  hanging.listen(() => {})
  clock.pass(20_000)
  expect(hanging.getState().phase).toBe('lost')
})

test('reports the error that ended a connection or an attempt', async () => {
  const { stream, line } = setUp()
  stream.listen(() => {})
  const cut = new Error('cut')
  const refused = new Error('refused')
  const failing = new EventStream(async () => Promise.reject(refused))
  const failed = new Promise<EventStreamState>((resolve) => {
    failing.onState((state) => state.phase === 'lost' && resolve(state))
  })

  line().onEnd('lost', { cause: cut })
  const stop = failing.listen(() => {})

  expect(stream.getState()).toMatchObject({ phase: 'lost', cause: cut })
  expect(await failed).toMatchObject({ phase: 'lost', cause: refused })
  stop()
})

test('removes a listener at the end of its block, and all of them on close', () => {
  const { stream, phase } = setUp()
  {
    using _ = stream.listen(() => {})
    expect(phase()).toBe('connecting')
  }
  expect(phase()).toBe('closed')
  stream.listen(() => {})

  stream.close()

  expect(phase()).toBe('closed')
})

test('retryNow reconnects immediately and leaves other states unchanged', () => {
  const { lines, stream, line, phase } = setUp()
  stream.retryNow()
  expect(phase()).toBe('closed')
  stream.listen(() => {})
  stream.retryNow()
  line().onOpen()
  stream.retryNow()
  expect(lines).toHaveLength(1)

  line().onEnd('lost')
  stream.retryNow()

  expect(lines).toHaveLength(2)
  expect(phase()).toBe('connecting')
})

test('probes an open connection periodically and on retryNow', () => {
  const { clock, stream, line } = setUp()
  let probes = 0
  const stop = stream.listen(() => {})
  line().onOpen(() => {
    probes += 1
  })

  clock.pass(899)
  expect(probes).toBe(0)
  clock.pass(1)
  clock.pass(900)
  expect(probes).toBe(2)
  stream.retryNow()
  expect(probes).toBe(3)

  stop()
  stream.retryNow()
  expect(probes).toBe(3)
  expect(clock.isIdle).toBe(true)
})

test('dates the loss of a silent connection back to its last message', () => {
  const { stream, line } = setUp()
  stream.listen(() => {})
  line().onOpen()

  line().onEnd('lost', { silentMs: 1_800 })

  expect(stream.getState()).toMatchObject({ phase: 'lost', lostSince: 1_000_000 - 1_800 })
})

test('does not reconnect after a replacement until retryNow', () => {
  const { clock, lines, stream, line, phase } = setUp()
  stream.listen(() => {})
  line().onOpen()

  line().onEnd('replaced')
  clock.pass(3_600_000)
  stream.listen(() => {})
  expect(phase()).toBe('replaced')
  expect(lines).toHaveLength(1)

  stream.retryNow()
  expect(lines).toHaveLength(2)
})

test('ignores events of a connection that ended', () => {
  const { stream, lines, line, states } = setUp()
  const heard: ServerEvent[] = []
  stream.listen((event) => heard.push(event))
  line().onOpen()
  line().onEnd('lost')
  const before = states.length

  lines[0]?.onEvent(cleared)
  lines[0]?.onOpen()
  lines[0]?.onEnd('replaced')

  expect(heard).toEqual([])
  expect(states).toHaveLength(before)
})
