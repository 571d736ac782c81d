import type { Page } from '@playwright/test'
import type { Board } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { failing, quickGraph } from './fixtures/graphs.ts'
import { settledBox } from './fixtures/record-positions.ts'
import {
  BIG_BOARD,
  countOn,
  expect,
  filterBoards,
  formatted,
  groupRow,
  openBigBoard,
  smallBoards,
  stateOf,
  TARGET,
  largeTest as test,
} from './rig-fixtures.ts'

const MIDDLE = 0.5
/** The group of the newest boards, which is the first in the sidebar. */
const GROUP = 'Clients/Client 22'
const MEMBERS = smallBoards.map(({ name }) => name).filter((name) => name.startsWith(`${GROUP}/`))

const item = (page: Page, name: string | RegExp) =>
  page.getByRole('menuitem', { name, exact: true })

test.describe('menus', () => {
  test('apply to a tile in the middle of 50,000, by mouse and by key', async ({
    api,
    gallery,
    line,
    page,
  }) => {
    const before = await stateOf(api)
    await openBigBoard(gallery, MIDDLE)
    const [starred = '', moved = ''] = await gallery.namesOnScreen()
    const wasStarred = (await recordOf(api, starred)).starred

    line.fail('refuse', 'lose')
    await gallery.image(starred).click({ button: 'right' })
    await item(page, wasStarred ? 'Unstar' : 'Star').click()
    await gallery.image(moved).click()
    await page.keyboard.press('Shift+F10')
    await item(page, 'Move to board…').click()
    await page.getByRole('dialog').getByRole('combobox').fill(TARGET)
    await page.keyboard.press('Enter')

    await expect.poll(async () => (await recordOf(api, starred)).starred).toBe(!wasStarred)
    await expect.poll(() => countOn(api, TARGET)).toBe((before.boards[TARGET] ?? 0) + 1)
    expect((await recordOf(api, moved)).board_id).not.toBe((await recordOf(api, starred)).board_id)
    await undo(page)
    await expect.poll(() => countOn(api, TARGET)).toBe(before.boards[TARGET])
    await undo(page)
    await expect.poll(() => stateOf(api)).toEqual(before)
    expect(line.faults).toHaveLength(2)
  })

  test('apply to one of 300 boards, by mouse and by key', async ({ api, gallery, line, page }) => {
    const { name } = smallBoards[250] ?? { name: '' }
    await gallery.open({ board: 'none' })
    await filterBoards(page, name)

    line.fail('refuse', 'lose')
    await gallery.board(name).click({ button: 'right' })
    await item(page, 'Pin to the top').click()
    await expect.poll(async () => (await boardOf(api, name))?.starred).toBe(true)
    await gallery.board(name).focus()
    await page.keyboard.press('Shift+F10')
    await item(page, 'Archive').press('Enter')
    await expect.poll(async () => (await boardOf(api, name))?.archived).toBe(true)

    await undo(page, 2)
    await expect.poll(() => boardOf(api, name)).toMatchObject({ starred: false, archived: false })
    expect(line.faults).toHaveLength(2)
  })

  test('apply to a group of boards, by mouse and by key', async ({ api, gallery, line, page }) => {
    const archived = () =>
      boardsOf(api, ({ board_name, archived }) => board_name.startsWith(GROUP) && archived)
    await gallery.open({ board: 'none' })
    const row = groupRow(gallery, GROUP)

    line.fail('refuse', 'lose')
    await row.click({ button: 'right' })
    await item(page, 'Archive all').click()
    await expect.poll(archived).toEqual(MEMBERS.toSorted())
    await undo(page)
    await expect.poll(archived).toEqual([])

    await row.getByRole('button', { name: /^Clients/ }).focus()
    await page.keyboard.press('Shift+F10')
    await item(page, 'Rename group…').press('Enter')
    await page.getByRole('dialog').getByRole('textbox').fill('Renamed')
    await page.keyboard.press('Enter')
    const renamed = () =>
      boardsOf(api, ({ board_name }) => board_name.startsWith('Clients/Renamed/'))
    await expect.poll(renamed).toHaveLength(MEMBERS.length)
    await undo(page)
    await expect.poll(renamed).toEqual([])
    await expect
      .poll(() => boardsOf(api, ({ board_name }) => board_name.startsWith(`${GROUP}/`)))
      .toEqual(MEMBERS.toSorted())
    expect(line.faults).toHaveLength(2)
  })

  test('apply to the image of the viewer', async ({ api, gallery, line, page }) => {
    const before = await stateOf(api)
    await openBigBoard(gallery, MIDDLE)
    const [, first = ''] = await gallery.namesOnScreen()
    await gallery.image(first).dblclick()
    await expect(gallery.viewer).toContainText(/of [\d,]{6}/)

    line.fail('lose', 'refuse')
    await gallery.viewer.click({ button: 'right' })
    await item(page, 'Delete').click()
    await expect.poll(() => api.trashedNames()).toContain(first)
    await expect(gallery.viewer.getByRole('banner')).toContainText(
      formatted((before.boards[BIG_BOARD.name] ?? 0) - 1),
    )
    await page.keyboard.press('Shift+F10')
    await item(page, 'Copy file name').press('Enter')
    await undo(page)
    await expect.poll(() => stateOf(api)).toEqual(before)
    expect(line.faults).toHaveLength(2)
  })

  test('sort and select from empty space, and upload once through a lost answer', async ({
    api,
    gallery,
    line,
    page,
  }) => {
    const count = await countOn(api, BIG_BOARD.name)
    await openBigBoard(gallery, MIDDLE)
    const [first = '', second = ''] = await gallery.namesOnScreen()
    await openSpaceMenu(gallery, first, second)
    const chooser = page.waitForEvent('filechooser')
    line.fail('lose')
    await item(page, 'Upload files…').click()
    await (await chooser).setFiles(await gallery.drawFiles(['menu.png']))
    await expect.poll(() => countOn(api, BIG_BOARD.name)).toBe(count + 1)
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()

    await openSpaceMenu(gallery, first, second)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    await item(page, 'Sort by: Name').press('Enter')
    await expect(page).toHaveURL(/sort=name/)
    await expect(page.getByText(`${formatted(count + 1)} images`, { exact: true })).toBeVisible()
    expect(await countOn(api, BIG_BOARD.name)).toBe(count + 1)
    expect(line.faults).toHaveLength(1)
    await api.client.images.delete([(await recordOf(api, 'menu.png')).image_name])
  })
})

