import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import type { Db, Tables } from '#server/storage/sqlite/tables.ts'
import { addItems, retryItems } from './add-items.ts'
import { cancelItems, removeItems } from './cancel-items.ts'
import { endItem, recoverItems, startNextItem } from './change-items.ts'
import { getNextItemId, listItemIds, listItems } from './list-items.ts'
import { batchStatus, destinationCounts, queueStatus } from './queue-counts.ts'

/** A queue of some items, and how the statements that name its tables were planned. */
const openPlanned = async () => {
  const database = new Sqlite(':memory:')
  let plans: string[] = []
  const prepare = (statement: string) => {
    if (/^\s*(select|insert|update|delete)/i.test(statement) && statement.includes('queue_')) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`)
      // As many values as it has places for. Those of a list of ids are read as JSON.
      const values = Array.from({ length: statement.split('?').length - 1 }, () => '[1]')
      for (const row of plan.all(values)) plans.push((row as { detail: string }).detail)
    }
    return database.prepare(statement)
  }
  const db: Db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => void database.close() } }),
  })
  onTestFinished(() => db.destroy())
  await migrate(db as Kysely<unknown>)
  await addItems(db, 1, {
    ...{ queueId: 'default', batchId: 'b', origin: null, destination: 'd' },
    ...{ graph: '{}', workflow: null, prepend: false, maxPending: 10 },
    fieldValues: [[], [], []],
  })
  return async (run: (db: Db) => Promise<unknown>) => {
    plans = []
    await run(db)
    return plans
  }
}

const page = { destination: null, after: { priority: 0, item_id: 1 }, limit: 2 }
const end = { status: 'completed', session: '{}', error: null } as const

type Use = [title: string, run: (db: Db) => Promise<unknown>, index: string]

const uses: Use[] = [
  ['what runs next', getNextItemId, 'queue_next'],
  ['starting it', (db) => startNextItem(db, 2, 'cpu'), 'queue_next'],
  ['ending one', (db) => endItem(db, 3, 1, end), 'PRIMARY KEY'],
  ['how a queue stands', (db) => queueStatus(db, 'default'), 'queue_waiting'],
  ['how a batch stands', (db) => batchStatus(db, 'default', 'b'), 'queue_by_batch'],
  ['the counts of a destination', (db) => destinationCounts(db, 'default', 'd'), 'PRIMARY KEY'],
  ['the running one', (db) => listItems(db, 'default', { only: 'current' }), 'queue_waiting'],
  ['the next one', (db) => listItems(db, 'default', { only: 'next' }), 'queue_waiting'],
  ['a page in order', (db) => listItems(db, 'default', page), 'queue_order'],
  ['some by id', (db) => listItems(db, 'default', { itemIds: [1] }), 'PRIMARY KEY'],
  ['one by session', (db) => listItems(db, 'default', { sessionId: 's' }), 'autoindex'],
  ['canceling one', (db) => cancelItems(db, 2, 'default', { itemId: 1 }), 'PRIMARY KEY'],
  ['a batch', (db) => cancelItems(db, 2, 'default', { batchIds: ['b'] }), 'queue_by_batch'],
  ['a destination', (db) => cancelItems(db, 2, 'default', { destination: 'd' }), 'queue_by_dest'],
  ['what waits', (db) => cancelItems(db, 2, 'default', { those: 'waiting' }), 'queue_waiting'],
  ['what has ended', (db) => removeItems(db, 2, 'default', { those: 'ended' }), 'queue_waiting'],
  ['retrying', (db) => retryItems(db, 2, 'default', [1], 10), 'PRIMARY KEY'],
]

test.each(uses)('%s is found by an index', async (_, run, index) => {
  const plansOf = await openPlanned()

  const plans = await plansOf(run)

  expect(plans.filter((plan) => plan.includes(index))).not.toEqual([])
  expect(plans.filter((plan) => /^SCAN queue_\w+$/.test(plan))).toEqual([])
})

test.each<Use>([
  ['what runs next', getNextItemId, 'queue_next'],
  ['a page in order', (db) => listItems(db, 'default', page), 'queue_order'],
  ['the next one', (db) => listItems(db, 'default', { only: 'next' }), 'queue_waiting'],
])('%s comes in its order without being sorted', async (_, run) => {
  const plansOf = await openPlanned()

  expect((await plansOf(run)).filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([])
})

test.each<[string, (db: Db) => Promise<unknown>, string]>([
  ['the ids of a queue', (db) => listItemIds(db, 'default', 'ASC'), 'queue_order'],
  ['what ran when the server stopped', (db) => recoverItems(db, 2), 'queue_waiting'],
])('%s is read from an index without its rows', async (_, run, index) => {
  const plansOf = await openPlanned()

  expect(await plansOf(run)).toContainEqual(expect.stringContaining(`COVERING INDEX ${index}`))
})
