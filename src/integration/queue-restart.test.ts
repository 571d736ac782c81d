import { afterEach, beforeEach, expect, test } from 'vitest'
import { openQueue, type QueueServer, sum } from './queue-server.ts'

let server: QueueServer
beforeEach(async () => {
  server = await openQueue()
})
afterEach(() => server.close())

const settled = () =>
  expect
    .poll(() => server.client.queue.status(), { timeout: 20_000 })
    .toMatchObject({ queue: { pending: 0, in_progress: 0 } })

test('cancels the running item and runs pending ones after a restart @long', async () => {
  const running = await server.enqueueEndless()
  const waiting = await server.enqueue({ graph: sum, runs: 2 })

  await server.restart()
  await settled()

  expect(await server.client.queue.item(running)).toMatchObject({
    status: 'canceled',
    status_sequence: 2,
    completed_at: expect.any(String),
  })
  expect(await server.client.queue.items(waiting)).toMatchObject([
    { status: 'completed' },
    { status: 'completed' },
  ])
})

test('resumes a paused processor after a restart', async () => {
  await server.client.queue.pause()
  const [itemId = 0] = await server.enqueue({ graph: sum })

  await server.restart()
  await settled()

  expect((await server.client.queue.status()).processor.is_started).toBe(true)
  expect(await server.client.queue.item(itemId)).toMatchObject({ status: 'completed' })
})

test('keeps ended items unchanged @long', async () => {
  const [itemId = 0] = await server.enqueue({ graph: sum })
  await server.event('session_complete')
  const before = await server.client.queue.item(itemId)

  await server.restart()

  expect(await server.client.queue.item(itemId)).toEqual(before)
  const [next = 0] = await server.enqueue({ graph: sum })
  expect(next).toBe(itemId + 1)
})
