import { expect, it } from 'vitest'
import { MAX_PAGE_CLIENTS } from '#contract/limits.ts'
import type {
  LimitedClient,
  LimitPolicy,
  RequestLimits,
} from '#server/core/limits/request-limits.ts'

interface OpenLimits {
  limits: RequestLimits
  /** Lets time pass; below zero, sets the clock back. */
  advance(ms: number): Promise<void> | void
}

const policy = (name: LimitPolicy['name'], max: number, counts = true): LimitPolicy => ({
  name,
  max,
  counts,
})
const three = [policy('default', 3)]

const script: LimitedClient = { client: '192.0.2.1', page: null }
const pageOf = (id: string, address = '192.0.2.1'): LimitedClient => ({
  client: address,
  page: { id, address },
})

/** Tests that every implementation of `RequestLimits` must pass. `open` returns limits that have counted nothing. */
export const testRequestLimits = (open: () => Promise<OpenLimits>): void => {
  const openCounting = async () => {
    const { limits, advance } = await open()
    const count = (client = script, policies: readonly LimitPolicy[] = three) =>
      limits.count({ ...client, policies })
    const isAllowed = async (client = script, policies: readonly LimitPolicy[] = three) =>
      (await count(client, policies)).isAllowed
    return { limits, advance, count, isAllowed }
  }

  it('limits any sixty seconds, not the calendar minute', async () => {
    const { advance, isAllowed } = await openCounting()

    expect([await isAllowed(), await isAllowed()]).toEqual([true, true])
    await advance(50_000)
    expect([await isAllowed(), await isAllowed()]).toEqual([true, false])
    await advance(10_000) // the first two requests have expired
    expect([await isAllowed(), await isAllowed(), await isAllowed()]).toEqual([true, true, false])
  })

  it('returns the used quota and the time until the oldest request expires', async () => {
    const { advance, count } = await openCounting()

    await count()
    await advance(20_000)
    const { quotas } = await count(script, [policy('default', 3), policy('batch', 2, false)])

    expect(quotas).toEqual([
      { used: 2, resetMs: expect.any(Number) },
      { used: 0, resetMs: 0 },
    ])
    const [{ resetMs } = { resetMs: 0 }] = quotas
    expect(resetMs).toBeLessThanOrEqual(40_000)
    expect(resetMs).toBeGreaterThan(0)
  })

  it('does not count refused requests', async () => {
    const { advance, count, isAllowed } = await openCounting()
    for (let sent = 0; sent < 3; sent += 1) await count()
    await advance(50_000)

    expect((await count()).quotas[0]?.used).toBe(3)
    await advance(10_000)
    expect(await isAllowed()).toBe(true)
  })

  it('counts in no policy if one has no room', async () => {
    const { count, isAllowed } = await openCounting()
    const batch = [policy('default', 3), policy('batch', 1)]

    expect([await isAllowed(script, batch), await isAllowed(script, batch)]).toEqual([true, false])
    expect((await count(script, [policy('default', 3, false)])).quotas[0]?.used).toBe(1)
  })

  it('counts nothing in policies that are only read', async () => {
    const { isAllowed } = await openCounting()
    const reading = [policy('default', 3), policy('batch', 1, false)]

    expect([await isAllowed(script, reading), await isAllowed(script, reading)]).toEqual([
      true,
      true,
    ])
    expect(await isAllowed(script, [policy('batch', 1)])).toBe(true)
    expect(await isAllowed(script, reading)).toBe(true)
  })

  it('counts concurrent requests exactly', async () => {
    const { isAllowed } = await openCounting()

    const answers = await Promise.all(Array.from({ length: 20 }, () => isAllowed()))

    expect(answers.filter(Boolean)).toHaveLength(3)
  })

  it('counts clients and policies separately', async () => {
    const { isAllowed } = await openCounting()
    const one = [policy('default', 1)]

    expect(await isAllowed(script, one)).toBe(true)
    expect(await isAllowed(script, one)).toBe(false)
    expect(await isAllowed(script, [policy('poll', 1)])).toBe(true)
    expect(await isAllowed({ client: '192.0.2.2', page: null }, one)).toBe(true)
    expect(await isAllowed({ client: 'token', page: null }, one)).toBe(true)
    expect(await isAllowed(pageOf('first'), one)).toBe(true)
    expect(await isAllowed(pageOf('first', '192.0.2.2'), one)).toBe(true)
    expect(await isAllowed(pageOf('first'), one)).toBe(false)
  })

  it('gives a limited number of pages per address a separate quota', async () => {
    const { advance, isAllowed } = await openCounting()
    const one = [policy('default', 1)]
    for (let page = 0; page < MAX_PAGE_CLIENTS; page += 1) {
      expect(await isAllowed(pageOf(`page ${page}`), one)).toBe(true)
    }

    expect(await isAllowed(pageOf('one more'), one)).toBe(true) // as the address
    expect(await isAllowed(pageOf('another'), one)).toBe(false)
    expect(await isAllowed(pageOf('one more', '192.0.2.2'), one)).toBe(true)
    await advance(60_000)
    expect(await isAllowed(pageOf('another'), one)).toBe(true)
    expect(await isAllowed(script, one)).toBe(true)
  })

  it('locks no client out when the clock is set back', async () => {
    const { advance, isAllowed } = await openCounting()
    for (let sent = 0; sent < 3; sent += 1) await isAllowed()

    await advance(-3_600_000)

    expect(await isAllowed()).toBe(true)
  })
}