test.describe('hover card', () => {
  test('describes any tile on the screen without covering it or the next one', async ({
    api,
    gallery,
    page,
  }) => {
    await openBigBoard(gallery, MIDDLE)
    const names = await gallery.namesOnScreen()
    const columns = Number(await gallery.grid.getAttribute('aria-colcount'))
    const corners = [0, columns - 1, names.length - columns, names.length - 1]
    for (const at of corners) {
      const name = names[at] ?? ''
      await gallery.image(name).hover()
      await expectCard(page, await recordOf(api, name), api)
      await expectBeside(gallery, name)
    }

    await page.mouse.move(0, 0)
    await gallery.image(names[columns] ?? '').click()
    await page.mouse.move(0, 0)
    await page.keyboard.press('ArrowRight')
    const focused = names[columns + 1] ?? ''
    await expectCard(page, await recordOf(api, focused), api)
    await expectBeside(gallery, focused)
  })
})

/** Expects a card with the name, the size, the date, the generator and the model of an image. */
async function expectCard(page: Page, image: ImageRecord, { client }: LibraryMaker): Promise<void> {
  const { file_name, width, height, created_at } = image
  const { generator_version, model } = (await client.images.metadata(image.image_name)) ?? {}
  const card = page.locator('[data-hover-card]')
  await expect(card).toContainText(file_name ?? '')
  await expect(card).toContainText(`${width} × ${height} · PNG · `)
  await expect(card).toContainText(`InvokeAI ${generator_version} · ${model}`)
  await expect(card).toContainText(dateOf(created_at))
}

/** Expects that the card covers neither its tile nor the tiles next to it in the row. */
async function expectBeside(gallery: GalleryPage, name: string): Promise<void> {
  const card = await settledBox(gallery.page.locator('[data-hover-card]'))
  const tile = await settledBox(gallery.image(name))
  const row = { y: tile.y, height: tile.height }
  expect(Math.abs(card.x - tile.x), 'next to its tile').toBeLessThan(card.width)
  expect(
    card.y >= row.y + row.height || card.y + card.height <= row.y,
    `${name}: ${JSON.stringify({ card, tile })}`,
  ).toBe(true)
}

const dateOf = (timestamp: string): string =>
  new Date(`${timestamp.replace(' ', 'T')}Z`).toLocaleDateString('en-US', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })

