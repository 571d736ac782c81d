import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { View } from '#server/core/images/image-ports.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyLibrary } from '#testing/ports/empty-library.ts'
import { everything, namesIn, newImage } from '#testing/ports/new-image.ts'
import { roundsOf } from '#testing/rounds.ts'
import { openPostgresRecords, type PostgresRecords } from './open-records.ts'

/** So small that a few images have many buckets. */
const bucketImages = 4

const CONNECTIONS = 3

let processes: PostgresRecords[]
let client: pg.Client

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  client = new pg.Client({ connectionString: url, options: '-c search_path=tessera' })
  await client.connect()
  processes = []
  for (let at = 0; at < CONNECTIONS; at += 1)
    processes.push(await openPostgresRecords({ url, bucketImages, isShared: true }))
})

afterAll(async () => {
  await Promise.all(processes.map((records) => records.close()))
  await client.end()
})

const first = () => processes[0] as PostgresRecords

const BOARDS = ['one', 'two']

const nameAt = (at: number) => `${at}.${at % 4 === 1 ? 'mp4' : 'png'}`

/** Few different values, so that many images have the same one. */
const image = fc.record({
  board: fc.constantFrom(null, ...BOARDS),
  created_at: fc.integer({ min: -2, max: 3 }).map((day) => day * 86_400_000),
  taken_at: fc.option(fc.integer({ min: 0, max: 2 })),
  file_size: fc.integer({ min: 1, max: 3 }),
  file_name: fc.constantFrom('a.png', 'b.png', 'ä 2.png'),
  starred: fc.boolean(),
  is_intermediate: fc.boolean(),
  image_category: fc.constantFrom('general' as const, 'user' as const, 'mask' as const),
})

const some = fc.array(fc.nat({ max: 150 }), { minLength: 1, maxLength: 60 })

const change = fc.oneof(
  fc.record({ add: fc.array(image, { minLength: 1, maxLength: 60 }) }),
  fc.record({ star: some, starred: fc.boolean() }),
  fc.record({ move: some, to: fc.constantFrom('none', ...BOARDS) }),
  fc.record({ trash: some }),
  fc.record({ restore: some }),
  fc.record({ remove: some }),
  fc.record({ update: fc.nat({ max: 150 }), is_intermediate: fc.boolean() }),
)
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** Applies changes, each through one of several connections, all at once. */
const applyAll = async (changes: readonly Change[]) => {
  const boards = new Map<string, string>()
  for (const board_name of BOARDS) {
    const board = { board_name, board_visibility: 'shared' } as const
    boards.set(board_name, (await first().boards.create(board)).board_id)
  }
  const boardIdOf = (name: string) => boards.get(name) ?? 'none'
  let added = 0
  const apply = async (records: PostgresRecords, step: Change): Promise<unknown> => {
    const names = (numbers: readonly number[]) => numbers.map(nameAt)
    if ('add' in step) {
      const images = step.add.map(({ board, ...own }) =>
        newImage(nameAt(added++), { ...own, board_id: board && boardIdOf(board) }),
      )
      return records.images.addMany(images)
    }
    if ('star' in step) return records.images.setStarred(names(step.star), step.starred)
    if ('move' in step) return records.images.addToBoard(names(step.move), boardIdOf(step.to))
    if ('trash' in step) return records.trash.trashImages(names(step.trash))
    if ('restore' in step)
      return records.trash.restore({ imageNames: names(step.restore), boardIds: [] })
    if ('remove' in step) return records.images.remove(names(step.remove))
    return records.images.update(nameAt(step.update), { is_intermediate: step.is_intermediate })
  }
  await Promise.all(
    processes.map(async (records, own) => {
      for (const [at, step] of changes.entries())
        if (at % processes.length === own) await apply(records, step)
    }),
  )
  return ['none', ...boards.values()]
}

