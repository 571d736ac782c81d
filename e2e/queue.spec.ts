import type { Locator, Page } from '@playwright/test'
import type { ImageRecord } from '#contract/image.ts'
import { copyOf, endlessTo, failing, quickGraph } from './fixtures/graphs.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const PANEL = 'aside[aria-label="Queue"]'

const panelOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Queue' })
const part = (page: Page, name: string): Locator => panelOf(page).getByRole('region', { name })
const buttonOf = (page: Page): Locator => page.getByRole('button', { name: /^Queue/ })

let cat: ImageRecord
test.beforeEach(async ({ api, gallery }) => {
  cat = await api.uploadImage('cat.png')
  await gallery.page.goto('/')
  await expect(gallery.tiles).toHaveCount(1)
})

test('opens and closes by key, restores the focus, without serious axe violations', async ({
  api,
  page,
}) => {
  await buttonOf(page).focus()

  await page.keyboard.press('q')
  await expect(panelOf(page).getByRole('heading', { name: 'Queue', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  await expect(buttonOf(page)).toBeFocused()

  await api.client.queue.enqueue({ graph: quickGraph(), runs: 2 })
  await api.client.queue.enqueueOne({ graph: failing })
  await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
  await api.client.queue.enqueue({ graph: copyOf(cat), runs: 3 })
  await buttonOf(page).click()
  for (const name of ['Running', 'Waiting', 'Finished']) {
    await expect(part(page, name)).toBeVisible()
  }
  await expect(part(page, 'Finished').locator('img')).toHaveCount(2)
  await part(page, 'Finished')
    .getByRole('button', { name: /^Items of/ })
    .click()
  await expect(panelOf(page).getByRole('list', { name: /^Items of/ })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page, PANEL)).toEqual([])
})

for (const serverKind of ['tessera', 'invokeai'] as const) {
  test.describe(`with ${serverKind}`, () => {
    test.use({ serverKind })

    test('shows the results and counts of a long batch, which open its board @long', async ({
      api,
      page,
    }) => {
      const { boardId } = await api.createBoard('Castles')
      await page.keyboard.press('q')
      await api.client.queue.enqueue({ graph: quickGraph(boardId), runs: 45 })

      const row = part(page, 'Finished').getByRole('listitem')
      await expect(row.getByText('45 of 45 done')).toBeVisible()
      const pictures = row.locator('img')
      await expect(pictures).toHaveCount(5)
      const areLoaded = () =>
        pictures.evaluateAll((all) =>
          all.every((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
        )
      await expect.poll(areLoaded).toBe(true)

      await page.reload()
      await buttonOf(page).click()
      await expect(row.getByText('45 of 45 done')).toBeVisible()
      await expect(pictures).toHaveCount(5)
      await row.getByRole('link').press('Enter')
      await expect(page.getByRole('heading', { name: /^Castles/, level: 1 })).toBeVisible()
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test.beforeEach(async ({ page }) => {
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
  })

  test('opens as a sheet from the sidebar @long', async ({ api, page }) => {
    await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
    await buttonOf(page).tap()

    const sheet = page.getByRole('dialog', { name: 'Queue' })
    await expect(sheet.getByRole('region', { name: 'Running' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Close queue' }).tap()
    await expect(sheet).toBeHidden()
  })

  test('opens results from the sheet, and Back returns to the page @long', async ({
    api,
    page,
  }) => {
    await api.client.queue.enqueueOne({ graph: quickGraph() })
    await buttonOf(page).tap()
    const sheet = page.getByRole('dialog', { name: 'Queue' })

    await sheet.getByRole('region', { name: 'Finished' }).locator('img').tap()

    const viewer = page.getByRole('dialog', { name: 'Image viewer' })
    await expect(viewer).toBeVisible()
    await expect(sheet).toBeHidden()
    await page.goBack()
    await expect(viewer).toBeHidden()
    await expect(sheet).toBeHidden()
  })
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('reaches the list with Tab and scrolls it by key @long', async ({ page }) => {
    await page.keyboard.press('q')
    const sheet = page.getByRole('dialog', { name: 'Queue' })
    const list = sheet.getByRole('region', { name: 'Queue items' })
    await expect(list.getByRole('heading', { name: 'The queue is empty' })).toBeVisible()
    const end = sheet.getByText('Their images appear on the board')
    await expect(end).not.toBeInViewport({ ratio: 0.95 })

    await sheet.getByRole('button', { name: 'Close queue' }).focus()
    const isFocused = () => list.evaluate((element) => element === document.activeElement)
    for (let tabs = 0; tabs < 20 && !(await isFocused()); tabs++) await page.keyboard.press('Tab')
    await expect(list).toBeFocused()
    await page.keyboard.press('End')

    await expect(end).toBeInViewport({ ratio: 0.95 })
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  })
})
