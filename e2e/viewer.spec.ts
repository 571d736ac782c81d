import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

test('opens an image by double click, loads it completely, zooms, and closes it with Back', async ({
  api,
  gallery,
  page,
}) => {
  // Newest first: c b a.
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await api.uploadImage(name, { widthPx: 900, heightPx: 600 })
  }
  await gallery.open()

  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toContainText('2 of 3')
  const full = gallery.viewer.locator('img[src$="/full"]')
  await expect(full).toHaveJSProperty('complete', true)
  await expect(full).toHaveJSProperty('naturalWidth', 900)

  const widthOf = async () => (await full.boundingBox())?.width ?? 0
  const { width: fitted } = await settledBox(full)
  await gallery.viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(widthOf).toBeGreaterThan(fitted + 10)
  await gallery.viewer.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(async () => Math.abs((await widthOf()) - fitted)).toBeLessThan(2)

  await page.goBack()
  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.tiles).toHaveCount(3)
})

test('keeps the zoomed part from image to image, and draws large pixels as squares', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['a.png', 'b.png']) {
    await api.uploadImage(name, { widthPx: 900, heightPx: 600 })
  }
  await gallery.open()
  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 2')
  const zoom = gallery.viewer.getByRole('button', { name: /^\d+ %$/ })
  const full = gallery.viewer.locator('img[src$="/full"]')
  await page.keyboard.press('z')
  await expect(
    gallery.viewer.getByRole('button', { name: 'Keep zoom from image to image', pressed: true }),
  ).toBeVisible()

  const stage = await full.boundingBox()
  await page.mouse.move((stage?.x ?? 0) + 40, (stage?.y ?? 0) + 40)
  await page.mouse.wheel(0, -500)
  await expect(full).toHaveCSS('image-rendering', 'pixelated')
  const shown = await settledBox(full)
  const percent = await zoom.textContent()
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 2')

  await expect(zoom).toHaveText(percent ?? '')
  const next = await settledBox(full)
  expect(Math.abs(next.x - shown.x)).toBeLessThan(1)
  expect(Math.abs(next.y - shown.y)).toBeLessThan(1)

  await page.keyboard.press('z')
  await page.keyboard.press('ArrowLeft')
  await expect(zoom).toHaveText('100 %')
  await expect(full).toHaveCSS('image-rendering', 'auto')
})

test('plays a slideshow in full screen, and fades the controls @long', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['a.png', 'b.png', 'c.png']) await api.uploadImage(name)
  await gallery.open()
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')
  const isFullScreen = () => page.evaluate(() => document.fullscreenElement !== null)
  const bar = gallery.viewer.locator('header')

  await page.keyboard.press('Shift+S')
  await expect.poll(isFullScreen).toBe(true)
  await gallery.viewer.getByRole('button', { name: 'Seconds per image: 5' }).click()
  await page.getByRole('menuitemradio', { name: '2', exact: true }).click()
  await expect(gallery.viewer).toContainText('2 of 3')
  await expect(gallery.viewer).toContainText('3 of 3')
  await expect(gallery.viewer).toContainText('1 of 3') // after the last image, the first one
  await page.mouse.move(300, 300)
  await expect(bar).toHaveCSS('opacity', '0')
  await page.mouse.move(310, 310)
  await expect(bar).toHaveCSS('opacity', '1')
  await gallery.viewer.getByRole('button', { name: 'Stop the slideshow' }).click()

  await expect.poll(isFullScreen).toBe(false)
  await expect(gallery.viewer.getByRole('button', { name: 'Stop the slideshow' })).toBeHidden()
})
