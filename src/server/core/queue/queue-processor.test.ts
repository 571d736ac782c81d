import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ServerEvent } from '#contract/events.ts'
import { addPngText } from '#demo/png-text.ts'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { EventHub } from '#server/core/events/event-hub.ts'
import { Refusal } from '#server/core/refusal.ts'
import { type Engine, openEngine } from '#server/engine/open-engine.ts'
import { checkedGraph, graphOf } from '#testing/graph-of.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { newBatch } from '#testing/ports/queue-contract.ts'
import { LibraryOfEngine } from './engine-library.ts'
import type { GraphEngine } from './engine-ports.ts'
import type { QueueRecords } from './queue-ports.ts'
import { QueueProcessor } from './queue-processor.ts'

const fault = new Error('disk I/O error')

const shared = shareLibrary()
let real: Engine

beforeAll(async () => {
  real = await openEngine({
    library: new LibraryOfEngine(shared()),
    maxPixels: 1_000_000,
    appVersion: '0',
    embedTexts: addPngText,
  })
})
afterAll(() => real.close())

/** Opens a processor with an empty real queue and an engine, parts of which a test replaces. */
async function openProcessor(
  failing: (
    queue: QueueRecords,
    engine: GraphEngine,
  ) => Partial<QueueRecords & GraphEngine> = () => ({}),
) {
  const library = shared()
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const bus = new LocalBus(onFailure)
  const events = new EventHub({ clock: library.clock, bus })
  const processor = new QueueProcessor({
    queue: { ...library.queue, ...failing(library.queue, real) },
    engine: { ...real, ...failing(library.queue, real) },
    events,
    bus,
    onFailure,
  })
  onTestFinished(async () => {
    await processor.close()
    await library.queue.remove('default', { those: 'all' })
  })
  const ends = endsOf(events)
  const graph = JSON.stringify(checkedGraph(real, graphOf({ n: { type: 'add', a: 1, b: 1 } })))
  const enqueue = async (count = 1) => {
    const { itemIds } = await library.queue.add(
      newBatch({ graph, fieldValues: Array.from({ length: count }, () => []) }),
    )
    processor.wake()
    return itemIds.reverse()
  }
  const item = async (itemId = 0) =>
    (await library.queue.items('default', { itemIds: [itemId] })).items[0]
  return { processor, failures, ends, enqueue, item, steps: stepsOf(events) }
}

/** Collects the events of running items. */
function stepsOf(events: EventHub): string[] {
  const steps: string[] = []
  events.listen(({ event, data }: ServerEvent) => {
    if (event === 'invocation_progress') steps.push(data.message)
  })
  return steps
}

/** Waits for this many sessions to end and returns their statuses in order. */
function endsOf(events: EventHub) {
  const statuses: string[] = []
  let onEnd = () => {}
  events.listen(({ event, data }: ServerEvent) => {
    if (event !== 'session_complete') return
    statuses.push(data.status)
    onEnd()
  })
  return async (count: number): Promise<string[]> => {
    while (statuses.length < count) {
      await new Promise<void>((resolve) => {
        onEnd = resolve
      })
    }
    return statuses
  }
}

/** Fails this many times, then calls the function. */
const failingFirst = <Args extends unknown[], R>(
  times: number,
  work: (...args: Args) => Promise<R>,
  error: Error = fault,
) => {
  let failed = 0
  return async (...args: Args): Promise<R> => {
    if (failed++ < times) throw error
    return work(...args)
  }
}

test('runs items one after the other, including later ones', async () => {
  const { processor, enqueue, ends, item } = await openProcessor()
  processor.start()

  const [first, second] = await enqueue(2)
  await ends(2)
  const [third] = await enqueue()

  expect(await ends(3)).toEqual(['completed', 'completed', 'completed'])
  for (const itemId of [first, second, third]) {
    expect(await item(itemId)).toMatchObject({ status: 'completed', status_sequence: 2 })
  }
})

test('retries when the database refuses', async () => {
  const { processor, enqueue, ends, failures, item } = await openProcessor((queue) => ({
    startNext: failingFirst(2, queue.startNext),
    end: failingFirst(1, queue.end),
  }))
  processor.start()
  const [itemId] = await enqueue()

  expect(await ends(1)).toEqual(['completed'])
  expect(failures).toEqual([fault, fault, fault])
  expect(await item(itemId)).toMatchObject({ status: 'completed', status_sequence: 2 })
})

test('reports a full disk and ends the item once there is space', async () => {
  const { processor, enqueue, ends, steps } = await openProcessor((queue) => ({
    end: failingFirst(2, queue.end, new Refusal('disk_full')),
  }))
  processor.start()
  await enqueue()

  expect(await ends(1)).toEqual(['completed'])
  const waiting = 'The disk is full: waiting for space'
  expect(steps.slice(-2)).toEqual([waiting, waiting])
})

test('fails the item if the engine fails, and runs the next', async () => {
  const { processor, enqueue, ends, item } = await openProcessor((_queue, engine) => ({
    run: failingFirst(1, engine.run),
  }))
  processor.start()

  const [failed, next] = await enqueue(2)

  expect(await ends(2)).toEqual(['failed', 'completed'])
  expect(await item(failed)).toMatchObject({
    error_type: 'Error',
    error_message: 'disk I/O error',
    error_traceback: expect.stringContaining('queue-processor.test'),
  })
  expect(await item(next)).toMatchObject({ status: 'completed' })
})

test('cancels the running item on close and leaves pending ones', async () => {
  let isRunning = () => {}
  const running = new Promise<void>((resolve) => {
    isRunning = resolve
  })
  const { processor, enqueue, item } = await openProcessor((_queue, engine) => ({
    run: async (job, listener, signal) => {
      isRunning()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return engine.run(job, listener, signal)
    },
  }))
  processor.start()
  const [first, second] = await enqueue(2)
  await running

  await processor.close()

  expect(await item(first)).toMatchObject({ status: 'canceled', status_sequence: 2 })
  expect(await item(second)).toMatchObject({ status: 'pending' })
  expect(await processor.status()).toEqual({ is_started: true, is_processing: false })
})

test('cancels an item that starts while the processor closes', async () => {
  let close = () => {}
  const { processor, enqueue, ends } = await openProcessor((queue) => ({
    startNext: async (...args) => {
      const started = await queue.startNext(...args)
      if (started) close()
      return started
    },
  }))
  close = () => void processor.close()
  processor.start()
  await enqueue()

  expect(await ends(1)).toEqual(['canceled'])
})

test('starts nothing while paused', async () => {
  const { processor, enqueue, ends, item } = await openProcessor()
  processor.start()
  expect(await processor.pause()).toEqual({ is_started: false, is_processing: false })
  const [itemId] = await enqueue()

  expect(await item(itemId)).toMatchObject({ status: 'pending' })
  expect(await processor.resume()).toMatchObject({ is_started: true })
  expect(await ends(1)).toEqual(['completed'])
})
