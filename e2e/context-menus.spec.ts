import type { Page } from '@playwright/test'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsInBothSchemes, violationsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

// Newest first: c b a.
test.beforeEach(async ({ api, gallery }) => {
  await api.createBoard('Castles')
  for (const name of ['a.png', 'b.png', 'c.png']) await api.uploadImage(name)
  await gallery.open()
})

const menu = (page: Page) => page.getByRole('menu')
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const openOn = (gallery: GalleryPage, fileName: string) =>
  gallery.image(fileName).click({ button: 'right' })

test('opens the menus of the focused tile and board by keyboard and restores the focus', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.image('b.png').click()
  const tile = await settledBox(gallery.image('b.png'))
  for (const key of ['Shift+F10', 'ContextMenu']) {
    await page.keyboard.press(key)
    await expect(item(page, 'Open')).toBeVisible()
    const popup = await settledBox(menu(page))
    expect(Math.abs(popup.x - tile.x)).toBeLessThan(20)
    await page.keyboard.press('Escape')
    await expect(gallery.grid).toBeFocused()
  }

  await gallery.board('Castles').focus()
  for (const key of ['ArrowRight', 'Shift+F10']) {
    await page.keyboard.press(key)
    await expect(item(page, 'Download as zip')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(gallery.board('Castles')).toBeFocused()
  }

  await page.keyboard.press('ArrowRight')
  const chooser = page.waitForEvent('filechooser')
  await item(page, 'Upload to this board…').press('Enter')
  await (await chooser).setFiles(await gallery.drawFiles(['tower.png']))
  await expect.poll(() => api.namesOn('Castles')).toEqual(['tower.png'])
})