const views = (boardIds: readonly string[]): View[] =>
  (['created_at', 'taken_at', 'name', 'size', 'duration'] as const).flatMap((orderBy) =>
    [true, false].flatMap((starredFirst) =>
      (['ASC', 'DESC'] as const).flatMap((orderDir): View[] => {
        const view = { ...everything, orderBy, starredFirst, orderDir }
        return [
          view,
          { ...view, isIntermediate: false },
          { ...view, categories: ['user', 'mask'] },
          { ...view, kind: 'video' },
          { ...view, kind: 'all' },
          { ...view, kind: 'all', isStarred: !starredFirst },
          { ...view, kind: 'all', categories: ['user', 'mask'] },
          { ...view, kind: 'all', categories: ['general', 'user', 'mask'] },
          ...boardIds.flatMap((boardId): View[] => [
            { ...view, boardId, isIntermediate: false },
            { ...view, boardId, isIntermediate: false, kind: 'all' },
          ]),
        ]
      }),
    ),
  )

test('finds every position after changes by several connections at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
      await emptyLibrary(first())
      const boardIds = await applyAll(changes)

      expect(await first().upkeep.checkDatabase('full', AbortSignal.any([]))).toEqual([])
      for (const view of views(boardIds)) {
        const names = await namesIn(first(), view)
        for (let offset = 0; offset < names.length; offset += 11) {
          const page = await first().images.page(view, { offset, limit: 3 })
          const found = page?.items.map((item) => item.image_name)
          expect(found).toEqual(names.slice(offset, offset + 3))
          expect(await first().images.position(view, names[offset] ?? '')).toMatchObject({
            position: offset,
          })
        }
      }
    }),
    { numRuns: roundsOf({ usual: 2, all: 5 }) },
  )
})

test('counts the days of every view in any time zone', async () => {
  const hour = 3_600_000
  const dated = fc.record({
    board: fc.constantFrom(null, ...BOARDS),
    created_at: fc.integer({ min: -30, max: 60 }).map((at) => at * hour),
    taken_at: fc.option(fc.integer({ min: -30, max: 60 }).map((at) => at * hour)),
    starred: fc.boolean(),
    is_intermediate: fc.boolean(),
    image_category: fc.constantFrom('general' as const, 'mask' as const),
  })
  const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York')
  await fc.assert(
    fc.asyncProperty(fc.array(dated, { maxLength: 150 }), zone, async (images, timeZone) => {
      await emptyLibrary(first())
      const boardIds = await applyAll([{ add: images as never }])
      const dayOf = (at: string) =>
        new Date(`${at.replace(' ', 'T')}Z`).toLocaleDateString('en-CA', { timeZone })
      for (const view of views(boardIds)) {
        const { orderBy } = view
        if (orderBy !== 'created_at' && orderBy !== 'taken_at') continue
        const page = await first().images.page(view, { offset: 0, limit: 200 })
        const shown = (page?.items ?? []).filter((item) => !(view.starredFirst && item.starred))
        const dateOf = ({ created_at, taken_at }: (typeof shown)[number]) =>
          orderBy === 'taken_at' ? (taken_at ?? created_at) : created_at
        const days = Map.groupBy(shown, (item) => dayOf(dateOf(item)))
        const expected = [...days].map(([day, { length }]) => ({ day, count: length }))
        expect((await first().images.days({ ...view, orderBy }, timeZone))?.days).toEqual(expected)
      }
    }),
    { numRuns: roundsOf({ usual: 3, all: 8 }) },
  )
})

test('divides large buckets and removes empty ones', async () => {
  await emptyLibrary(first())
  const names = Array.from({ length: 100 }, (_, at) => nameAt(at))
  await first().images.addMany(names.map((name) => newImage(name, { created_at: 1000 })))
  const sizes = async () => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS buckets, max(slot12 + slot20) AS largest FROM order_buckets
        WHERE ord = 0 AND scope = -1`,
    )
    return rows[0]
  }

  expect((await sizes()).largest).toBeLessThanOrEqual(2 * bucketImages)
  expect((await sizes()).buckets).toBeGreaterThan(10)

  await first().images.remove(names)

  expect((await sizes()).buckets).toBe(1)
})
