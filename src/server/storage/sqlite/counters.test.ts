import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImageCategory, ImageOrder } from '#contract/image.ts'
import type { DatedView, View } from '#server/core/images/image-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { categories } from '#server/storage/sql/codes.ts'
import type { Flag } from '#server/storage/sql/tables.ts'
import { nameKeyOf } from '#server/storage/sql/views/name-key.ts'
import { emptyLibrary } from '#testing/ports/empty-library.ts'
import { createBoard, listOf, newImage } from '#testing/ports/new-image.ts'
import { roundsOf } from '#testing/rounds.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openRecords } from './open-records.ts'

let dataFolder: string
let records: Records
let database: Sqlite.Database

beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  records = await openRecords({ dataFolder })
  database = new Sqlite(join(dataFolder, 'tessera.db'), { readonly: true })
})

afterAll(async () => {
  database.close()
  await records.close()
  await removeFolder(dataFolder)
})

const NAMES = Array.from({ length: 8 }, (_, at) => `${at}.png`)
const anyName = fc.constantFrom(...NAMES)
const someNames = fc.array(anyName, { maxLength: 4 })
const anyBoard = fc.nat({ max: 2 })
const anyCategory = fc.constantFrom<ImageCategory>('general', 'user')

const HOUR_MS = 3_600_000

const anyFile = fc.record({
  taken_at: fc.option(fc.integer({ min: -60, max: 60 }).map((hours) => hours * HOUR_MS)),
  file_name: fc.constantFrom('a2.png', 'a10.png', 'A2.PNG', 'Ä.png', '🐈.png', 'ﬀ.png', '', null),
  file_size: fc.integer({ min: 1, max: 3 }),
})

type Step = (boards: string[]) => Promise<unknown>

const boardAt = (boards: readonly string[], at: number) => boards[at % boards.length] ?? 'nowhere'

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(anyName, fc.option(anyBoard), fc.boolean(), fc.boolean(), anyCategory, anyFile).map(
    ([name, board, starred, is_intermediate, image_category, file]): Step =>
      async (boards) => {
        if ((await records.images.get(name)) !== null) return
        const board_id = board === null ? null : boardAt(boards, board)
        // Some images share a time, so that the id has to decide.
        const created_at = (Number.parseInt(name, 10) >> 1) * 9 * HOUR_MS
        const kind = { board_id, starred, is_intermediate, image_category }
        await records.images.add(newImage(name, { ...kind, created_at, ...file }))
      },
  ),
  fc.tuple(someNames, fc.boolean()).map(
    ([names, starred]): Step =>
      () =>
        records.images.setStarred(names, starred),
  ),
  fc.tuple(anyName, fc.boolean(), anyCategory).map(
    ([name, is_intermediate, image_category]): Step =>
      () =>
        records.images.update(name, { is_intermediate, image_category }),
  ),
  fc.tuple(someNames, anyBoard).map(
    ([names, board]): Step =>
      (boards) =>
        records.images.addToBoard(names, boardAt(boards, board)),
  ),
  someNames.map(
    (names): Step =>
      () =>
        records.images.removeFromBoard(names),
  ),
  someNames.map(
    (names): Step =>
      () =>
        records.images.remove(names),
  ),
  someNames.map(
    (names): Step =>
      () =>
        records.trash.trashImages(names),
  ),
  fc.tuple(someNames, fc.array(anyBoard, { maxLength: 2 })).map(
    ([imageNames, places]): Step =>
      (boards) =>
        records.trash.restore({ imageNames, boardIds: places.map((at) => boardAt(boards, at)) }),
  ),
  fc.tuple(anyBoard, fc.constantFrom('keep' as const, 'trash' as const)).map(
    ([board, images]): Step =>
      (boards) =>
        records.trash.trashBoard(boardAt(boards, board), { images }),
  ),
  fc.tuple(anyBoard, fc.constantFrom('keep' as const, 'delete' as const)).map(
    ([board, images]): Step =>
      (boards) =>
        records.boards.remove(boardAt(boards, board), { images }),
  ),
  fc.constant<Step>(async (boards) => boards.push(await createBoard(records, 'Board'))),
  fc.constant<Step>(() => records.images.removeIntermediates()),
  fc.constant<Step>(() => records.trash.purge(Number.MAX_SAFE_INTEGER)),
)

/** `board` null: uncategorized; absent: every board. */
const anyView: fc.Arbitrary<Omit<View, 'boardId'> & { board?: number | null }> = fc.record(
  {
    board: fc.option(anyBoard),
    orderBy: fc.constantFrom(...ImageOrder.enum),
    orderDir: fc.constantFrom('ASC' as const, 'DESC' as const),
    starredFirst: fc.boolean(),
    isIntermediate: fc.boolean(),
    categories: fc.subarray<ImageCategory>(['general', 'user', 'mask'], { minLength: 1 }),
  },
  { requiredKeys: ['orderBy', 'orderDir', 'starredFirst'] },
)

