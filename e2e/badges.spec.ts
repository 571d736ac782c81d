import type { Locator, Page } from '@playwright/test'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const animatedBadgeOf = (tile: Locator): Locator => tile.locator('[data-badge=animated]')

test.beforeEach(async ({ api }) => {
  await api.uploadImage('moving.gif', { kind: 'animated-gif' })
  await api.uploadImages(['still.gif', 'made.png'])
})

/** Turns a badge on or off by its command. */
async function switchByPalette(page: Page, label: string) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill(label)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeHidden()
}

test('marks animated images, and the generator if it is turned on', async ({ gallery, page }) => {
  const metadataRequests: string[] = []
  page.on('request', (request) => {
    if (/metadata/.test(request.url())) metadataRequests.push(request.url())
  })
  await page.goto('/?board=none')

  await expect(animatedBadgeOf(gallery.image('moving.gif'))).toBeVisible()
  await expect(gallery.image('moving.gif')).toHaveAccessibleDescription('Animated')
  await expect(animatedBadgeOf(gallery.image('still.gif'))).toBeHidden()
  await expect(gallery.image('made.png')).not.toContainText('InvokeAI')

  await gallery.sort('Badge of the generator')
  await expect(gallery.image('made.png')).toContainText('InvokeAI')
  await expect(gallery.image('made.png')).toHaveAccessibleName(/InvokeAI/)
  await page.reload()
  await expect(gallery.image('made.png')).toContainText('InvokeAI')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])

  await switchByPalette(page, 'Badge of animated images')
  await expect(gallery.image('moving.gif')).toBeVisible()
  await expect(animatedBadgeOf(gallery.image('moving.gif'))).toBeHidden()
  expect(metadataRequests).toEqual([])
})

for (const layout of ['fill', 'fit', 'rows']) {
  test(`keeps badges off the buttons in the layout ${layout} @long`, async ({ gallery, page }) => {
    await page.goto(`/?board=none&tiles=${layout}`)
    const tile = gallery.image('moving.gif')
    await tile.hover()

    const badge = await boxOf(animatedBadgeOf(tile))
    const picture = await boxOf(tile.locator('[data-picture]'))
    expect(badge.right).toBeLessThanOrEqual(picture.right)
    expect(badge.bottom).toBeLessThanOrEqual(picture.bottom)
    for (const button of [tile.getByRole('checkbox'), tile.getByRole('button', { name: 'Star' })])
      expect((await boxOf(button)).bottom).toBeLessThanOrEqual(badge.top)
  })
}

const boxOf = (element: Locator) =>
  element.evaluate((node) => {
    const { top, right, bottom } = node.getBoundingClientRect()
    return { top, right, bottom }
  })

test('keeps badges inside of narrow and low pictures @long', async ({ api, gallery, page }) => {
  await api.uploadImage('narrow.gif', { kind: 'animated-gif', widthPx: 30, heightPx: 120 })
  await api.uploadImage('low.gif', { kind: 'animated-gif', widthPx: 200, heightPx: 40 })
  await page.goto('/?board=none&tiles=fit')

  for (const name of ['narrow.gif', 'low.gif']) {
    const tile = gallery.image(name)
    await expect(animatedBadgeOf(tile)).toBeVisible()
    await tile.hover()
    const badge = await animatedBadgeOf(tile).boundingBox()
    const picture = await tile.locator('[data-picture]').boundingBox()
    const star = await tile.getByRole('button', { name: 'Star' }).boundingBox()
    if (!badge || !picture || !star) throw new Error('A part cannot be seen.')
    expect(badge.x).toBeGreaterThanOrEqual(picture.x)
    expect(badge.y + badge.height).toBeLessThanOrEqual(picture.y + picture.height)
    expect(badge.x + badge.width <= star.x || star.y + star.height <= badge.y).toBe(true)
  }
})
