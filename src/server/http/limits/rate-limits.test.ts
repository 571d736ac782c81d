import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { LocalRequestLimits } from '#server/core/limits/request-limits.ts'
import { handleError } from '#server/http/error-handler.ts'
import { registerRateLimits } from './rate-limits.ts'

const open = async () => {
  const clock = { now: 1_000_000 }
  const app = Fastify()
  app.setErrorHandler(handleError)
  registerRateLimits(
    app,
    { requestsPerMinute: 100, batchRequestsPerMinute: 10 },
    {
      limits: new LocalRequestLimits(() => clock.now),
      clientOf: ({ headers }) => ({ client: String(headers['x-client'] ?? 'one'), page: null }),
    },
  )
  for (const limit of [undefined, 'batch', 'poll', 'exempt'] as const) {
    app.get(`/api/${limit ?? 'default'}`, { config: { limit } }, async () => 'ok')
  }
  const get = (name: string, client = 'one') =>
    app.inject({ url: `/api/${name}`, headers: { 'x-client': client } })
  const passed = async (name: string, count: number) => {
    const answers = []
    for (let sent = 0; sent < count; sent++) answers.push((await get(name)).statusCode)
    return answers.filter((status) => status === 200).length
  }
  return { clock, get, passed }
}

test('allows a hundred requests in any sixty seconds, not per calendar minute', async () => {
  const { clock, passed } = await open()

  expect(await passed('default', 60)).toBe(60)
  clock.now += 59_000
  expect(await passed('default', 60)).toBe(40)
  clock.now += 1_000 // the first sixty requests are now sixty seconds old
  expect(await passed('default', 70)).toBe(60)
})

test('allows ten batch operations, which count in both limits', async () => {
  const { get, passed } = await open()

  expect(await passed('batch', 20)).toBe(10)
  expect(await passed('default', 100)).toBe(90)
  expect((await get('batch')).headers['ratelimit-policy']).toBe(
    '"default";q=100;w=60, "batch";q=10;w=60',
  )
})

test('does not count refused requests, and states when to retry', async () => {
  const { clock, get, passed } = await open()
  await passed('default', 100)
  clock.now += 20_000

  const refused = await get('default')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({ detail: 'Rate limit exceeded' })
  expect(refused.headers).toMatchObject({
    'retry-after': '40',
    'ratelimit-limit': '100',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '40',
    'x-refusal-code': 'rate_limited',
  })

  clock.now += 40_000
  expect(await passed('default', 101)).toBe(100)
})

test('locks no client out when the clock is set back', async () => {
  const { clock, get, passed } = await open()
  await passed('default', 100)
  clock.now -= 3_600_000

  const answer = await get('default')
  expect([answer.statusCode, answer.headers['ratelimit-reset']]).toEqual([200, '60'])
})

test('states the remaining quota of each limit in every answer', async () => {
  const { clock, get } = await open()
  await get('batch')
  clock.now += 30_000

  const { headers } = await get('default')
  expect(headers).toMatchObject({
    'ratelimit-limit': '100',
    'ratelimit-remaining': '98',
    'ratelimit-reset': '30',
    ratelimit: '"default";r=98;t=30, "batch";r=9;t=30',
  })
})

test('counts clients separately, limits polling separately, and does not limit other requests', async () => {
  const { get, passed } = await open()
  await passed('default', 100)

  expect((await get('default', 'two')).statusCode).toBe(200)
  expect(await passed('poll', 601)).toBe(600)
  const exempt = await get('exempt')
  expect(exempt.statusCode).toBe(200)
  expect(exempt.headers).not.toHaveProperty('ratelimit-limit')
})
