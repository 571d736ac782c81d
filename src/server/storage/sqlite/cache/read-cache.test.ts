import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { isVideoName } from '#contract/videos/video-formats.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { IdSet, parseIds } from '#server/storage/sql/id-set.ts'
import { recordsOf } from '#server/storage/sql/records-of.ts'
import { remoteUnits } from '#server/storage/sql/remote-units.ts'
import type { Tables } from '#server/storage/sql/tables.ts'
import { unitKinds, unitNamed } from '#server/storage/sql/units.ts'
import { pageOf } from '#server/storage/sql/views/read-view.ts'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import { LibraryDialect } from '#server/storage/sqlite/sqlite-dialect.ts'
import { viewReadingOf } from '#server/storage/sqlite/views/open-view.ts'
import { everything, listOf, newImage, prompted } from '#testing/ports/new-image.ts'
import { roundsOf } from '#testing/rounds.ts'
import { ReadCache } from './read-cache.ts'

/** Opens a library with two readers: one with a persistent cache, and one with a new cache for each read. */
const openLibrary = async () => {
  const database = new Sqlite(':memory:')
  const db = new Kysely<Tables>({ dialect: new LibraryDialect({ database }) })
  onTestFinished(() => db.destroy())
  await migrate(db as Kysely<unknown>)
  const readingWith = (cacheOf: () => ReadCache) => {
    const units = remoteUnits(unitKinds, (name, _kind, args) =>
      unitNamed(name).run(
        {
          ...viewReadingOf({ db, cache: cacheOf() }),
          now: 1,
          repairSchema: async () => {},
          noteChange: () => {},
        },
        ...args,
      ),
    )
    return recordsOf(units, units)
  }
  const cache = new ReadCache({ maxRareMatches: 2, stride: 3 })
  return {
    db,
    records: readingWith(() => cache),
    fresh: readingWith(() => new ReadCache()),
  }
}

const BOARDS = 3
/** The filled library has no videos, but changes add and remove them. */
const nameAt = (at: number) => `${at % 40}.${at % 40 > 20 && at % 3 === 0 ? 'mp4' : 'png'}`

const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at: fc.nat(39), count: fc.nat(3) }),
  fc.record({
    kind: fc.constantFrom('star', 'unstar', 'move', 'trash', 'restore', 'remove', 'category'),
    at: fc.nat(39),
    count: fc.nat(5),
  }),
  fc.record({
    kind: fc.constantFrom('rename', 'forget'),
    at: fc.nat(2),
    count: fc.nat(2),
  }),
)

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** Opens a library with images on three boards, and a function that changes them. */
const openFilledLibrary = async () => {
  const library = await openLibrary()
  const { db, records } = library
  const boardIds: string[] = []
  for (let at = 0; at < BOARDS; at += 1) {
    const board = { board_name: `Hall ${at}`, board_visibility: 'shared' } as const
    boardIds.push((await records.boards.create(board)).board_id)
  }
  const add = async (from: number, count: number) => {
    for (let at = from; at <= from + count; at += 1) {
      if ((await records.images.get(nameAt(at))) !== null) continue
      await records.images.add(
        newImage(nameAt(at), {
          ...prompted(at % 3 === 0 ? 'castle by the sea' : 'old castle'),
          board_id: boardIds[at % 5] ?? null,
          image_origin: at % 2 === 0 ? 'internal' : 'external',
          is_intermediate: at % 7 === 3,
          file_size: (at * 7919) % 100,
          created_at: (at * 31) % 50,
          ...(isVideoName(nameAt(at)) && {
            video: { duration_ms: 1 + (at % 4), frame_rate: null, codec: 'h264', has_sound: false },
          }),
        }),
      )
    }
  }
  await add(0, 20)

  const apply = async ({ kind, at, count }: Change) => {
    const names = Array.from({ length: count + 1 }, (_, index) => nameAt(at + index))
    if (kind === 'add') await add(at, count)
    if (kind === 'star' || kind === 'unstar')
      await records.images.setStarred(names, kind === 'star')
    if (kind === 'move') await records.images.addToBoard(names, boardIds[at % 3] ?? '')
    if (kind === 'trash') await records.trash.trashImages(names)
    if (kind === 'restore') await records.trash.restore({ imageNames: names, boardIds: [] })
    if (kind === 'remove') await records.images.remove(names)
    if (kind === 'category')
      await records.images.update(names[0] ?? '', { image_category: 'general' })
    if (kind === 'rename')
      await records.boards.update(boardIds[at] ?? '', { board_name: count > 0 ? 'Hall' : 'x' })
    if (kind === 'forget')
      await sql`DELETE FROM image_changes
        WHERE seq < (SELECT max(seq) FROM image_changes)`.execute(db)
  }
  return { ...library, boardIds, apply }
}

const views: Partial<View>[] = (
  [
    {},
    { query: 'castle' },
    { query: 'sea castle' },
    { query: 'hall castle' },
    { query: 'astle' },
    { searchTerm: 'sea' },
    { searchTerm: '1970', query: 'castle' },
    { query: 'castle', categories: ['user'] },
    { query: 'castle', imageOrigin: 'internal' },
    { query: 'castle', isIntermediate: false },
    { kind: 'all' },
    { kind: 'all', query: 'castle' },
    { kind: 'video', query: 'castle' },
    { kind: 'all', minDurationMs: 2 },
    { kind: 'video', query: 'castle', maxDurationMs: 4 },
    { kind: 'all', query: 'old', minDurationMs: 1, maxDurationMs: 4 },
  ] satisfies Partial<View>[]
).flatMap((view, at): Partial<View>[] => [
  { ...view, starredFirst: at % 2 === 0 },
  { ...view, orderBy: (['size', 'name', 'taken_at'] as const)[at % 3] ?? 'size', orderDir: 'ASC' },
  { ...view, orderBy: 'duration', starredFirst: at % 2 === 1 },
])

