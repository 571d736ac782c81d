import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import type { EnqueueBatchResult, QueueStatus } from '#contract/queue/queue.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { graphOf } from '#testing/graph-of.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { SteeredEngine } from '#testing/server/steered-engine.ts'

const engine = new SteeredEngine()
let web: RunningServer
let worker: RunningServer

beforeAll(async () => {
  const library = {
    databaseUrl: await createDatabase(inject('postgresUrl')),
    files: emptyStore(inject('s3Url')),
    redisUrl: inject('redisUrl'),
  }
  web = await startServer({ ...library, runsQueue: false })
  worker = await startServer({ ...library, openEngine: engine.open })
})
afterAll(async () => {
  await web?.close()
  await worker?.close()
})

const send = async <T>(path: string, method = 'GET', body?: object): Promise<T> => {
  const json = body && {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const answer = await fetch(`${web.url}/api/v1/queue/default/${path}`, { method, ...json })
  expect(answer.status).toBe(200)
  return answer.json() as Promise<T>
}

/** Adds an item in the process that runs none. Returns its ID. */
const add = async (): Promise<number> => {
  const graph = graphOf({ n: { type: 'add', a: 1, b: 2, use_cache: false } })
  const { item_ids } = await send<EnqueueBatchResult>('enqueue_batch', 'POST', { batch: { graph } })
  return item_ids[0] ?? 0
}

/** Collects the events of an item in a process, in their order. */
const linesIn = (server: RunningServer) => {
  const lines: [itemId: number, line: string][] = []
  server.events.listen(({ event, data }: ServerEvent) => {
    if (!('item_id' in data) || data.item_id === null) return
    lines.push([data.item_id, event === 'queue_item_status_changed' ? data.status : event])
  })
  return (itemId: number) => lines.flatMap(([of, line]) => (of === itemId ? [line] : []))
}

test('cancels an item that another process runs, and all processes see the same events', async () => {
  const seen = [web, worker].map(linesIn)
  const taken = engine.take()
  const canceled = await add()
  const run = await taken
  await run.start('n')

  const answer = await send(`i/${canceled}/cancel`, 'PUT')
  await run.progress({ message: 'Late' })
  const next = await add()

  expect(answer).toMatchObject({ status: 'canceled' })
  for (const lines of seen) {
    await expect.poll(() => lines(next).at(-1)).toBe('session_complete')
    expect(lines(canceled)).toEqual([
      'in_progress',
      'invocation_started',
      'canceled',
      'session_complete',
    ])
  }
})

test('pauses and resumes the processor of another process', async () => {
  const [seen] = [web].map(linesIn)
  expect(await send('processor/pause', 'PUT')).toMatchObject({ is_started: false })

  const itemId = await add()

  const status = await send<QueueStatus>('status')
  expect(status).toMatchObject({
    queue: { pending: 1 },
    processor: { is_started: false, is_processing: false },
  })
  await send('processor/resume', 'PUT')
  await expect.poll(() => seen?.(itemId).at(-1)).toBe('session_complete')
})
