import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import { addPngText } from '#demo/png-text.ts'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { EventHub } from '#server/core/events/event-hub.ts'
import type { GraphEngine } from '#server/core/queue/engine-ports.ts'
import type { QueueTimes } from '#server/core/queue/queue-heartbeat.ts'
import { QueueProcessor } from '#server/core/queue/queue-processor.ts'
import { QueueService } from '#server/core/queue/queue-service.ts'
import { type Engine, openEngine } from '#server/engine/open-engine.ts'
import {
  createDatabase,
  findPostgresPrograms,
  startPostgresServer,
} from '#testing/engines/postgres-server.ts'
import { checkedGraph, graphOf } from '#testing/graph-of.ts'
import { MemoryEngineLibrary } from '#testing/library/memory-engine-library.ts'
import { newBatch, times } from '#testing/ports/queue-contract.ts'
import { openPostgresRecords } from './open-records.ts'

/** Beats so rare that a test must pass by messages alone. */
const rare: QueueTimes = { leaseMs: 60_000, beatMs: 3_600_000 }
const often: QueueTimes = { leaseMs: 60_000, beatMs: 20 }

let url: string
let real: Engine

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'))
  real = await openEngine({
    library: await MemoryEngineLibrary.open(),
    maxPixels: 1_000_000,
    appVersion: '0',
    embedTexts: addPngText,
  })
})
afterAll(() => real.close())

beforeEach(async () => {
  const records = await openPostgresRecords({ url, isShared: true })
  await records.queue.remove('default', { those: 'all' })
  await records.processors.setPaused(false)
  await records.close()
})

const fail = (error: unknown) => {
  throw error
}

/** Opens what a process has for the queue. Its engine waits with each item until `finish`. */
const openProcess = async ({
  bus = new LocalBus(fail),
  queueTimes = rare,
  isHeld = false,
  onFailure = fail as (error: unknown) => void,
  databaseUrl = url,
} = {}) => {
  const records = await openPostgresRecords({ url: databaseUrl, isShared: true })
  const events = new EventHub({ clock: Date.now, bus })
  const held = Promise.withResolvers<void>()
  const running = Promise.withResolvers<number>()
  const run: GraphEngine['run'] = async (job, listener, signal) => {
    running.resolve(job.itemId)
    const aborted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve()),
    )
    if (isHeld) await Promise.race([held.promise, aborted])
    return real.run(job, listener, signal)
  }
  const engine = { ...real, run }
  const parts = { ...records, engine, events, bus, times: queueTimes, onFailure }
  const processor = new QueueProcessor(parts)
  const service = new QueueService({ ...parts, processor })
  const seen: ServerEvent[] = []
  events.listen((event) => void seen.push(event))
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await processor.close()
    await records.close()
  }
  onTestFinished(close)
  const add = async (count = 1) => {
    const graph = JSON.stringify(checkedGraph(real, graphOf({ n: { type: 'add', a: 1, b: 1 } })))
    const { itemIds } = await records.queue.add(newBatch({ graph, fieldValues: times(count) }))
    processor.wake()
    return itemIds.toReversed()
  }
  const until = (itemId: number, status: string) =>
    expect
      .poll(async () => (await records.queue.items('default', { itemIds: [itemId] })).items[0])
      .toMatchObject({ status })
  const linesOf = (itemId: number) =>
    seen.flatMap(({ event, data }) => {
      if (!('item_id' in data) || data.item_id !== itemId) return []
      return [event === 'queue_item_status_changed' ? data.status : event]
    })
  return {
    ...{ records, processor, service, seen, add, close, until, linesOf },
    running: running.promise,
    finish: held.resolve,
  }
}

test('runs an item in another process than the one that added it', async () => {
  const bus = new LocalBus(fail)
  const web = await openProcess({ bus })
  const worker = await openProcess({ bus })
  worker.processor.start()
  await worker.processor.pause() // has looked for items once
  await worker.processor.resume()

  const [itemId = 0] = await web.add()

  await web.until(itemId, 'completed')
  expect(web.linesOf(itemId)).toEqual([
    'in_progress',
    'invocation_started',
    'invocation_complete',
    'completed',
    'session_complete',
  ])
})

test('finds an item whose message was lost', async () => {
  const web = await openProcess()
  const worker = await openProcess({ queueTimes: often })
  worker.processor.start()

  const [itemId = 0] = await web.add()

  await web.until(itemId, 'completed')
})

