import type { LibraryMaker } from '#testing/library/library-maker.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { quickGraph } from './fixtures/graphs.ts'
import { farthestMove, recordPositions } from './fixtures/record-positions.ts'
import { BIG_BOARD, expect, test } from './rig-fixtures.ts'

/** The largest distance that users do not notice. */
const MAX_MOVE_PX = 2
/** About row 400 of the big board. */
const ROW_400 = 0.05
const TARGET = 'Board 0'

test('keeps the first visible image in place through changes, faults, Back and a reload', async ({
  api,
  gallery,
  line,
  page,
  relay,
}) => {
  const { id } = await boardNamed(api, BIG_BOARD.name)
  await openAtRow400(gallery)
  const [first = '', starred = '', deleted = '', next = ''] = await gallery.namesOnScreen()
  const stop = await recordPositions(gallery.grid, [first])

  line.fail('refuse', 'lose')
  await gallery.star(starred)
  await gallery.deleteImage(deleted)
  await expect.poll(() => gallery.selectedNames()).toEqual([next])
  await moveSelected(gallery, TARGET)
  await gallery.dropFiles(['new.png'], { on: 'page' })
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
  relay.cutEvents()
  await api.client.queue.enqueue({ graph: quickGraph(id) })
  await expect.poll(async () => (await api.client.queue.status()).queue.completed).toBe(1)
  relay.restoreEvents()
  await expect(page.getByRole('button', { name: '2 new' })).toBeVisible()
  expect(farthestMove((await stop())[first])).toBeLessThanOrEqual(MAX_MOVE_PX)

  const top = await gallery.topOf(first)
  const movedPx = async () => Math.abs((await gallery.topOf(first)) - top)
  await gallery.openBoard('Assets')
  await expect(gallery.image(first)).toHaveCount(0)
  await expect(gallery.tiles.first()).toBeVisible()
  await page.goBack()
  await expect.poll(movedPx).toBeLessThanOrEqual(MAX_MOVE_PX)
  await page.reload()
  await expect.poll(movedPx).toBeLessThanOrEqual(MAX_MOVE_PX)

  expect(line.faults).toHaveLength(2)
  expect(await api.trashedNames()).toEqual([deleted])
  expect(await api.namesOn(TARGET)).toContain(next)
  expect((await boardNamed(api, BIG_BOARD.name)).names).toHaveLength(BIG_BOARD.imageCount)
  const stars = await api.client.images.page(
    { starredFirst: true, boardId: id },
    { offset: 0, limit: -1 },
  )
  expect(stars.items.find(({ file_name }) => file_name === starred)?.starred).toBe(true)
})

async function openAtRow400(gallery: GalleryPage): Promise<void> {
  await gallery.open({ board: BIG_BOARD.name })
  await expect(gallery.tiles.first()).toBeVisible()
  await gallery.scrollTo(ROW_400)
}

/** Moves the selected images with the board palette. */
async function moveSelected({ page }: GalleryPage, board: string): Promise<void> {
  await page.keyboard.press('m')
  await page.getByRole('combobox').fill(board)
  await page.keyboard.press('Enter')
}

/** Returns a board's ID and the sorted names of all of its images, as the server knows them. */
async function boardNamed({ client }: LibraryMaker, name: string) {
  const id = (await client.boards.getBoardHandleByName(name))?.boardId
  if (id === undefined) return { id: '', names: [] }
  return { id, names: (await client.boardOperations.imageNames(id)).toSorted() }
}
