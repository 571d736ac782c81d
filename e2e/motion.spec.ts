import type { Page } from '@playwright/test'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import {
  GROWING,
  type Motion,
  motionOf,
  recordMotion,
  transitionsOf,
} from './fixtures/record-motion.ts'
import { expect, test } from './fixtures.ts'

const FILES = ['e.png', 'd.png', 'c.png', 'b.png', 'a.png']

test.beforeEach(async ({ api, gallery, page }) => {
  await api.uploadImages(FILES)
  await recordMotion(page)
  await page.goto('/?board=none')
  await expect(gallery.tiles).toHaveCount(FILES.length)
})

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' })

  test('a tile grows into the viewer, and the last image shrinks to its tile', async ({
    gallery,
    page,
  }) => {
    await loadViewer(gallery, page)
    await gallery.image('a.png').dblclick()
    await expect(gallery.viewer).toBeVisible()
    await expect.poll(() => transitionsOf(page)).toEqual([expect.arrayContaining([GROWING])])

    await page.keyboard.press('ArrowRight')
    await expect(gallery.viewer).toContainText('2 of 5')
    await page.keyboard.press('Escape')

    await expect(gallery.viewer).toBeHidden()
    const both = [expect.arrayContaining([GROWING]), expect.arrayContaining([GROWING])]
    await expect.poll(() => transitionsOf(page)).toEqual(both)
    await expect.poll(() => gallery.selectedNames()).toEqual(['b.png'])
    await expect.poll(() => namedElements(page)).toBe(0)
  })

  test('loses no key during a transition', async ({ gallery, page }) => {
    await loadViewer(gallery, page)
    await gallery.image('a.png').click()

    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(gallery.viewer).toContainText('3 of 5')

    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/image=/)
    await page.keyboard.press('ArrowRight')
    await expect(gallery.viewer).toBeHidden()
    await expect.poll(() => gallery.selectedNames()).toEqual(['d.png'])
  })

  test('stays closed if a key for the next image follows Escape at once', async ({
    gallery,
    page,
  }) => {
    await gallery.image('a.png').dblclick()
    await expect(gallery.viewer).toContainText('1 of 5')

    await page.evaluate(() => {
      for (const key of ['Escape', 'ArrowRight'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })

    await expect(gallery.viewer).toBeHidden()
    await expect(page).not.toHaveURL(/image=/)
  })

  test('opens and closes quickly in turn', async ({ gallery, page }) => {
    await loadViewer(gallery, page)
    await gallery.image('a.png').click()

    // The address changes before the transition.
    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/image=/)
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/image=/)
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/image=/)
    await expect(gallery.viewer).toBeVisible()
    await page.goBack()

    await expect(gallery.viewer).toBeHidden()
    await expect(page).not.toHaveURL(/image=/)
    await expect.poll(() => namedElements(page)).toBe(0)
  })

  test('tiles close the gap of a deleted image', async ({ gallery, page }) => {
    await gallery.deleteImage('b.png')

    await expect(gallery.tiles).toHaveCount(FILES.length - 1)
    const moved = async () => (await motionOf(page)).tiles.toSorted()
    await expect.poll(moved).toEqual(['c.png', 'd.png', 'e.png'])
  })
})

test('nothing moves for users who want less motion', async ({ gallery, page }) => {
  await gallery.image('a.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 5')
  expect(await page.evaluate(() => document.getAnimations())).toEqual([])
  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()

  await gallery.deleteImage('b.png')

  await expect(gallery.tiles).toHaveCount(FILES.length - 1)
  expect(await motionOf(page)).toEqual({ transitions: [], tiles: [] })
})

/** Opens and closes the viewer, whose code loads when it is first used. */
async function loadViewer(gallery: GalleryPage, page: Page) {
  await gallery.image('e.png').dblclick()
  await expect(gallery.viewer).toContainText('5 of 5')
  await page.keyboard.press('Escape')
  await expect.poll(() => gallery.selectedNames()).toEqual(['e.png'])
  await page.evaluate(() => {
    const { motion } = window as unknown as { motion: Motion }
    motion.transitions = []
  })
}

/** Returns the number of elements that still have the name of the picture in the viewer. */
const namedElements = (page: Page): Promise<number> =>
  page.locator('[style*="view-transition-name"]').count()
