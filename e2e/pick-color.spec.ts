import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { openFinger } from './fixtures/pointer.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

/** Uploads an image whose left half is orange and whose right half is blue. */
async function uploadHalves({ client }: LibraryMaker): Promise<void> {
  const half = { width: 300, height: 400, channels: 3 } as const
  const orange = await sharp({ create: { ...half, background: '#ff8800' } })
    .png()
    .toBuffer()
  const bytes = await sharp({ create: { ...half, width: 600, background: '#2040c0' } })
    .composite([{ input: orange, left: 0, top: 0 }])
    .png()
    .toBuffer()
  await client.uploads.upload(
    { bytes: new Blob([bytes]), fileName: 'halves.png' },
    { boardId: 'none' },
  )
}

const cover = (page: Page) => page.getByRole('button', { name: /^Pick (a|the) color/ })
const picture = (page: Page) => page.getByRole('dialog').locator('img[src$="/full"]')

/** Returns the middle of the left half of the picture. */
async function leftHalf(page: Page) {
  const box = await settledBox(picture(page))
  return { x: box.x + box.width / 4, y: box.y + box.height / 2, width: box.width }
}

test.beforeEach(async ({ api, page }) => {
  await uploadHalves(api)
  const [image] = await api.imagesOn()
  await page.goto(`/?image=${image?.image_name}`)
  await expect(picture(page)).toHaveJSProperty('complete', true)
})

test('searches for a color that is clicked in the image, also in an enlarged one', async ({
  gallery,
  page,
}) => {
  await gallery.viewer.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Pick a color' }).click()
  await expect(cover(page)).toHaveCSS('cursor', 'crosshair')
  const { x, y, width } = await leftHalf(page)
  await page.mouse.move(x, y)
  await expect(cover(page)).toHaveAccessibleName('Pick the color #ff8800')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])

  await page.keyboard.press('+')
  await expect.poll(async () => (await leftHalf(page)).width).toBeGreaterThan(1.4 * width)
  await page.mouse.move(x + width / 2, y)
  await expect(cover(page)).toHaveAccessibleName('Pick the color #2040c0')
  await page.mouse.click(x + width / 2, y)

  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.search).toHaveValue('color:#2040c0')
  await expect.poll(() => gallery.shownNames()).toEqual(['halves.png'])
})

test('picks by keys, and Escape and Back return to the image @long', async ({ gallery, page }) => {
  await page.keyboard.press('Shift+H')
  await expect(cover(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(cover(page)).toHaveCount(0)
  await expect(gallery.viewer).toBeFocused()
  await page.keyboard.press('Shift+H')
  await expect(cover(page)).toBeVisible()
  await page.goBack()
  await expect(cover(page)).toHaveCount(0)
  await expect(gallery.viewer).toBeVisible()

  await page.keyboard.press('Shift+H')
  await expect(cover(page)).toHaveAccessibleName('Pick the color #2040c0')
  await page.keyboard.press('ArrowLeft')
  await expect(cover(page)).toHaveAccessibleName('Pick the color #ff8800')
  await page.keyboard.press('Enter')

  await expect(gallery.search).toHaveValue('color:#ff8800')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('picks the color at which a finger is lifted', async ({ gallery, page }) => {
    await gallery.viewer.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Pick a color' }).tap()
    const { x, y, width } = await leftHalf(page)
    const finger = await openFinger(page)
    await finger.press(x + width / 2, y)
    await expect(cover(page)).toHaveAccessibleName('Pick the color #2040c0')
    await finger.move(x, y)
    await expect(cover(page)).toHaveAccessibleName('Pick the color #ff8800')
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
    await finger.lift()

    await expect(gallery.viewer).toBeHidden()
    await expect(gallery.search).toHaveValue('color:#ff8800')
  })
})
