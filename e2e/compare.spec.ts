import type { Page } from '@playwright/test'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const comparisonOf = (page: Page) => page.getByRole('dialog', { name: 'Comparison' })

/** Returns the size of a thumbnail or a picture on the screen, relative to its size without zoom. */
const scaleOf = (page: Page, at: number) =>
  comparisonOf(page)
    .getByRole('listitem')
    .nth(at)
    .locator('img')
    .first()
    .evaluate((image: HTMLElement) => image.getBoundingClientRect().width / image.offsetWidth)

test('zooms all images together by the wheel, compares two by keys, and keeps one', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await api.uploadImage(name, { widthPx: 900, heightPx: 600 })
  }
  await gallery.open()
  await gallery.select('a.png', 'b.png', 'c.png')
  await gallery.selectionBar.getByRole('button', { name: 'Compare' }).click()
  const stages = comparisonOf(page).getByRole('listitem')
  await expect(stages).toHaveCount(3)

  await stages.nth(1).getByRole('group').hover()
  await page.mouse.wheel(0, -500)
  await expect.poll(() => scaleOf(page, 0)).toBeGreaterThan(2)
  expect(await scaleOf(page, 2)).toBeCloseTo(await scaleOf(page, 1), 2)
  await page.keyboard.press('l')
  await page.mouse.wheel(0, 5_000)
  await expect.poll(() => scaleOf(page, 1)).toBeCloseTo(1, 2)
  expect(await scaleOf(page, 0)).toBeGreaterThan(2)

  await page.keyboard.press('i')
  await expect(page.getByRole('rowheader', { name: 'Seed' })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'three images with the table').toEqual([])

  await page.keyboard.press('x')
  await expect(stages).toHaveCount(2)
  await page.keyboard.press('w')
  await expect(page.getByRole('slider', { name: /^Image 1 or 2/ })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'slider').toEqual([])
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await expect(comparisonOf(page)).toBeHidden()
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.undo()
  await expect(gallery.tiles).toHaveCount(3)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('shows two images, chooses others in the strip, and closes with Back', async ({
    api,
    gallery,
    page,
  }) => {
    await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
    await page.goto('/?board=none')
    await gallery.longPress('d.png')
    await gallery.selectionBar.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Select all' }).tap()
    await expect(gallery.selectionBar).toContainText('4')
    await gallery.selectionBar.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Compare' }).tap()
    const comparison = comparisonOf(page)
    await expect(comparison).toContainText('d.png')
    await expect(comparison).not.toContainText('b.png')

    await comparison.getByRole('button', { name: /^Show image 3/ }).tap()
    await expect(comparison).toContainText('b.png')
    await expect(comparison).not.toContainText('d.png')
    expect(await seriousFaultsInBothSchemes(page), 'phone').toEqual([])

    await comparison.getByRole('button', { name: 'Differences' }).tap()
    await expect(page.getByRole('table')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'sheet').toEqual([])
    await page.goBack()
    await expect(page.getByRole('table')).toBeHidden()
    await page.goBack()
    await expect(comparison).toBeHidden()
    await expect(gallery.tiles).toHaveCount(4)
  })
})
