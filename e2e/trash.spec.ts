import { nameOfFile } from '#testing/library/fill-library.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

// The trash uses the same grid as other views. These tests need a layout; src/gallery/trash/trash.test.tsx
// has the others.

const COUNT = 2_000

test.use({ libraryOf: COUNT })

test.beforeEach(async ({ api, gallery, page }) => {
  const { image_names } = await api.client.images.names({})
  await api.client.trash.trashImages(image_names)
  await page.goto('/?board=trash')
  await expect(gallery.tiles.first()).toBeVisible()
})

test('shows the first deleted image with End and requests only its surroundings @long', async ({
  gallery,
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.includes('/trash/?') && !url.includes('limit=0')) asked.push(url)
  })

  await gallery.grid.focus()
  await page.keyboard.press('End')

  await expect(gallery.image(nameOfFile(0))).toBeVisible()
  expect(asked.length).toBeLessThanOrEqual(3)
  expect(await gallery.tiles.count()).toBeLessThan(200)
  await expect(gallery.grid.getByText('30 days left').first()).toBeVisible()
})

test('sorts far down by name, and keeps the order after a reload @long', async ({
  gallery,
  page,
}) => {
  const first = nameOfFile(0)
  await gallery.sort('Name')

  await expect(gallery.image(first)).toBeVisible()
  await page.reload()
  await expect(gallery.image(first)).toBeVisible()
  await gallery.sort('Z to A')
  await expect(gallery.image(nameOfFile(COUNT - 1))).toBeVisible()
  await gallery.grid.focus()
  await page.keyboard.press('End')
  await expect(gallery.image(first)).toBeVisible()
})

test('selects with a marquee far down and restores from its menu @long', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.scrollTo(0.5)
  const columns = Number(await gallery.grid.getAttribute('aria-colcount'))
  // In the third row, because a marquee near the upper edge scrolls.
  const [first = '', , last = ''] = (await gallery.namesOnScreen()).slice(2 * columns)
  const from = await settledBox(gallery.image(first))
  const to = await settledBox(gallery.image(last))

  // Starts in the gap above the images.
  await page.mouse.move(from.x + 10, from.y - 4)
  await page.mouse.down()
  await page.mouse.move(to.x + 40, to.y + 40, { steps: 5 })
  await page.mouse.up()
  await expect(gallery.selectionBar).toContainText('3 images')
  const selected = await gallery.selectedNames()
  await gallery.image(last).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click()

  await expect
    .poll(async () => (await api.imagesOn()).map(({ file_name }) => file_name))
    .toEqual(selected)
  await expect(gallery.boardCount('Trash')).toHaveText((COUNT - 3).toLocaleString('en'))
  await expect(gallery.selectionBar).toContainText('1 image')
})

test('prevents dragging an image out of the trash @long', async ({ api, gallery }) => {
  await gallery.dragImage(nameOfFile(COUNT - 1), { toBoard: 'Assets' })

  await expect(gallery.image(nameOfFile(COUNT - 1))).toBeVisible()
  expect(await api.imagesOn()).toEqual([])
})

test('selects by keys, opens the menu with Shift+F10, and names the size of all @long', async ({
  gallery,
  page,
}) => {
  await gallery.image(nameOfFile(COUNT - 1)).click()
  await page.keyboard.press('Shift+ArrowRight')
  await gallery.image(nameOfFile(COUNT - 4)).click({ modifiers: ['Shift'] })
  await expect(gallery.selectionBar).toContainText('4 images')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: /^Restore to board/ })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /^Delete for good/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.keyboard.press('ControlOrMeta+a')
  await expect(gallery.selectionBar).toContainText('2,000 images')
  await gallery.image(nameOfFile(COUNT - 1)).click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('Delete')

  const dialog = page.getByRole('dialog', { name: 'Delete 1,999 images for good?' })
  await expect(dialog).toContainText(/1,999 images, [\d.,]+ [KMG]iB\./)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Empty trash…' }).click()
  await expect(page.getByRole('dialog', { name: 'Empty the trash?' })).toContainText(
    /2,000 images, [\d.,]+ [KMG]iB will be deleted for good/,
  )
})

test('restores a whole selection to a board with M, and Undo shows its origin', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Castles')
  await page.reload()
  await expect(gallery.board('Castles')).toBeVisible()
  await expect(gallery.tiles.first()).toBeVisible()
  await gallery.grid.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill('Cast')
  await page.keyboard.press('Enter')

  await expect(gallery.boardCount('Castles')).toHaveText('2,000')
  await expect(gallery.toast('Restored 2,000 images to Castles')).toBeVisible()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  const restoredCount = async () => (await api.imagesOn('Castles')).length
  await expect.poll(restoredCount).toBe(COUNT)
  await gallery.undo()
  await expect(gallery.boardCount('Trash')).toHaveText('2,000')
  await expect(gallery.tiles.first()).toContainText('Assets')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect.poll(restoredCount).toBe(COUNT)
})

