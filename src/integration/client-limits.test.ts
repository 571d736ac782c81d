import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect, Pacer } from '#client/index.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer

beforeEach(async () => {
  server = await startServer({ rateLimit: { requestsPerMinute: 20, batchRequestsPerMinute: 2 } })
})

afterEach(() => server.close())

/** A client that uses the server's clock, which advances while the client waits. */
const connectPaced = () => {
  const statuses: number[] = []
  const pacer = new Pacer({
    now: () => server.clock(),
    sleep: async (ms) => {
      server.clock.advance(ms)
    },
  })
  const client = connect({
    baseUrl: server.url,
    pacer,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      statuses.push(response.status)
      return response
    },
  })
  return { client, statuses }
}

it('is never rate limited if it follows the published limits', async () => {
  const { client, statuses } = connectPaced()
  await client.server.capabilities()

  for (let call = 0; call < 50; call++) await client.boards.listBoards()
  for (let call = 0; call < 5; call++) await client.images.star([])

  expect(statuses).toHaveLength(56)
  expect(statuses.filter((status) => status === 429)).toEqual([])
})

it('is never rate limited when another client uses the same quota', async () => {
  const first = connectPaced()
  const second = connectPaced()

  for (let call = 0; call < 30; call++) {
    await first.client.boards.listBoards()
    await second.client.boards.listBoards()
  }

  const statuses = [...first.statuses, ...second.statuses]
  expect(statuses).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toEqual([])
})