interface Row {
  id: number
  image_name: string
  board_id: string
  category: number
  kind: number
  starred: Flag
  created_at: number
  taken_at: number | null
  file_name: string | null
  file_size: number
  width: number
  height: number
}

const valuesOf: Record<ImageOrder, (row: Row) => number | Buffer> = {
  created_at: (row) => row.created_at,
  taken_at: (row) => row.taken_at ?? row.created_at,
  name: (row) => Buffer.from(nameKeyOf(row)),
  size: (row) => row.file_size,
  // There are no videos.
  duration: (row) => row.created_at,
  width: (row) => row.width,
  height: (row) => row.height,
  // There is no metadata.
  steps: () => -1,
  cfg: () => -1,
  // Nothing is rated.
  rating: () => 0,
  // Nothing is searched.
  relevance: (row) => row.created_at,
}

const compare = (one: number | Buffer, other: number | Buffer): number =>
  typeof one === 'number' || typeof other === 'number'
    ? Number(one) - Number(other)
    : Buffer.compare(one, other)

/** Computes a view by reading and sorting every row. */
const computeRows = (view: View): Row[] => {
  const rows = database
    .prepare<[], Row>(
      `SELECT images.*, boards.board_id FROM images JOIN boards ON boards.id = images.board
       WHERE images.deleted_at IS NULL`,
    )
    .all()
  const { boardId, isIntermediate } = view
  const way = view.orderDir === 'ASC' ? 1 : -1
  const keyOf = valuesOf[view.orderBy]
  return rows
    .filter((row) => boardId === undefined || row.board_id === boardId)
    .filter((row) => isIntermediate === undefined || (row.kind === 1) === isIntermediate)
    .filter((row) => view.categories?.some((name) => name === categories[row.category]) ?? true)
    .sort((a, b) => way * (compare(keyOf(a), keyOf(b)) || a.id - b.id))
    .sort((a, b) => (view.starredFirst ? b.starred - a.starred : 0))
}

const COUNTED = 'board, kind, category, origin, starred'

test('keeps counters and views consistent with the rows after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 40 }),
      fc.array(anyView, { minLength: 1, maxLength: 6 }),
      async (steps, views) => {
        await emptyLibrary(records)
        const boards = [await createBoard(records, 'Board')]
        for (const step of steps) await step(boards)

        const kept = database
          .prepare(`SELECT ${COUNTED}, n, bytes FROM image_counts WHERE n != 0 ORDER BY ${COUNTED}`)
          .all()
        const counted = database
          .prepare(
            `SELECT ${COUNTED}, count(*) AS n, sum(file_size) AS bytes FROM images WHERE deleted_at IS NULL
             GROUP BY ${COUNTED} ORDER BY ${COUNTED}`,
          )
          .all()
        expect(kept).toEqual(counted)
        for (const { board, ...rest } of views) {
          const boardId = board === null || board === undefined ? 'none' : boardAt(boards, board)
          await expectTrueView(board === undefined ? rest : { ...rest, boardId })
        }
      },
    ),
    { numRuns: roundsOf({ usual: 12, all: 40 }) },
  )
})

const expectTrueView = async (view: View): Promise<void> => {
  const rows = computeRows(view)
  const names = rows.map((row) => row.image_name)
  const { images } = records
  expect(await listOf((await images.names(view)).image_names)).toEqual(names)

  const middle = Math.floor(names.length / 2)
  const page = await images.page(view, { offset: middle, limit: 2 })
  expect(page?.items.map((image) => image.image_name)).toEqual(names.slice(middle, middle + 2))
  expect(page?.total).toBe(names.length)

  if (view.orderBy === 'created_at' || view.orderBy === 'taken_at')
    await expectTrueDays({ ...view, orderBy: view.orderBy })
  const anchor = names[middle]
  if (anchor === undefined) return
  expect(await images.position(view, anchor)).toEqual({ position: middle, total: names.length })
  const behind = await images.page(view, { after: anchor, limit: 9 })
  expect(behind?.items.map((image) => image.image_name)).toEqual(names.slice(middle + 1))
}

/** Days of a zone with a constant offset from UTC, so that they can be computed here. */
const ZONE = { timeZone: 'Asia/Tokyo', hours: 9 }

const expectTrueDays = async (view: DatedView): Promise<void> => {
  const rows = computeRows(view)
  const head = view.starredFirst ? rows.filter(({ starred }) => starred === 1) : []
  const days = rows.slice(head.length).map((row) => {
    const at = Number(valuesOf[view.orderBy](row)) + ZONE.hours * HOUR_MS
    return new Date(at).toISOString().slice(0, 10)
  })

  expect(await records.images.days(view, ZONE.timeZone)).toEqual({
    starred_count: head.length,
    days: [...new Set(days)].map((day) => ({
      day,
      count: days.filter((other) => other === day).length,
    })),
  })
}
