import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { newImage } from '#testing/ports/new-image.ts'
import { ended, LEASE_MS, newBatch, times } from '#testing/ports/queue-contract.ts'
import { roundsOf } from '#testing/rounds.ts'
import { QUEUE_LOCK, WRITER_LOCK } from './advisory-locks.ts'
import { openPostgresRecords, type PostgresRecords } from './open-records.ts'

let url: string

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'))
})

/** Opens the database for several processes, with empty queues. */
const openProcesses = async (count: number): Promise<PostgresRecords[]> => {
  const processes = await Promise.all(
    Array.from({ length: count }, () => openPostgresRecords({ url, isShared: true })),
  )
  onTestFinished(async () => {
    for (const records of processes) await records.close()
  })
  for (const queueId of ['default', 'other'])
    await processes[0]?.queue.remove(queueId, { those: 'all' })
  return processes
}

const openTwo = async () => {
  const [one, other] = await openProcesses(2)
  if (!one || !other) throw new Error('two processes were opened')
  return { one, other }
}

const startIn = async ({ queue }: PostgresRecords, leaseMs = LEASE_MS) =>
  (await queue.startNext('cpu', leaseMs))?.item.item_id ?? null

test('starts each item once and in order, however many workers ask', async () => {
  const processes = await openProcesses(3)
  const [first] = processes
  const anyBatches = fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 6 }), prepend: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  )
  const run = async (batches: { count: number; prepend: boolean }[], workers: number) => {
    for (const { count, prepend } of batches)
      await first?.queue.add(newBatch({ fieldValues: times(count), prepend }))
    const order = (
      await first?.queue.items('default', { destination: null, after: null, limit: 99 })
    )?.items.map(({ item_id }) => item_id)
    const started: number[] = []
    const work = async (at: number) => {
      const own: number[] = []
      for (;;) {
        const itemId = await startIn(processes[at % processes.length] as PostgresRecords)
        if (itemId === null) return own
        own.push(itemId)
        started.push(itemId)
      }
    }
    const owns = await Promise.all(Array.from({ length: workers }, (_, at) => work(at)))
    const at = (itemId: number) => order?.indexOf(itemId) ?? -1

    expect(started.toSorted((a, b) => at(a) - at(b))).toEqual(order)
    for (const own of owns) expect(own).toEqual(own.toSorted((a, b) => at(a) - at(b)))
    expect(await first?.queue.status('default')).toMatchObject({
      pending: 0,
      in_progress: started.length,
    })
    await first?.queue.remove('default', { those: 'all' })
  }
  await fc.assert(fc.asyncProperty(anyBatches, fc.integer({ min: 2, max: 8 }), run), {
    numRuns: roundsOf({ usual: 4, all: 12 }),
  })
})

test('counts exactly while several processes change the same queue', async () => {
  const processes = await openProcesses(3)
  const work = async ({ queue }: PostgresRecords, batchId: string) => {
    for (let round = 0; round < 8; round += 1) {
      await queue.add(newBatch({ batchId, fieldValues: times(3), prepend: round % 2 === 0 }))
      const started = await queue.startNext('cpu', LEASE_MS)
      if (started) await queue.end(started.item.item_id, ended())
      await queue.cancel('default', { batchIds: [batchId] })
      await queue.remove('default', { those: 'ended' })
    }
  }
  const addLast = ({ queue }: PostgresRecords, batchId: string) =>
    queue.add(newBatch({ batchId, fieldValues: times(2) }))

  await Promise.all(processes.map((records, at) => work(records, `batch ${at}`)))
  // A process that still works would start one of these items.
  await Promise.all(processes.map((records, at) => addLast(records, `batch ${at}`)))

  const [first] = processes
  expect(await first?.upkeep.checkDatabase('full')).toEqual([])
  expect(await first?.queue.batchStatus('default', 'batch 1')).toMatchObject({ pending: 2 })
})

test('ends an item whose lease ran out once, and the next item starts', async () => {
  const { one, other } = await openTwo()
  const { itemIds } = await one.queue.add(newBatch({ fieldValues: times(2) }))
  const lost = await startIn(one, 0)

  const recovered = await Promise.all([one.queue.recover(), other.queue.recover()])

  expect(recovered.flat().map(({ item }) => [item.item_id, item.status])).toEqual([
    [lost, 'canceled'],
  ])
  expect(await startIn(other)).toBe(itemIds.find((itemId) => itemId !== lost))
})

test('does not let a process that comes back change the end of its item', async () => {
  const { one, other } = await openTwo()
  await one.queue.add(newBatch())
  const itemId = (await startIn(one, 0)) ?? 0
  const [change] = await other.queue.recover()

  expect(await one.queue.renew([itemId], LEASE_MS)).toEqual([])
  expect(await one.queue.end(itemId, ended())).toBeNull()

  const { items } = await other.queue.items('default', { itemIds: [itemId] })
  expect(items).toEqual([{ ...change?.item, session: null }])
})

test('keeps an item whose lease ran out until another process ends it', async () => {
  const { one, other } = await openTwo()
  await one.queue.add(newBatch())
  const itemId = (await startIn(one, 0)) ?? 0

  expect(await one.queue.renew([itemId], LEASE_MS)).toEqual([itemId])

  expect(await other.queue.recover()).toEqual([])
  expect(await one.queue.end(itemId, ended())).toMatchObject({ item: { status: 'completed' } })
})

test('renews and reads while many changes wait for other transactions', async () => {
  const { one, other } = await openTwo()
  await one.queue.add(newBatch())
  const itemId = (await startIn(one)) ?? 0
  const busy = new pg.Client({ connectionString: url })
  await busy.connect()
  await busy.query('SELECT pg_advisory_lock($1), pg_advisory_lock($2)', [WRITER_LOCK, QUEUE_LOCK])

  const waiting = Array.from({ length: 12 }, (_, at) => [
    one.images.addMany([newImage(`waiting ${at}.png`)]),
    one.queue.add(newBatch({ batchId: `waiting ${at}` })),
  ])

  expect(await one.queue.renew([itemId], LEASE_MS)).toEqual([itemId])
  expect(await one.images.get('waiting 1.png')).toBeNull()

  await busy.end()
  await Promise.all(waiting.flat())
  expect(await other.queue.recover()).toEqual([])
})

test('starts nothing in any process while the processors are paused', async () => {
  const { one, other } = await openTwo()
  await one.queue.add(newBatch())

  await one.processors.setPaused(true)
  expect(await startIn(other)).toBeNull()
  expect(await other.processors.status()).toEqual({ isPaused: true, isRunning: false })

  await other.processors.setPaused(false)
  expect(await startIn(other)).not.toBeNull()
  expect(await one.processors.status()).toEqual({ isPaused: false, isRunning: true })
})

test('ends the items and the pause of all earlier processes if one process uses the database alone', async () => {
  const own = await createDatabase(inject('postgresUrl'))
  const before = await openPostgresRecords({ url: own, isShared: true })
  await before.queue.add(newBatch({ fieldValues: times(2) }))
  const running = await startIn(before)
  await before.processors.setPaused(true)
  await before.close()

  const alone = await openPostgresRecords({ url: own })
  onTestFinished(() => alone.close())

  expect((await alone.queue.recover()).map(({ item }) => item.item_id)).toEqual([running])
  expect(await startIn(alone)).not.toBeNull()
})