test.describe('queue panel', () => {
  test('shows each batch with its results, which open the big board, and follows new images', async ({
    api,
    gallery,
    page,
  }) => {
    const before = await stateOf(api)
    const { client } = api
    const others = new Set(await generatedImages(api))
    await client.queue.prune()
    const boardId = (await boardOf(api, BIG_BOARD.name))?.board_id ?? ''
    const targetId = (await boardOf(api, TARGET))?.board_id ?? ''
    await openBigBoard(gallery, MIDDLE)
    const [first = ''] = await gallery.namesOnScreen()
    await page.keyboard.press('q')
    const panel = page.getByRole('complementary', { name: 'Queue' })
    await expect(panel).toBeVisible()
    const { y: top } = await settledBox(gallery.image(first))
    await client.queue.enqueue({ graph: quickGraph(boardId), runs: 12 })
    await client.queue.enqueue({ graph: quickGraph(targetId), runs: 3 })
    await client.queue.enqueue({ graph: failing, runs: 2 })

    const rows = panel.getByRole('region', { name: 'Finished' }).getByRole('listitem')
    await expect(rows.filter({ hasText: '12 of 12 done' }).locator('img')).toHaveCount(5)
    await expect(rows.filter({ hasText: '3 of 3 done' }).locator('img')).toHaveCount(3)
    await expect(rows.filter({ hasText: '0 of 2 done · 2 failed' }).locator('img')).toHaveCount(0)
    await expect(rows).toHaveCount(3)
    await expect(page.getByRole('button', { name: '12 new' })).toBeVisible()
    expect(await gallery.topOf(first)).toBe(top)

    await rows.filter({ hasText: '3 of 3 done' }).getByRole('link').click()
    await expect(gallery.board(TARGET)).toHaveAttribute('aria-current', 'page')
    await rows.filter({ hasText: '12 of 12 done' }).locator('img').first().click()
    await expect(gallery.board(BIG_BOARD.name)).toHaveAttribute('aria-current', 'page')

    await page.getByRole('switch', { name: 'Follow new images' }).click()
    await gallery.scrollTo(MIDDLE)
    await client.queue.enqueue({ graph: quickGraph(boardId) })
    await expect(gallery.selectionBar).toContainText('1 image')
    const made = (await generatedImages(api)).filter((name) => !others.has(name))
    expect(made).toHaveLength(16)
    await expect.poll(() => gallery.selectedNames()).toEqual([made[0]])
    await expect(gallery.grid.getByRole('gridcell', { selected: true })).toBeInViewport()

    await client.images.delete(made)
    await expect.poll(() => stateOf(api)).toEqual(before)
    // Failed items stay in the view of all later tests otherwise.
    await panel.getByRole('button', { name: 'Clear finished' }).click()
    await expect.poll(async () => (await client.queue.status()).queue.failed).toBe(0)
  })
})

test.describe('trash', () => {
  test('shows, sorts, selects and restores 20,000 images', async ({ api, gallery, line, page }) => {
    const before = await stateOf(api)
    const { client } = api
    const { image_names } = await client.images.names({ boardId: 'none' })
    await client.trash.trashImages(image_names)
    const count = before.trashed + image_names.length
    await page.goto('/?board=trash')
    await expect(gallery.tiles.first()).toContainText('30 days left')
    await expect(gallery.boardCount('Trash')).toHaveText(formatted(count))

    await gallery.sort('Name')
    await gallery.scrollTo(MIDDLE)
    await page.reload()
    await expect.poll(async () => (await gallery.namesOnScreen()).length).toBeGreaterThan(0)
    const names = await gallery.namesOnScreen()
    expect(names.toSorted()).toEqual(names)
    const restored = names.slice(0, 3)
    const [first = '', , third = ''] = restored
    await gallery.image(first).click()
    await gallery.image(third).click({ modifiers: ['Shift'] })
    await expect(gallery.selectionBar).toContainText('3 images')
    line.fail('lose', 'refuse')
    await gallery.image(third).click({ button: 'right' })
    await item(page, 'Restore to board…').click()
    await page.getByRole('dialog').getByRole('combobox').fill(TARGET)
    await page.keyboard.press('Enter')
    await expect.poll(() => countOn(api, TARGET)).toBe((before.boards[TARGET] ?? 0) + 3)

    await gallery.grid.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await expect(gallery.selectionBar).toContainText(`${formatted(count - 3)} images`)
    await page.keyboard.press('Escape')
    const [viewed = ''] = await gallery.namesOnScreen()
    await gallery.image(viewed).dblclick()
    await expect(gallery.viewer).toContainText(`of ${formatted(count - 3)}`)
    await expect(gallery.viewer.getByRole('banner')).toContainText('Assets · 30 days left')
    await gallery.viewer.click({ button: 'right' })
    await item(page, 'Restore').click()
    await expect(gallery.viewer).toContainText(`of ${formatted(count - 4)}`)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Restore all' }).click()
    await expect.poll(async () => (await stateOf(api)).trashed).toBe(0)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Undo last change' })).toBeEnabled()
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(async () => (await stateOf(api)).trashed).toBe(count - 4)
    await expect(gallery.boardCount('Trash')).toHaveText(formatted(count - 4))
    await client.trash.restore({ imageNames: image_names })
    expect(line.faults).toHaveLength(2)
    const records = await Promise.all(restored.map((name) => recordOf(api, name)))
    await client.images.move(
      records.map(({ image_name }) => image_name),
      'none',
    )
  })
})

