import { describe, expect, it } from 'vitest'
import { type CallPriority, Pacer, type PacerClock } from './pacer.ts'

/** A clock that advances only on command. */
class SetClock implements PacerClock {
  #now = 0
  #sleepers: { until: number; wake: () => void }[] = []

  now(): number {
    return this.#now
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ until: this.#now + ms, wake }))
  }

  /** Advances the clock and wakes sleepers in order. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await settled()
      const next = this.#sleepers.toSorted((a, b) => a.until - b.until)[0]
      if (next === undefined || next.until > end) break
      this.#sleepers = this.#sleepers.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.until)
      next.wake()
    }
    this.#now = end
    await settled()
  }
}

/** Waits until all settled promises have run their callbacks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

type Headers = Record<string, string>

/** Fakes a Tessera with a quota per sixty seconds that all of its clients share. */
class LimitedServer {
  readonly clock = new SetClock()
  readonly refused: string[] = []
  readonly served: string[] = []
  #times: number[] = []
  readonly #quota: number

  constructor(quota: number) {
    this.#quota = quota
  }

  take(name: string): Response {
    const now = this.clock.now()
    this.#times = this.#times.filter((time) => time + 60_000 > now)
    const hasRoom = this.#times.length < this.#quota
    if (hasRoom) this.#times.push(now)
    const freesInS = Math.ceil(((this.#times[0] ?? now) + 60_000 - now) / 1000)
    const headers: Headers = {
      'ratelimit-policy': `"default";q=${this.#quota};w=60`,
      ratelimit: `"default";r=${this.#quota - this.#times.length};t=${freesInS}`,
    }
    if (hasRoom) {
      this.served.push(name)
      return new Response(null, { headers })
    }
    this.refused.push(name)
    return new Response(null, {
      status: 429,
      headers: { ...headers, 'retry-after': `${freesInS}` },
    })
  }
}

const paced = (quota: number) => {
  const server = new LimitedServer(quota)
  const pacer = new Pacer(server.clock)
  const call = (name: string, priority: CallPriority = 'foreground', signal?: AbortSignal) =>
    pacer.send({ limits: ['default'], priority, signal }, async () => server.take(name))
  return { server, pacer, call }
}

const callMany = (count: number, call: (name: string) => Promise<Response>) =>
  Array.from({ length: count }, (_, index) => call(`${index}`))

describe('Pacer', () => {
  it('sends all requests immediately if the server reports no limits', async () => {
    const pacer = new Pacer(new SetClock())

    const calls = callMany(500, () =>
      pacer.send(
        { limits: ['default', 'batch'], priority: 'foreground' },
        async () => new Response(),
      ),
    )

    expect(await Promise.all(calls)).toHaveLength(500)
  })

  it('stays within the quota of any sixty seconds without a refusal', async () => {
    const { server, call } = paced(20)
    await call('first')

    const calls = Promise.all(callMany(50, call))
    await server.clock.pass(0)
    expect(server.served).toHaveLength(20)

    await server.clock.pass(60_000)
    expect(server.served).toHaveLength(40)

    await server.clock.pass(60_000)
    expect(await calls).toHaveLength(50)
    expect(server.refused).toEqual([])
  })

  it('counts a request until sixty seconds after its response', async () => {
    const { server, pacer } = paced(1)
    pacer.setLimits({ default: 1, batch: null })
    const late = pacer.send({ limits: ['default'], priority: 'foreground' }, async () => {
      await server.clock.sleep(30_000)
      return server.take('late')
    })
    const next = pacer.send({ limits: ['default'], priority: 'foreground' }, async () =>
      server.take('next'),
    )

    await server.clock.pass(89_000)
    expect(server.served).toEqual(['late'])

    await server.clock.pass(1_000)
    await Promise.all([late, next])
    expect(server.refused).toEqual([])
  })

  it('waits for the requests of other clients that the headers report', async () => {
    const { server, call } = paced(20)
    await call('first')
    for (let other = 0; other < 18; other++) server.take('other')
    await call('second')

    const third = call('third')
    await server.clock.pass(59_000)
    expect(server.served).not.toContain('third')

    await server.clock.pass(1_000)
    await third
    expect(server.refused).toEqual([])
  })

  it('retries after a 429', async () => {
    const { server, call } = paced(5)
    for (let other = 0; other < 5; other++) server.take('other')

    const call1 = call('first')
    await server.clock.pass(60_000)

    expect((await call1).status).toBe(200)
    expect(server.refused).toEqual(['first'])
  })

  it('returns the 429 if the server keeps refusing', async () => {
    const clock = new SetClock()
    let count = 0
    const call = new Pacer(clock).send(
      { limits: ['default'], priority: 'foreground' },
      async () => {
        count++
        return new Response(null, { status: 429, headers: { 'retry-after': '2' } })
      },
    )

    await clock.pass(60_000)

    expect((await call).status).toBe(429)
    expect(count).toBe(6)
  })

  it('sends user actions before background requests', async () => {
    const { server, call } = paced(20)
    await Promise.all(callMany(20, call))

    const background = call('background', 'background')
    const person = call('person')
    await server.clock.pass(120_000)

    await Promise.all([background, person])
    expect(server.served.slice(-2)).toEqual(['person', 'background'])
  })

  it('leaves requests for user actions while the background is busy', async () => {
    const { server, call } = paced(20)
    await call('first')

    const background = callMany(30, (name) => call(name, 'background'))
    await server.clock.pass(0)
    await call('person')
    expect(server.served.at(-1)).toBe('person')

    await server.clock.pass(300_000)
    await Promise.all(background)
    expect(server.refused).toEqual([])
  })

  it('leaves batch operations for user actions during previews', async () => {
    const clock = new SetClock()
    const pacer = new Pacer(clock)
    pacer.setLimits({ default: 100, batch: 10 })
    const sent: CallPriority[] = []
    const call = async (priority: CallPriority) =>
      pacer.send({ limits: ['default', 'batch'], priority }, async () => {
        sent.push(priority)
        return new Response()
      })

    const trials = callMany(8, () => call('preview'))
    const work = callMany(4, () => call('foreground'))
    await Promise.all(work)

    expect(sent.filter((priority) => priority === 'preview')).toHaveLength(6)
    await clock.pass(60_000)
    await Promise.all(trials)
  })

  it('applies the batch limit only to batch operations', async () => {
    const pacer = new Pacer(new SetClock())
    pacer.setLimits({ default: 100, batch: 1 })
    const call = (limits: ('default' | 'batch')[]) =>
      pacer.send({ limits, priority: 'foreground' }, async () => new Response())
    await call(['default', 'batch'])

    const batch = call(['default', 'batch'])
    await call(['default'])

    expect(pacer.getState().waiting).toBe(1)
    pacer.setLimits({ default: 100, batch: null })
    await batch
  })

  it('does not delay requests exempt from limits', async () => {
    const pacer = new Pacer(new SetClock())
    pacer.setLimits({ default: 1, batch: 1 })

    const calls = callMany(5, () =>
      pacer.send({ limits: [], priority: 'foreground' }, async () => new Response()),
    )

    expect(await Promise.all(calls)).toHaveLength(5)
  })

  it('drops a waiting request that is aborted', async () => {
    const { server, pacer, call } = paced(1)
    await call('first')
    const giveUp = new AbortController()
    const second = call('second', 'foreground', giveUp.signal)

    giveUp.abort('enough')

    await expect(second).rejects.toBe('enough')
    expect(pacer.getState()).toEqual({ waiting: 0, nextAt: null, foregroundAt: null })
    await server.clock.pass(120_000)
    expect(server.served).toEqual(['first'])
  })

  it('continues after a request without a response', async () => {
    const { server, pacer, call } = paced(2)
    await call('first')
    const lost = pacer.send({ limits: ['default'], priority: 'foreground' }, async () => {
      throw new TypeError('fetch failed')
    })
    await expect(lost).rejects.toThrow('fetch failed')

    const third = call('third')
    await server.clock.pass(60_000)

    expect((await third).status).toBe(200)
  })

  it('reports the delay of user actions separately from background work', async () => {
    const { server, pacer, call } = paced(1)
    await call('first')

    const background = call('second', 'background')
    expect(pacer.getState()).toMatchObject({ waiting: 1, foregroundAt: null })
    const foreground = call('third')
    expect(pacer.getState()).toMatchObject({ waiting: 2, foregroundAt: 60_000 })

    await server.clock.pass(180_000)
    await Promise.all([background, foreground])
  })

  it('notifies once per change of the number of waiting requests', async () => {
    const { server, pacer, call } = paced(1)
    await call('first')
    const states: unknown[] = []
    const stop = pacer.subscribe(() => states.push(pacer.getState()))

    const calls = Promise.all([call('second'), call('third')])
    expect(pacer.getState()).toEqual({ waiting: 2, nextAt: 60_000, foregroundAt: 60_000 })
    expect(pacer.getState()).toBe(pacer.getState())

    await server.clock.pass(120_000)
    await calls
    stop()
    expect(states.at(-1)).toEqual({ waiting: 0, nextAt: null, foregroundAt: null })
  })
})
