import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer
let boardId: string
const images: ImageRecord[] = []

beforeAll(async () => {
  server = await startServer()
  boardId = (await server.client.boardOperations.create('Ordered')).board_id
  for (const name of ['shot 10.png', 'Shot 9.png', 'shot 2.png']) {
    server.clock.advance(24 * 3_600_000)
    const bytes = await drawFile(name)
    images.push(await server.client.uploads.upload({ bytes }, { boardId }))
  }
})

afterAll(() => server.close())

const newestFirst = () => images.map(({ image_name }) => image_name).toReversed()

test('lists a board by name and by size', async () => {
  const handle = await server.client.boards.getBoardHandle(boardId)

  const byName = await handle.listImages({ orderBy: 'name', orderDir: 'ASC' })
  const bySize = await handle.listImages({ orderBy: 'size' })

  expect(byName).toEqual(newestFirst())
  const bytesOf = (name: string) => images.find((one) => one.image_name === name)?.file_size ?? 0
  const sizes = bySize.map(bytesOf)
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
  expect(sizes).toHaveLength(3)
})

test('lists uncategorized images by name', async () => {
  const moved = newestFirst()
  await server.client.images.move(moved, 'none')
  const handle = server.client.boards.getUncategorizedHandle()

  expect(await handle.listImages({ orderBy: 'name', orderDir: 'ASC' })).toEqual(moved)

  await server.client.images.move(moved, boardId)
})

test('returns counts per day that add up to positions', async () => {
  await server.client.images.star([newestFirst()[1] ?? ''])
  const view = { boardId, orderBy: 'created_at', starredFirst: true } as const

  const { starred_count, days } = await server.client.images.days(view, { timeZone: 'Asia/Tokyo' })

  const { image_names } = await server.client.images.names(view)
  expect(image_names).toEqual([newestFirst()[1], newestFirst()[0], newestFirst()[2]])
  expect([starred_count, days.map(({ count }) => count)]).toEqual([1, [1, 1]])
  expect(days.map(({ day }) => day)).toEqual(
    days
      .map(({ day }) => day)
      .toSorted()
      .toReversed(),
  )
})

test('announces its sort orders and day counts in the capabilities', async () => {
  const { extensions } = await server.client.server.capabilities()

  expect(extensions).toEqual(expect.arrayContaining(['image_days', 'image_orders']))
})