test.describe('header', () => {
  test('offers four ways to add images, and names all options of the view', async ({
    gallery,
    page,
  }) => {
    await openBigBoard(gallery, MIDDLE)
    await page.getByRole('button', { name: 'Add images' }).click()
    await expect(page.getByRole('menuitem')).toContainText([
      'Upload files…',
      'Upload a folder…',
      'Import a folder on this computer…',
      'Draw a demo library',
    ])
    await page.keyboard.press('Escape')
    await gallery.openViewOptions()
    for (const name of ['Sort by', 'Order', 'Layout'])
      await expect(gallery.viewOptions.getByRole('group', { name })).toBeVisible()
    for (const name of ['Starred first', 'Group by day', 'Details on hover'])
      await expect(gallery.viewOptions.getByRole('switch', { name })).toBeVisible()
    await expect(gallery.viewOptions.getByRole('slider', { name: 'Tile size' })).toBeVisible()
    await expect(gallery.viewOptions.getByRole('button')).toHaveText([
      'Use for all boards',
      'Reset',
    ])
  })

  test('filters the big board, and searches all boards by the name of one', async ({
    api,
    gallery,
    page,
  }) => {
    const { client } = api
    const { board_id: boardId } = (await boardOf(api, BIG_BOARD.name)) ?? {}
    const starred = await client.images.count({ boardId, isStarred: true })
    const found = await client.images.count({ query: '"Shoot 298"' })
    const shows = (count: number) =>
      expect(page.getByText(`${formatted(count)} images`, { exact: true })).toBeVisible()
    await openBigBoard(gallery, MIDDLE)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('switch', { name: 'Only starred images' }).click()
    await page.keyboard.press('Escape')
    await shows(starred)
    await page.getByRole('button', { name: /clear filter$/ }).click()
    await shows(await countOn(api, BIG_BOARD.name))

    await gallery.openBoard('All images')
    await gallery.search.fill('"Shoot 298"')
    await shows(found)
    expect(found).toBe(await countOn(api, 'Clients/Client 22/Shoot 298'))
  })
})

/** Opens the menu of the empty space between two tiles of a row. */
async function openSpaceMenu(gallery: GalleryPage, left: string, right: string): Promise<void> {
  const { x, y, height } = await settledBox(gallery.image(right))
  const from = await settledBox(gallery.image(left))
  const middle = (from.x + from.width + x) / 2
  await gallery.page.mouse.click(middle, y + height / 2, { button: 'right' })
}

/** Undoes the last steps with the keyboard. */
async function undo(page: Page, steps = 1): Promise<void> {
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ControlOrMeta+z')
}

/** Returns the record of an image by its file name. */
async function recordOf({ client }: LibraryMaker, fileName: string): Promise<ImageRecord> {
  const { items } = await client.images.page({ query: `"${fileName}"` }, { offset: 0, limit: 9 })
  const record = items.find(({ file_name }) => file_name === fileName)
  if (record === undefined) throw new Error(`No image is named ${fileName}.`)
  return record
}

/** Returns the names of the generated images of the library, newest first. */
async function generatedImages({ client }: LibraryMaker): Promise<string[]> {
  const { items } = await client.images.page({ starredFirst: false }, { offset: 0, limit: 100 })
  return items
    .filter(({ image_origin }) => image_origin === 'internal')
    .map(({ image_name }) => image_name)
}

const boardOf = async ({ client }: LibraryMaker, name: string) =>
  (await client.boardOperations.list({ includeArchived: true })).find(
    ({ board_name }) => board_name === name,
  )

const boardsOf = async ({ client }: LibraryMaker, isWanted: (board: Board) => boolean) =>
  (await client.boardOperations.list({ includeArchived: true }))
    .filter(isWanted)
    .map(({ board_name }) => board_name)
    .toSorted()
