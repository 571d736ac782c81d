import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
})

test('boards open from a drawer, and nothing is wider than the screen', async ({
  gallery,
  page,
}) => {
  await page.goto('/')
  await expect(gallery.tiles).toHaveCount(4)

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await gallery.board('Portraits').tap()

  await expect(page.getByRole('heading', { level: 1, name: 'Portraits' })).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('a tap opens an image, a long press selects it', async ({ api, gallery, page }) => {
  await page.goto('/?board=none')
  await gallery.image('b.png').tap()
  await expect(gallery.viewer).toBeVisible()
  await gallery.viewer.getByRole('button', { name: 'Close', exact: true }).tap()
  await expect(gallery.viewer).toBeHidden()

  await gallery.longPress('b.png')
  await expect(gallery.selectionBar).toContainText('1 image')
  await gallery.image('c.png').tap()
  await expect(gallery.selectionBar).toContainText('2 images')
  await gallery.selectionBar.getByRole('button', { name: 'Move to board' }).tap()
  await page.getByRole('option', { name: 'Portraits' }).tap()

  await expect.poll(() => api.namesOn('Portraits')).toEqual(['c.png', 'b.png'])
})

test('three or four tiles stand in a row', async ({ gallery, page }) => {
  await page.goto('/')
  await expect(gallery.tiles).toHaveCount(4)

  expect([3, 4]).toContain(Number(await gallery.grid.getAttribute('aria-colcount')))
})
