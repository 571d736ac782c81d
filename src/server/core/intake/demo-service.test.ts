import { expect, test } from 'vitest'
import { drawDemoLibrary } from '#demo/draw-demo-library.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { DemoService } from './demo-service.ts'

const getLibrary = shareLibrary()

const newest = {
  orderBy: 'created_at',
  orderDir: 'DESC',
  starredFirst: false,
} as const

test('fills boards and Assets and yields its progress', async () => {
  const library = getLibrary()
  const demo = new DemoService({ ...library, draw: drawDemoLibrary })

  const progress = []
  for await (const step of demo.fill(12)) progress.push(step)

  expect(progress).toEqual(
    Array.from({ length: 12 }, (_, index) => ({ done: index + 1, total: 12 })),
  )
  const page = await library.images.page(newest, { limit: 100, offset: 0 })
  expect(page?.total).toBe(12)
  const dates = page?.items.map((image) => image.created_at) ?? []
  expect(new Set(dates).size).toBe(12)
  expect(page?.items.every((image) => image.created_at === image.taken_at)).toBe(true)
  const boards = await library.boards.list({
    orderBy: 'board_name',
    direction: 'ASC',
    includeArchived: true,
  })
  expect(boards.items.length).toBeGreaterThan(2)
  expect(new Set(boards.items.map((board) => board.board_name)).size).toBe(boards.items.length)
}, 20_000)

test('stops when the consumer stops iterating', async () => {
  const library = getLibrary()
  const before = (await library.upkeep.allNames(null, 1000)).length
  const demo = new DemoService({ ...library, draw: drawDemoLibrary })

  for await (const { done } of demo.fill(500)) if (done === 2) break

  expect(await library.upkeep.allNames(null, 1000)).toHaveLength(before + 2)
})
