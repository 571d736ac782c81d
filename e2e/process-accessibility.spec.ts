import type { Page } from '@playwright/test'
import { MADE, openProcess } from './fixtures/open-process.ts'
import { seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Process / })
const addStepOf = (page: Page) => dialogOf(page).getByRole('button', { name: 'Add step' })

// What is set up counts too.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(async ({ api }) => {
  await api.uploadImages(['a.png', 'b.png'])
})

test('it opens with the focus on the first thing to be set, and gives the focus back', async ({
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await gallery.image('a.png').click()

  await page.keyboard.press('p')
  await expect(addStepOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Blur' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect(gallery.grid).toBeFocused()

  await page.keyboard.press('p')
  await expect(dialogOf(page).getByLabel('Kind')).toBeFocused()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(gallery.grid).toBeFocused()
})

test('from the menu of the selection the focus comes back to its button', async ({
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await openProcess(gallery)
  await expect(addStepOf(page)).toBeFocused()

  await page.keyboard.press('Escape')

  await expect(gallery.selectionBar.getByRole('button', { name: 'More' })).toBeFocused()
})

test('the Tab key stays in the dialog', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  const { dialog } = await openProcess(gallery)
  await expect(addStepOf(page)).toBeFocused()

  for (let tabs = 0; tabs < 8; tabs++) {
    await page.keyboard.press('Tab')
    await expect(dialog.locator(':focus')).toHaveCount(1)
  }
})

/** A chain from the last time: one of its steps is told what no server takes. */
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

/** With a fault, and without it, so that there is a preview. */
async function expectNothingInTheWay(page: Page) {
  const size = dialogOf(page).getByRole('spinbutton', { name: 'Size' })
  await expect(dialogOf(page).getByText('A whole number from 1 to 16,384')).toBeVisible()
  expect(await seriousFaultsOf(page, '[role=dialog]'), 'with a fault').toEqual([])
  await size.fill('64')
  await expect(dialogOf(page).getByRole('img', { name: 'Result' })).toBeVisible(MADE)
  expect(await seriousFaultsOf(page, '[role=dialog]'), 'with a preview').toEqual([])
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious in it, ${colorScheme}`, async ({ gallery, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await keepChain(page)
    await gallery.open({ board: 'none' })
    await openProcess(gallery)

    await expectNothingInTheWay(page)
  })

  test.describe(`on a phone, ${colorScheme}`, () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme })

    test('axe finds nothing serious in it, and no keyboard is brought up', async ({
      gallery,
      page,
    }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await keepChain(page)
      await page.goto('/?board=none')
      await gallery.longPress('a.png')
      await openProcess(gallery, { selects: false })

      await expect(addStepOf(page)).toBeFocused()
      await expectNothingInTheWay(page)
    })
  })
}