const namesOf = async ({ images }: ReturnType<typeof recordsOf>, view: View) => {
  const names = await images.names(view)
  return { ...names, image_names: await listOf(names.image_names) }
}

test('returns the same images as a new cache after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const { records, fresh, apply } = await openFilledLibrary()
      for (const change of changes) {
        await apply(change)
        for (const own of views) {
          const view = { ...everything, ...own }
          expect([view, await namesOf(records, view)]).toEqual([view, await namesOf(fresh, view)])
        }
      }
    }),
    { numRuns: roundsOf({ usual: 3, all: 20 }) },
  )
})

/** An unfiltered view of one board or of all boards. */
const wholeView = fc.record({
  orderBy: fc.constantFrom('created_at', 'taken_at', 'name', 'size', 'duration', 'duration'),
  orderDir: fc.constantFrom('ASC', 'DESC'),
  starredFirst: fc.boolean(),
  isIntermediate: fc.constantFrom(undefined, false, true),
  kind: fc.constantFrom('image', 'video', 'all', 'all'),
  board: fc.constantFrom(undefined, 0, 1),
})

test('returns pages by position that match the whole view after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wholeView, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(change, fc.nat(30)), { minLength: 1, maxLength: 12 }),
      async (chosen, changes) => {
        const { records, fresh, boardIds, apply } = await openFilledLibrary()
        const views = chosen.map(
          ({ isIntermediate, board, ...order }): View => ({
            ...everything,
            ...order,
            ...(isIntermediate !== undefined && { isIntermediate }),
            ...(board !== undefined && { boardId: boardIds[board] ?? '' }),
          }),
        )
        for (const [change, offset] of changes) {
          await apply(change)
          for (const view of views) {
            const { image_names: names } = await namesOf(fresh, view)
            for (const at of [offset, 30 - offset, 15]) {
              const page = await records.images.page(view, { offset: at, limit: 4 })
              const expected = names.slice(at, at + 4)
              const found = page?.items.map(({ image_name }) => image_name)
              expect([view, at, found, page?.total]).toEqual([view, at, expected, names.length])
            }
          }
        }
      },
    ),
    { numRuns: roundsOf({ usual: 6, all: 40 }) },
  )
})

/** Opens a library with a search for castles, and lists the statements that the search runs. */
const openSearch = async () => {
  const { db, records } = await openLibrary()
  const statements: string[] = []
  const listing = db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const reading = viewReadingOf({ db: listing, cache: new ReadCache({ maxRareMatches: 2 }) })
  const view = { ...everything, query: 'castle', starredFirst: true }
  const search = () => pageOf(reading, view, { offset: 0, limit: 10 })
  return { records, statements, search }
}

test('does not repeat a text search after a star or a move', async () => {
  const { records, statements, search } = await openSearch()
  const countSearches = () => statements.filter((text) => text.includes('images_fts MATCH')).length
  for (let at = 0; at < 5; at += 1)
    await records.images.add(newImage(nameAt(at), prompted('castle')))
  await search()
  expect(countSearches()).toBe(1)

  await records.images.setStarred([nameAt(2)], true)
  const page = await search()

  expect(countSearches()).toBe(1)
  expect(JSON.parse(page?.items[0] ?? '')[0].image_name).toBe(nameAt(2))
})

test('finds the place of a new image without reading the images deleted before', async () => {
  const { records, statements, search } = await openSearch()
  const castle = (at: number) =>
    newImage(`${at}.png`, { ...prompted('castle'), created_at: at * 10 })
  await records.images.addMany(Array.from({ length: 300 }, (_, at) => castle(at)))
  await search()
  await records.images.remove(Array.from({ length: 290 }, (_, at) => `${at + 5}.png`))
  await records.images.add(newImage('new.png', { ...prompted('castle'), created_at: 1505 }))
  statements.length = 0

  const page = await search()

  expect(JSON.parse(page?.items[0] ?? '')[5].image_name).toBe('new.png')
  expect(statements.length).toBeLessThan(30)
})

test('contains the added IDs until their range is removed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300)), fc.nat(300), fc.nat(50), (given, first, length) => {
      const set = new IdSet(Uint32Array.from(given))
      set.removeRange(first, first + length)

      const left = [...new Set(given)].filter((id) => id < first || id > first + length)
      expect([...set.ids()]).toEqual(left.sort((one, other) => one - other))
      expect(set.size).toBe(left.length)
    }),
  )
})

test('chooses or leaves out the IDs of a set, in their order', () => {
  const arrays = fc.array(fc.nat(200))
  fc.assert(
    fc.property(arrays, arrays, (given, ids) => {
      const set = new IdSet(Uint32Array.from(given))

      const chosen = ids.filter((id) => given.includes(id))
      const others = ids.filter((id) => !given.includes(id))
      expect([...set.choose(Uint32Array.from(ids))]).toEqual(chosen)
      expect([...set.leaveOut(Uint32Array.from(ids))]).toEqual(others)
    }),
  )
})

test.each([
  ['', []],
  ['7', [7]],
  ['12,0,4294967295', [12, 0, 4_294_967_295]],
])('parses the text %j to the IDs %j', (text, ids) => {
  expect([...parseIds(text)]).toEqual(ids)
})
