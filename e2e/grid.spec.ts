import type { Locator } from '@playwright/test'
import { nameOfFile } from '#testing/library/fill-library.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

const COUNT = 2_000

test.describe(`a library of ${COUNT}`, () => {
  test.use({ libraryOf: COUNT })

  test('renders only visible tiles and reaches both ends with End and Home', async ({
    gallery,
    page,
  }) => {
    await gallery.open()

    await expect(gallery.image(nameOfFile(COUNT - 1))).toBeVisible()
    const rows = Number(await gallery.grid.getAttribute('aria-rowcount'))
    const columns = Number(await gallery.grid.getAttribute('aria-colcount'))
    expect(rows).toBe(Math.ceil(COUNT / columns))
    const { height, full } = await sizeOf(gallery.grid)
    expect(full / rows).toBeGreaterThan(100)
    expect(full).toBeGreaterThan(10 * height)
    expect(await gallery.tiles.count()).toBeLessThan(200)

    await gallery.image(nameOfFile(COUNT - 1)).click()
    await page.keyboard.press('End')
    await expect(gallery.image(nameOfFile(0))).toBeInViewport()
    await expect(gallery.image(nameOfFile(0)).locator('img')).toHaveJSProperty('complete', true)
    await page.keyboard.press('Home')

    await expect(gallery.image(nameOfFile(COUNT - 1))).toBeInViewport()
  })

  test('does not fetch thumbnails that a fling passes @long', async ({ gallery, page }) => {
    await gallery.open()
    await expect(gallery.image(nameOfFile(COUNT - 1))).toBeVisible()
    const thumbnails: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/thumbnail')) thumbnails.push(request.url())
    })

    await gallery.fling()

    await expect(gallery.image(nameOfFile(0)).locator('img')).toHaveJSProperty('complete', true)
    // Only the thumbnails at the start and at the end of the fling were loaded.
    expect(thumbnails.length).toBeLessThan(COUNT / 4)
  })

  test('keeps the scroll position after deleting, starring, new images above and a reload', async ({
    gallery,
    page,
  }) => {
    await gallery.open()
    await gallery.scrollTo(0.5)
    const [first = '', second = '', third = ''] = await gallery.namesOnScreen()
    const before = await gallery.topOf(first)

    await gallery.star(second)
    await gallery.image(third).click()
    await page.keyboard.press('Delete')
    await expect(gallery.toast('trash')).toBeVisible()
    await gallery.dropFiles(['new.png'], { on: 'page' })

    await expect(page.getByRole('button', { name: /1 new/ })).toBeVisible()
    const shiftOfFirst = async () => Math.abs((await gallery.topOf(first)) - before)
    await expect.poll(shiftOfFirst).toBeLessThanOrEqual(2)

    await gallery.scrollTo(0.4)
    const [later = ''] = await gallery.namesOnScreen()
    const top = await gallery.topOf(later)
    await page.reload()
    await expect(gallery.image(later)).toBeInViewport()
    const shiftOfLater = async () => Math.abs((await gallery.topOf(later)) - top)
    await expect.poll(shiftOfLater).toBeLessThanOrEqual(2)
  })
})

test('shows the colors of an image before its thumbnail has loaded', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImage('cat.png')
  await page.route('**/thumbnail**', () => {}) // never answered

  await gallery.open()

  const picture = gallery.image('cat.png').locator('[style*="background-image"]')
  await expect(picture).toHaveCSS('background-image', /^url\("(data|blob):/)
})

test('changes the tile size with the slider and keeps it after a reload @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open()
  const widthOf = async () => (await gallery.image('a.png').boundingBox())?.width ?? 0
  const before = (await settledBox(gallery.image('a.png'))).width

  await gallery.openViewOptions()
  await page.getByRole('slider', { name: 'Tile size' }).press('End')
  await expect.poll(widthOf).toBeGreaterThan(before)
  const after = (await settledBox(gallery.image('a.png'))).width
  await page.reload()

  await expect(gallery.image('a.png')).toBeVisible()
  await expect.poll(widthOf).toBe(after)
})

async function sizeOf(grid: Locator): Promise<{ height: number; full: number }> {
  return grid.evaluate((element) => ({ height: element.clientHeight, full: element.scrollHeight }))
}

for (const [title, failures, address] of [
  ['retries a thumbnail that fails once', 1, /thumbnail/],
  ['replaces a missing thumbnail by the full-resolution image', Number.POSITIVE_INFINITY, /full/],
] as const) {
  test(`${title} @long`, async ({ api, gallery, page }) => {
    await api.uploadImage('a.png')
    let left = failures
    await page.route('**/thumbnail*', (route) => {
      left -= 1
      return left >= 0
        ? route.fulfill({ status: 404, json: { detail: 'Not Found' } })
        : route.continue()
    })

    await gallery.open()

    const picture = gallery.image('a.png').locator('img')
    await expect(picture).toHaveAttribute('src', address)
    await expect(picture).not.toHaveJSProperty('naturalWidth', 0)
    await expect(gallery.image('a.png').getByTitle('Couldn’t load this image')).toHaveCount(0)
  })
}
