import type { Page } from '@playwright/test'
import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Process / })
const addStepOf = (page: Page) => dialogOf(page).getByRole('button', { name: 'Add step' })

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(async ({ api }) => {
  await api.uploadImages(['a.png', 'b.png'])
})

test('focuses the first control, keeps the focus in the dialog, and restores it', async ({
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await expect(page.getByRole('button', { name: 'Queue' })).toBeVisible() // P works only with a queue
  await gallery.image('a.png').click()

  await page.keyboard.press('p')
  await expect(addStepOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Blur' }).press('Enter')
  await expect(page.getByRole('menu')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect(gallery.grid).toBeFocused()

  await page.keyboard.press('p')
  await expect(dialogOf(page).getByLabel('Kind')).toBeFocused()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(dialogOf(page)).toBeHidden()
  await expect(gallery.grid).toBeFocused()

  // After opening from the selection menu, the focus returns to the menu button.
  const { dialog } = await openProcess(gallery)
  await expect(dialog.getByLabel('Kind')).toBeFocused()
  for (let tabs = 0; tabs < 12; tabs++) {
    await page.keyboard.press('Tab')
    await expect(dialog.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(gallery.selectionBar.getByRole('button', { name: 'More' })).toBeFocused()
})

/** A restored chain with a value that no server accepts. */
const chain = [
  { kind: 'resize', by: 'longest', sidePx: 0, widthPx: 64, heightPx: 64 },
  { kind: 'crop', to: 'proportions', proportions: '1:1', widthPx: 64, heightPx: 64 },
  { kind: 'enhance', brightness: 100, contrast: 100, color: 100, sharpness: 100 },
  { kind: 'mask', by: 'color', color: '#ffffff', tolerance: 100, isInverted: false },
]

const keepChain = (page: Page) =>
  page.addInitScript((steps) => {
    const state = { steps: steps.map((step, at) => ({ id: at + 1, step })) }
    localStorage.setItem('tessera:process-chain', JSON.stringify({ state, version: 0 }))
  }, chain)

/** Checks with an invalid value, and with a valid one, so that there is a preview. */
async function expectNoSeriousFaults(page: Page) {
  const size = dialogOf(page).getByRole('spinbutton', { name: 'Size' })
  await expect(dialogOf(page).getByText('A whole number from 1 to 16,384')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page, '[role=dialog]'), 'invalid').toEqual([])
  await size.fill('64')
  await expect(dialogOf(page).getByRole('img', { name: 'Result' })).toBeVisible(RESULT_TIMEOUT)
  expect(await seriousFaultsInBothSchemes(page, '[role=dialog]'), 'with a preview').toEqual([])
}

test('axe finds no serious violation, light and dark @long', async ({ gallery, page }) => {
  await keepChain(page)
  await gallery.open({ board: 'none' })
  await openProcess(gallery)

  await expectNoSeriousFaults(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('axe finds no serious violation, light and dark, and no virtual keyboard opens @long', async ({
    gallery,
    page,
  }) => {
    await keepChain(page)
    await page.goto('/?board=none')
    await gallery.longPress('a.png')
    await openProcess(gallery, { selects: false })

    await expect(addStepOf(page)).toBeFocused()
    await expectNoSeriousFaults(page)
  })
})
