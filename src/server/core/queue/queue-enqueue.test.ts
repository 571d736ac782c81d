import { expect, onTestFinished, test } from 'vitest'
import { addPngText } from '#demo/png-text.ts'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { EventHub } from '#server/core/events/event-hub.ts'
import { openEngine } from '#server/engine/open-engine.ts'
import { graphOf } from '#testing/graph-of.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { LibraryOfEngine } from './engine-library.ts'
import { enqueueBatch } from './queue-enqueue.ts'
import { QueueProcessor } from './queue-processor.ts'

/** Enqueues into a real queue without a running processor and records the order of calls. */
async function openEnqueueing() {
  const library = await openLibrary()
  const real = await openEngine({
    library: new LibraryOfEngine(library),
    maxPixels: 1_000_000,
    appVersion: '0',
    embedTexts: addPngText,
  })
  onTestFinished(() => real.close())
  const done: string[] = []
  const engine = { ...real, prepare: () => void done.push('engine prepared') }
  const queue = {
    ...library.queue,
    add: (batch: Parameters<typeof library.queue.add>[0]) => {
      done.push('items added')
      return library.queue.add(batch)
    },
  }
  const onFailure = (error: unknown) => void done.push(String(error))
  const bus = new LocalBus(onFailure)
  const events = new EventHub({ clock: library.clock, bus })
  const processor = new QueueProcessor({ queue, engine, events, bus, onFailure })
  const enqueue = (graph: ReturnType<typeof graphOf>) =>
    enqueueBatch(
      { queue, engine, events, processor },
      { queueId: 'default', batch: { graph }, prepend: false },
    )
  return { enqueue, done }
}

test('prepares the engine while the items of a batch are written', async () => {
  const { enqueue, done } = await openEnqueueing()

  expect(await enqueue(graphOf({ n: { type: 'add', a: 1, b: 1 } }))).toMatchObject({ enqueued: 1 })
  expect(done).toEqual(['engine prepared', 'items added'])
})

test('starts nothing for a refused batch', async () => {
  const { enqueue, done } = await openEnqueueing()

  expect(await enqueue(graphOf({ n: { type: 'nothing' } }))).toHaveProperty('faults')
  expect(done).toEqual([])
})
