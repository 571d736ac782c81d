import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const cardOf = (page: Page) => page.locator('[data-hover-card]')

test.beforeEach(async ({ api, gallery }) => {
  // Newest first: c b a.
  await api.uploadImages(['a.png', 'b.png', 'c.png'], { widthPx: 120, heightPx: 80 })
  await gallery.open()
})

test('tells below a tile what the image is while the pointer rests on it', async ({
  api,
  gallery,
  page,
}) => {
  const [newest] = await api.imagesOn()
  const metadata = await api.client.images.metadata(newest?.image_name ?? '')
  await gallery.image('c.png').hover()

  await expect(cardOf(page)).toContainText('c.png')
  await expect(cardOf(page)).toContainText('120 × 80')
  await expect(cardOf(page)).toContainText(metadata?.model ?? 'no model')
  await expect(cardOf(page)).toContainText(metadata?.prompt ?? 'no prompt')
  const [tile, card] = [
    await gallery.image('c.png').boundingBox(),
    await cardOf(page).boundingBox(),
  ]
  expect(card?.y).toBeGreaterThanOrEqual((tile?.y ?? 0) + (tile?.height ?? 0))

  await gallery.image('b.png').hover()
  await expect(cardOf(page)).toContainText('b.png')
  await gallery.image('b.png').click({ button: 'right' })
  await expect(cardOf(page)).toBeHidden()
})

test('names the board and the days left of an image in the trash @long', async ({
  api,
  gallery,
  page,
}) => {
  const [newest] = await api.imagesOn()
  await api.client.trash.trashImages([newest?.image_name ?? ''])
  await page.goto('/?board=trash')

  await gallery.image('c.png').hover()

  await expect(cardOf(page)).toContainText('Assets· 30 days left')
})

test('reads the metadata of all images on the screen with one request @long', async ({
  gallery,
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('metadata')) asked.push(request.url())
  })
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await gallery.image(name).hover()
    await expect(cardOf(page)).toContainText(name)
  }
  expect(asked).toHaveLength(1)
})

test('opens at the image with the focus, and closes when it is opened @long', async ({
  gallery,
  page,
}) => {
  await page.mouse.move(0, 0)
  await gallery.grid.focus()
  await page.keyboard.press('ArrowRight')
  await expect(cardOf(page)).toContainText('c.png')
  await page.keyboard.press('ArrowRight')
  await expect(cardOf(page)).toContainText('b.png')

  await page.keyboard.press('Enter')
  await expect(gallery.viewer).toBeVisible()
  await expect(cardOf(page)).toBeHidden()
})

test('can be switched off @long', async ({ gallery, page }) => {
  await gallery.image('c.png').hover()
  await expect(cardOf(page)).toBeVisible()

  await gallery.sort('Details on hover')
  await page.reload()
  const metadata: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('metadata')) metadata.push(request.url())
  })
  await gallery.image('c.png').hover()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Details on hover')
  await page.keyboard.press('Enter')
  await gallery.image('b.png').hover()
  await expect(cardOf(page)).toContainText('b.png')
  expect(metadata).toHaveLength(1)
})