test('runs one item per process at the same time, and reports that in all processes', async () => {
  const bus = new LocalBus(fail)
  const workers = [
    await openProcess({ bus, isHeld: true }),
    await openProcess({ bus, isHeld: true }),
  ]
  const web = await openProcess({ bus })
  for (const { processor } of workers) processor.start()

  const [first = 0, second = 0, third = 0] = await web.add(3)

  const running = await Promise.all(workers.map((worker) => worker.running))
  expect(running.toSorted((a, b) => a - b)).toEqual([first, second])
  expect(await web.service.status('default')).toMatchObject({
    queue: { item_id: first, in_progress: 2, pending: 1 },
    processor: { is_started: true, is_processing: true },
  })
  for (const { finish } of workers) finish()
  await web.until(third, 'completed')
  await expect
    .poll(() => web.processor.status())
    .toEqual({ is_started: true, is_processing: false })
})

test('stops an item that another process cancels, and emits nothing after its final status', async () => {
  const bus = new LocalBus(fail)
  const web = await openProcess({ bus })
  const worker = await openProcess({ bus, isHeld: true })
  worker.processor.start()
  const [canceled = 0, next = 0] = await web.add(2)
  await worker.running

  await web.service.cancelItem('default', canceled)
  worker.finish()

  await web.until(next, 'completed')
  expect(web.linesOf(canceled)).toEqual(['in_progress', 'canceled', 'session_complete'])
})

test('stops an item that another process deleted, if the message was lost', async () => {
  const web = await openProcess()
  const worker = await openProcess({ queueTimes: often, isHeld: true })
  worker.processor.start()
  await web.add(1)
  await worker.running

  await web.service.clear('default')

  const [next = 0] = await web.add()
  worker.finish()
  await web.until(next, 'completed')
})

test('ends the item of a process that is paused, which then goes on with the next item', async () => {
  const bus = new LocalBus(fail)
  const paused = await openProcess({
    bus,
    queueTimes: { leaseMs: 1, beatMs: 3_600_000 },
    isHeld: true,
  })
  const web = await openProcess({ bus, queueTimes: often })
  paused.processor.start()
  const [lost = 0] = await paused.add()
  await paused.running

  await web.processor.recover()
  await web.processor.recover()
  expect(web.linesOf(lost)).toEqual(['in_progress', 'canceled', 'session_complete'])

  paused.finish()
  const [next = 0] = await web.add()
  await web.until(next, 'completed')
  expect(web.linesOf(lost)).toEqual(['in_progress', 'canceled', 'session_complete'])
  await web.until(lost, 'canceled')
})

test('ends the item of a killed process and runs the next one', async () => {
  const survivor = await openProcess({ queueTimes: often })
  const [lost = 0, next = 0] = await survivor.add(2)
  const child = spawn(
    process.execPath,
    [new URL('../../../testing/engines/queue-child.ts', import.meta.url).pathname, url, '500'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(child.stdout, 'data')
  expect(Number(line)).toBe(lost)
  child.kill('SIGKILL')

  survivor.processor.start()

  await survivor.until(next, 'completed')
  await survivor.until(lost, 'canceled')
  await expect.poll(() => survivor.linesOf(lost)).toEqual(['canceled', 'session_complete'])
})

test('pauses the processors of all processes, beyond the end of the one that was asked', async () => {
  const bus = new LocalBus(fail)
  const asked = await openProcess({ bus })
  const worker = await openProcess({ bus })
  for (const { processor } of [asked, worker]) processor.start()

  expect(await asked.processor.pause()).toEqual({ is_started: false, is_processing: false })
  await asked.close()
  const [itemId = 0] = await worker.add()
  await worker.processor.recover()

  expect(await worker.processor.status()).toEqual({ is_started: false, is_processing: false })
  await worker.until(itemId, 'pending')
  expect(await worker.processor.resume()).toMatchObject({ is_started: true })
  await worker.until(itemId, 'completed')
})

test('cancels the running item when its process stops, and leaves the next to the others', async () => {
  const bus = new LocalBus(fail)
  const stopping = await openProcess({ bus, isHeld: true })
  const other = await openProcess({ bus })
  stopping.processor.start()
  const [canceled = 0, next = 0] = await stopping.add(2)
  await stopping.running

  await stopping.close()
  other.processor.start()

  await other.until(next, 'completed')
  await other.until(canceled, 'canceled')
  expect(other.linesOf(canceled)).toEqual(['in_progress', 'canceled', 'session_complete'])
})

test('goes on with its item after the database was restarted', async () => {
  const server = await startPostgresServer((await findPostgresPrograms()) ?? '')
  onTestFinished(() => server.stop())
  const failed = Promise.withResolvers<void>()
  const worker = await openProcess({
    queueTimes: often,
    isHeld: true,
    onFailure: () => failed.resolve(),
    databaseUrl: await createDatabase(server.url),
  })
  worker.processor.start()
  const [itemId = 0] = await worker.add()
  await worker.running

  await server.halt()
  await failed.promise
  worker.finish()
  await server.resume()

  await worker.until(itemId, 'completed')
  await expect.poll(() => worker.linesOf(itemId).at(-1)).toBe('session_complete')
  await worker.close()
})
