import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { View } from '#server/core/image-ports.ts'
import { everything, newImage } from '#server/storage/records-contract/new-image.ts'
import { addImages } from '#server/storage/sqlite/images/add-images.ts'
import { KeptIds } from '#server/storage/sqlite/kept-ids.ts'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import type { Tables } from '#server/storage/sqlite/tables.ts'
import { calendarOf } from './calendar.ts'
import { getOrderKey } from './get-order-key.ts'
import { openView } from './open-view.ts'
import type { OpenedView } from './opened-view.ts'
import { orderOf } from './order.ts'

/** A small library, and what the statements run on it were planned as. */
const openPlanned = async () => {
  const database = new Sqlite(':memory:')
  const plans: string[] = []
  const prepare = (statement: string) => {
    if (statement.includes('INDEXED BY')) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`)
      const values = Array.from({ length: statement.split('?').length - 1 }, () => 1)
      for (const row of plan.all(values)) plans.push((row as { detail: string }).detail)
    }
    return database.prepare(statement)
  }
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => void database.close() } }),
  })
  onTestFinished(() => db.destroy())
  await migrate(db as Kysely<unknown>)
  await addImages(db, 1, [
    newImage('a.png', { starred: true }),
    newImage('b.png'),
    newImage('step.png', { is_intermediate: true }),
  ])
  return { reading: { db, kept: new KeptIds() }, plans }
}

const newest: Partial<View> = { isIntermediate: false }
const starred: Partial<View> = { isIntermediate: false, starredFirst: true }

type Use = [title: string, view: Partial<View>, index: string]

const uses: Use[] = [
  ['all, newest first', newest, 'all_created'],
  ['all, oldest first', { ...newest, orderDir: 'ASC' }, 'all_created'],
  ['all, starred first', starred, 'all_starred'],
  ['all, starred first, oldest first', { ...starred, orderDir: 'ASC' }, 'all_starred'],
  ['a board, newest first', { ...newest, boardId: 'none' }, 'board_created'],
  ['a board, oldest first', { ...newest, boardId: 'none', orderDir: 'ASC' }, 'board_created'],
  ['a board, starred first', { ...starred, boardId: 'none' }, 'board_starred'],
  ['two categories', { ...starred, categories: ['user', 'mask'] }, 'all_starred'],
  ['both kinds', { starredFirst: true }, 'all_starred'],
  ['both kinds of a board', { boardId: 'none' }, 'board_created'],
  ...(['taken', 'name', 'size'] as const).flatMap((index): Use[] => {
    const orderBy = index === 'taken' ? 'taken_at' : index
    return [
      [`all by ${index}`, { ...newest, orderBy }, `all_${index}`],
      [`all by ${index}, smallest first`, { ...newest, orderBy, orderDir: 'ASC' }, `all_${index}`],
      [`all by ${index}, starred first`, { ...starred, orderBy }, `all_${index}`],
      [
        `a board by ${index}, starred first, smallest first`,
        { ...starred, orderBy, orderDir: 'ASC', boardId: 'none' },
        `board_${index}`,
      ],
      [`two categories by ${index}`, { orderBy, categories: ['user', 'mask'] }, `all_${index}`],
      [`both kinds of a board by ${index}`, { orderBy, boardId: 'none' }, `board_${index}`],
    ]
  }),
]

const reads: [string, (view: OpenedView, key: never) => Promise<unknown>][] = [
  ['by position', (view) => view.slice(0, 2)],
  ['by position, from the end', (view) => view.slice(1, 1)],
  ['behind an image', (view, key) => view.behind(key, 2)],
  ['a position', (view, key) => view.positionOf(key)],
]

const isDated = ([, { orderBy = 'created_at' }]: Use) =>
  orderBy === 'created_at' || orderBy === 'taken_at'

test.each([
  ...uses.flatMap((use) => reads.map(([way, read]) => ({ use, way, read }))),
  ...uses.filter(isDated).map((use) => ({
    use,
    way: 'days',
    read: (view: OpenedView) => view.countDays(calendarOf('UTC')),
  })),
])('$use.0, $way: read from its index, in its order', async ({ use: [, view, index], read }) => {
  const { reading, plans } = await openPlanned()
  const whole = { ...everything, ...view }
  const opened = await openView(reading, whole)

  await read(opened, (await getOrderKey(reading.db, 'a.png', orderOf(whole))) as never)

  expect(plans.filter((step) => step.includes('images'))).not.toEqual([])
  for (const step of plans.filter((line) => line.includes('images')))
    expect(step).toMatch(new RegExp(`^SEARCH images USING COVERING INDEX ${index} `))
  expect(plans.join('\n')).not.toContain('TEMP B-TREE')
})