test('opens a menu when its script arrives, unless a click or Escape came first', async ({
  gallery,
  page,
}) => {
  const script = Promise.withResolvers<void>()
  await page.route('**/context-menu-popup-*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  await page.reload()
  const wasPrevented = page.evaluate(
    () =>
      new Promise((resolve) => {
        const listen = (event: Event) => setTimeout(() => resolve(event.defaultPrevented))
        window.addEventListener('contextmenu', listen, { capture: true, once: true })
      }),
  )
  const request = page.waitForRequest('**/context-menu-popup-*.js')

  await openOn(gallery, 'a.png')
  await request
  expect(await wasPrevented).toBe(true)
  await page.keyboard.press('Escape')
  await gallery.board('Castles').click({ button: 'right' })
  await gallery.image('b.png').click()
  await gallery.board('All images').click({ button: 'right' })
  await expect(menu(page)).toHaveCount(0)
  script.resolve()

  await expect(page.getByRole('menu', { name: 'All images' })).toBeVisible()
  await expect(menu(page)).toHaveCount(1)
})

test('copies the original with Copy image, and shows the same menu in the viewer @long', async ({
  api,
  context,
  gallery,
  page,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await api.uploadImage('wide.jpg', { widthPx: 640, heightPx: 80 })
  await page.reload()
  const copiedWidth = () =>
    page.evaluate(async () => {
      const [copied] = await navigator.clipboard.read()
      const blob = await copied?.getType('image/png')
      return blob ? (await createImageBitmap(blob)).width : 0
    })

  await openOn(gallery, 'wide.jpg')
  await item(page, 'Copy image').click()
  await expect(gallery.toast('Image copied')).toBeVisible()
  expect(await copiedWidth()).toBe(640)

  await gallery.image('a.png').dblclick()
  await expect(gallery.viewer).toContainText('of 4')
  await page.keyboard.press('Shift+F10')
  await expect(item(page, 'Full screen')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await gallery.viewer.click({ button: 'right' })
  await item(page, 'Copy file name').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('a.png')
  await expect(gallery.viewer).toBeVisible()
})

test('fits menus into a narrow window, closes them with Back, without serious axe violations @long', async ({
  gallery,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await gallery.image('c.png').click({ button: 'right' })
  await expect(item(page, 'Open')).toBeInViewport()
  const box = await settledBox(menu(page))
  expect(box).toMatchObject({ x: 0, width: 320 })
  await page.keyboard.press('End')
  await expect(item(page, 'Delete')).toBeInViewport()

  const violations = await violationsOf(page)

  expect(violations.map(({ id }) => id)).toEqual([])

  await page.goBack()
  await expect(menu(page)).toBeHidden()
  await expect(gallery.selectionBar).toContainText('1 image')
  await page.goBack()
  await expect(gallery.selectionBar).toBeHidden()
})

test('applies to the selection if the tile is part of it, else to the tile, and says which @long', async ({
  gallery,
  page,
}) => {
  const heading = (text: string) => menu(page).getByText(text, { exact: true })
  await gallery.select('a.png', 'b.png')

  await openOn(gallery, 'b.png')
  await expect(heading('2 images')).toBeVisible()
  await expect(item(page, 'Open')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await openOn(gallery, 'c.png')
  await expect(item(page, 'Open')).toBeVisible()
  await expect(heading('2 images')).toHaveCount(0)

  await page.keyboard.press('Escape')
  await expect.poll(() => gallery.selectedNames()).toEqual(['c.png'])
})

test('offers what can be done on empty space, with the view options in a submenu', async ({
  gallery,
  page,
}) => {
  const box = await settledBox(gallery.grid)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 40, { button: 'right' })
  await expect(item(page, 'Upload files…')).toBeVisible()
  await expect(item(page, 'New board')).toBeVisible()
  await expect(item(page, 'Star')).toHaveCount(0)

  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await item(page, 'Sort by: Name').press('Enter')

  await expect(page).toHaveURL(/sort=name/)
  await expect.poll(() => gallery.shownNames()).toEqual(['a.png', 'b.png', 'c.png'])
})

test('finds an item by its first letters, and leaves Shift and right click to the browser @long', async ({
  gallery,
  page,
}) => {
  await gallery.image('a.png').click({ button: 'right', modifiers: ['Shift'] })
  await expect(gallery.selectionBar).toBeHidden()
  await expect(menu(page)).toHaveCount(0)

  await openOn(gallery, 'a.png')
  await expect(item(page, 'Open')).toBeVisible()
  await page.keyboard.type('mov')
  await expect(item(page, 'Move to board…')).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('dialog', { name: 'Move to board' })).toBeVisible()
})

test('stays in the window at its corners, without serious axe violations in both schemes @long', async ({
  gallery,
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 500 })
  const last = await settledBox(gallery.image('a.png'))
  await page.mouse.click(last.x + last.width - 4, last.y + last.height - 4, { button: 'right' })
  const box = await settledBox(menu(page))
  expect(box.x + box.width).toBeLessThanOrEqual(900)
  expect(box.y + box.height).toBeLessThanOrEqual(500)
  expect(box.y).toBeGreaterThanOrEqual(0)

  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test('searches for similar parameters, sets the cover, and copies a link @long', async ({
  api,
  context,
  gallery,
  page,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await api.uploadImages(['tower.png', 'wall.png'], { board: 'Castles' })
  const cover = async () => (await api.client.boards.listBoards())[0]?.cover_image_name
  await gallery.open({ board: 'Castles' })
  const tower = (await api.imagesOn('Castles')).find(({ file_name }) => file_name === 'tower.png')

  await openOn(gallery, 'tower.png')
  await item(page, 'Set as board cover').click()
  await expect(gallery.toast('Changed the cover of')).toBeVisible()
  await expect.poll(cover).toBe(tower?.image_name)

  await openOn(gallery, 'tower.png')
  await item(page, 'Copy link').click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain(`image=${tower?.image_name}`)

  await openOn(gallery, 'tower.png')
  await item(page, 'Search for similar parameters').click()
  await expect(gallery.search).not.toHaveValue('')
  await expect(gallery.image('tower.png')).toBeVisible()
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('offers no command that InvokeAI cannot run @long', async ({ api, gallery, page }) => {
    await api.uploadImages(['tower.png'], { board: 'Castles' })
    await gallery.open({ board: 'Castles' })

    await gallery.tiles.first().click({ button: 'right' })
    await expect(item(page, 'Set as board cover')).toBeVisible()
    await expect(item(page, 'Select all from this day')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await gallery.board('Castles').click({ button: 'right' })

    await expect(item(page, 'Rename')).toBeVisible()
    await expect(item(page, 'Use the automatic cover')).toHaveCount(0)
  })
})
