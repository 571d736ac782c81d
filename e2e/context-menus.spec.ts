import type { Page } from '@playwright/test'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { violationsOf } from './fixtures/serious-faults-of.ts'
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
    await expect(item(page, 'Download board')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(gallery.board('Castles')).toBeFocused()
  }

  await page.keyboard.press('ArrowRight')
  const chooser = page.waitForEvent('filechooser')
  await item(page, 'Upload to this board…').press('Enter')
  await (await chooser).setFiles(await gallery.drawFiles(['tower.png']))
  await expect.poll(() => api.namesOn('Castles')).toEqual(['tower.png'])
})

test('copies the original with Copy image, and shows the same menu in the viewer', async ({
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
  await expect(gallery.viewer).toContainText('4 of 4')
  await page.keyboard.press('Shift+F10')
  await expect(item(page, 'Full screen')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu(page)).toBeHidden()
  await gallery.viewer.click({ button: 'right' })
  await item(page, 'Copy file name').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('a.png')
  await expect(gallery.viewer).toBeVisible()
})

test('fits menus into a narrow window, closes them with Back, without serious axe violations', async ({
  gallery,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await gallery.image('c.png').click({ button: 'right' })
  await expect(item(page, 'Delete')).toBeInViewport()
  const box = await settledBox(menu(page))
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(320)

  const violations = await violationsOf(page)

  expect(violations.map(({ id }) => id)).toEqual([])

  await page.goBack()
  await expect(menu(page)).toBeHidden()
  await expect(gallery.selectionBar).toContainText('1 image')
  await page.goBack()
  await expect(gallery.selectionBar).toBeHidden()
})
