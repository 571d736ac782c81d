import { nameOfFile } from '#testing/library/fill-library.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { quickGraph } from './fixtures/graphs.ts'
import { farthestMove, recordPositions } from './fixtures/record-positions.ts'
import { violationsOf } from './fixtures/serious-faults-of.ts'
import {
  BIG_BOARD,
  countOn,
  expect,
  filterBoards,
  formatted,
  groupRow,
  moveSelected,
  openBigBoard,
  RIG_IMAGES,
  smallBoards,
  stateOf,
  TARGET,
  largeTest as test,
} from './rig-fixtures.ts'

/** The largest distance that users do not notice. */
const MAX_MOVE_PX = 2
/** About row 400 of the big board. */
const ROW_400 = 0.05
const SHOOTS = smallBoards.filter(({ name }) => name.startsWith('Clients/'))

test('keeps the first visible image in place through changes, faults, Back and a reload', async ({
  api,
  gallery,
  line,
  page,
  relay,
}) => {
  const before = await boardNamed(api, BIG_BOARD.name)
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
  const { completed } = (await api.client.queue.status()).queue
  await api.client.queue.enqueue({ graph: quickGraph(before.id) })
  await expect
    .poll(async () => (await api.client.queue.status()).queue.completed)
    .toBe(completed + 1)
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
  expect(await api.trashedNames()).toContain(deleted)
  expect(await api.namesOn(TARGET)).toContain(next)
  const after = await boardNamed(api, BIG_BOARD.name)
  expect(after.names).toHaveLength(before.names.length)
  const stars = await api.client.images.page(
    { starredFirst: true, boardId: before.id },
    { offset: 0, limit: -1 },
  )
  expect(stars.items.find(({ file_name }) => file_name === starred)?.starred).toBe(true)
})

test('selects all of 50,000 but one, moves them, and Undo restores the library after a reload', async ({
  api,
  gallery,
  line,
  page,
}) => {
  const before = await stateOf(api)
  const count = before.boards[BIG_BOARD.name] ?? 0
  await openAtRow400(gallery)
  const [spared = ''] = await gallery.namesOnScreen()
  await gallery.grid.focus()

  await page.keyboard.press('ControlOrMeta+a')
  await expect(gallery.selectionBar).toContainText(`${formatted(count)} images`)
  await expect(gallery.selectionBar).toContainText(/[\d.]+ [MG]iB/)
  await gallery.image(spared).click({ modifiers: ['ControlOrMeta'] })
  await expect(gallery.selectionBar).toContainText(`${formatted(count - 1)} images`)
  line.fail('refuse', 'lose')
  await moveSelected(gallery, TARGET)

  await expect.poll(() => gallery.shownNames()).toEqual([spared])
  await expect.poll(() => countOn(api, BIG_BOARD.name)).toBe(1)
  await expect.poll(() => countOn(api, TARGET)).toBe((before.boards[TARGET] ?? 0) + count - 1)
  await page.reload()
  await expect(gallery.tiles).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')

  await expect.poll(() => stateOf(api)).toEqual(before)
  await expect(page.getByText(`${formatted(count)} images`, { exact: true })).toBeVisible()
})

test('deletes a board with its 50,000 images, and Undo and Redo agree with the server', async ({
  api,
  gallery,
  line,
  page,
}) => {
  const before = await stateOf(api)
  const count = before.boards[BIG_BOARD.name] ?? 0
  await gallery.open({ board: BIG_BOARD.name })
  await filterBoards(page, BIG_BOARD.name)
  await gallery.chooseForBoard(BIG_BOARD.name, 'Delete board…')
  const dialog = page.getByRole('dialog', { name: /^Delete/ })
  await expect(dialog).toContainText(`Contains ${formatted(count)} images`)
  await expect(dialog).toContainText(/\([\d,]+ starred\)/)
  line.fail('lose')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: /^Delete board and/ }).click()

  await expect.poll(() => countOn(api, BIG_BOARD.name)).toBe(0)
  await expect
    .poll(async () => (await api.client.trash.list({ offset: 0, limit: 1 })).total)
    .toBe(before.trashed + count)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => stateOf(api)).toEqual(before)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect.poll(() => countOn(api, BIG_BOARD.name)).toBe(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => stateOf(api)).toEqual(before)
  await expect(gallery.board(BIG_BOARD.name)).toBeVisible()
})

test('sums 300 boards in groups, keeps folded groups, and counts a change before it is sent', async ({
  api,
  gallery,
  line,
  page,
}) => {
  const { boards } = await stateOf(api)
  const inShoots = SHOOTS.reduce((sum, { name }) => sum + (boards[name] ?? 0), 0)
  await gallery.open({ board: 'none' })
  const clients = groupRow(gallery, 'Clients')
  await expect(clients).toContainText(formatted(inShoots))
  await filterBoards(page, 'shoot 298')
  await expect(gallery.boards).toHaveCount(1)
  await expect(gallery.boardCount(SHOOTS.at(-1)?.name ?? '')).toHaveText('101')
  await filterBoards(page, '')

  const name = clients.getByRole('button', { name: /^Clients,/ })
  await name.click()
  await expect(name).toHaveAttribute('aria-expanded', 'false')
  await page.reload()
  await expect(name).toHaveAttribute('aria-expanded', 'false')

  const target = SHOOTS[0]?.name ?? ''
  await expect.poll(() => gallery.namesOnScreen()).not.toEqual([])
  const shown = (await gallery.namesOnScreen()).slice(0, 3)
  await page.route('**/api/v1/**', async (route) => {
    const isChange = !['GET', 'HEAD'].includes(route.request().method())
    await (isChange && /move|board_images|batch/.test(route.request().url())
      ? route.abort()
      : route.continue())
  })
  await gallery.select(...shown)
  await moveSelected(gallery, target)
  await expect(clients).toContainText(formatted(inShoots + 3))
  await expect(gallery.boardCount('Assets')).toHaveText(formatted((boards.Assets ?? 0) - 3))
  expect(await countOn(api, target)).toBe(boards[target])
  await page.unrouteAll()
  await expect.poll(() => countOn(api, target)).toBe((boards[target] ?? 0) + 3)
  await expect(clients).toContainText(formatted(inShoots + 3))
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => countOn(api, target)).toBe(boards[target])
  expect(line.faults).toEqual([])
})