test('restores everything as one action, which Undo and Redo repeat after a reload @long', async ({
  api,
  gallery,
  page,
}) => {
  const board = await api.createBoard('Castles')
  await api.uploadImage('a.png', { board: 'Castles' })
  await api.client.trash.trashBoard(board.boardId, { includeImages: true })
  await page.reload()
  await expect(gallery.image('a.png')).toContainText('Castles (deleted)')

  await page.getByRole('button', { name: 'Restore all' }).click()
  await expect(gallery.toast('Restored 2,001 images and 1 board')).toBeVisible()
  await expect.poll(async () => (await api.imagesOn()).length).toBe(COUNT)
  await expect(gallery.boardCount('Castles')).toHaveText('1')
  await page.reload()
  await page.getByRole('button', { name: 'Undo last change' }).click()

  await expect(gallery.boardCount('Trash')).toHaveText('2,001')
  await expect(gallery.grid).toContainText('Castles (deleted)')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(gallery.boardCount('Castles')).toHaveText('1')
  await expect.poll(async () => (await api.imagesOn()).length).toBe(COUNT)
})

test('pages in the viewer, shows where an image comes from, restores and deletes @long', async ({
  gallery,
  page,
}) => {
  const [first, second, third] = [1, 2, 3].map((at) => nameOfFile(COUNT - at))
  await gallery.image(first ?? '').dblclick()
  await expect(gallery.viewer).toContainText('1 of 2,000')
  await expect(gallery.viewer.getByRole('banner')).toContainText('Assets · 30 days left')
  await page.keyboard.press('i')
  await expect(gallery.details).toContainText('Original boardAssets')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('r')
  await expect(gallery.viewer).toContainText('2 of 1,999')
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete 1 image for good?' })
  await expect(dialog).toContainText(/1 image, [\d.,]+ [KMG]?i?B\./)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(gallery.viewer).toContainText('2 of 1,998')
  await page.keyboard.press('Escape')

  await expect(gallery.image(first ?? '')).toBeVisible()
  await expect(gallery.image(second ?? '')).toBeHidden()
  await expect(gallery.image(third ?? '')).toBeHidden()
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('opens an image with a tap and selects a range by dragging after a long press @long', async ({
    api,
    gallery,
    page,
  }) => {
    const [newest, , third] = [1, 2, 3].map((at) => nameOfFile(COUNT - at))
    await gallery.image(newest ?? '').tap()
    await expect(gallery.viewer).toBeVisible()
    await gallery.viewer.getByRole('button', { name: 'Close' }).tap()
    await expect(gallery.viewer).toBeHidden()
    const first = await settledBox(gallery.image(newest ?? ''))
    const last = await settledBox(gallery.image(third ?? ''))
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: typeof first) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at ? [{ x: at.x + at.width / 2, y: at.y + at.height / 2 }] : [],
      })

    await touch('touchStart', first)
    await expect(gallery.selectionBar).toContainText('1 image')
    await touch('touchMove', last)
    await touch('touchEnd')
    await expect(gallery.selectionBar).toContainText('3 images')
    await gallery.selectionBar.getByRole('button', { name: 'Restore', exact: true }).tap()

    await expect(gallery.selectionBar).toBeHidden()
    await expect.poll(async () => (await api.imagesOn()).length).toBe(3)
  })

  test('restores an image of a deleted board to another board @long', async ({
    api,
    gallery,
    page,
  }) => {
    const board = await api.createBoard('Castles')
    await api.createBoard('Target')
    await api.uploadImage('a.png', { board: 'Castles' })
    await api.client.trash.trashBoard(board.boardId, { includeImages: true })
    await page.reload()
    await expect(page.getByText('without their board go to Assets')).toBeVisible()
    const tile = await settledBox(gallery.image('a.png'))
    const session = await page.context().newCDPSession(page)
    const [x, y] = [tile.x + tile.width / 2, tile.y + tile.height / 2]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    await expect(gallery.selectionBar).toContainText('1 image')
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })

    const { selectionBar } = gallery
    await expect(selectionBar.getByRole('button', { name: 'Restore to Assets' })).toBeVisible()
    await selectionBar.getByRole('button', { name: 'Restore to board…' }).tap()
    await page.getByRole('option', { name: /^Target/ }).tap()

    await expect(gallery.toast('Restored 1 image to Target')).toBeVisible()
    await expect.poll(async () => (await api.imagesOn('Target')).length).toBe(1)
  })
})