test('keeps the place in each layout, and reaches both ends of 100,000 images', async ({
  gallery,
  page,
}) => {
  await page.goto('/?board=none')
  await expect(gallery.tiles.first()).toBeVisible()
  await gallery.scrollTo(0.5)
  const [first = ''] = await gallery.namesOnScreen()
  for (const layout of ['fit', 'rows', 'squares']) {
    await page.keyboard.press('v')
    await expect(gallery.image(first), layout).toBeInViewport()
  }

  await page.goto('/?tiles=rows')
  await expect(gallery.tiles.first()).toBeVisible()
  await gallery.grid.focus()
  await page.keyboard.press('End')
  await expect(gallery.image(nameOfFile(0))).toBeInViewport()
  const label = await gallery.image(nameOfFile(0)).locator('xpath=..').getAttribute('aria-rowindex')
  expect(label).toBe(await gallery.grid.getAttribute('aria-rowcount'))
  await page.keyboard.press('Home')
  await expect(gallery.image(nameOfFile(RIG_IMAGES - 1))).toBeInViewport()
})

test('finds one of 300 boards in the palettes, and scrolls the sidebar to it', async ({
  gallery,
  page,
}) => {
  const { name } = smallBoards[250] ?? { name: '' }
  await gallery.open({ board: 'none' })
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(name.slice(-9).toLowerCase())
  await expect(page.getByRole('option', { name }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(gallery.board(name)).toHaveAttribute('aria-current', 'page')
  await expect(gallery.board(name)).toBeInViewport()

  await gallery.tiles.first().click()
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill(TARGET)
  await page.keyboard.press('Enter')
  await expect(gallery.toast('Moved 1 image')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await gallery.tiles.first().click()
  await page.keyboard.press('m')
  await expect(page.getByRole('listbox').getByRole('option').first()).toContainText(TARGET)
})

test('shows any of 50,000 images in the viewer with its position', async ({ gallery, page }) => {
  await openAtRow400(gallery)
  const [first = ''] = await gallery.namesOnScreen()
  await gallery.image(first).dblclick()
  await expect(gallery.viewer).toBeVisible()
  const position = async () =>
    Number(
      /[\d,]+(?= of)/.exec((await gallery.viewer.textContent()) ?? '')?.[0]?.replaceAll(',', ''),
    )
  await expect(gallery.viewer).toContainText(/of [\d,]{6}/)
  const start = await position()
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
  await expect.poll(position).toBe(start + 5)
  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.image(first)).toBeInViewport()
})

test('has no fault that axe finds, in both themes', async ({ gallery, page }) => {
  await openAtRow400(gallery)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const faults = await violationsOf(page)
    expect(faults.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`)).toEqual([])
  }
})

test('shows a change of another tab', async ({ context, gallery, page }) => {
  await gallery.open({ board: 'none' })
  const other = await context.newPage()
  await other.goto('/?board=none')
  await expect(gallery.tiles.first()).toBeVisible()
  const [first = ''] = await gallery.namesOnScreen()
  await gallery.star(first)
  const there = other.locator(`[role=gridcell]:has([data-picture="${first}"])`)
  await expect(there.getByRole('button', { name: 'Unstar' })).toBeVisible()
  await other.close()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.image(first).getByRole('button', { name: 'Unstar' })).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('moves selected images to one of 300 boards', async ({ api, gallery, page }) => {
    const before = await stateOf(api)
    await page.goto('/?board=none')
    await expect(gallery.tiles.first()).toBeVisible()
    const [first = ''] = await gallery.namesOnScreen()
    await gallery.longPress(first)
    await gallery.selectionBar.getByRole('button', { name: /^Move/ }).tap()
    await page.getByRole('dialog').getByRole('combobox').fill(TARGET)
    await page.getByRole('option', { name: TARGET, exact: false }).first().tap()
    await expect.poll(() => countOn(api, TARGET)).toBe((before.boards[TARGET] ?? 0) + 1)
    await gallery.undo()
    await expect.poll(() => stateOf(api)).toEqual(before)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

async function openAtRow400(gallery: GalleryPage): Promise<void> {
  await openBigBoard(gallery, ROW_400)
}

/** Returns a board's ID and the sorted names of all of its images, as the server knows them. */
async function boardNamed({ client }: LibraryMaker, name: string) {
  const id = (await client.boards.getBoardHandleByName(name))?.boardId
  if (id === undefined) return { id: '', names: [] }
  return { id, names: (await client.boardOperations.imageNames(id)).toSorted() }
}
