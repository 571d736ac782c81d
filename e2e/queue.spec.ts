import type { Locator, Page } from '@playwright/test'
import type { ImageRecord } from '#contract/image.ts'
import { copyOf, endlessTo, failing } from './fixtures/graphs.ts'
import { seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const PANEL = 'aside[aria-label="Queue"]'

const panelOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Queue' })
const part = (page: Page, name: string): Locator => panelOf(page).getByRole('region', { name })
const buttonOf = (page: Page): Locator => page.getByRole('button', { name: /^Queue/ })

let cat: ImageRecord
let boardId: string
test.beforeEach(async ({ api, gallery }) => {
  boardId = (await api.createBoard('Portraits')).boardId
  cat = await api.uploadImage('cat.png')
  await gallery.page.goto('/')
  await expect(gallery.tiles).toHaveCount(1)
})

test('an empty queue says what it is for', async ({ page }) => {
  await buttonOf(page).click()

  await expect(panelOf(page).getByRole('heading', { name: 'The queue is empty' })).toBeVisible()
  await expect(panelOf(page).getByRole('button', { name: 'Cancel all' })).toBeDisabled()
  await expect(panelOf(page).getByRole('button', { name: 'Clear finished' })).toBeDisabled()
})

test('it shows what runs and what waits in its order, with what it is and where it lands', async ({
  api,
  page,
}) => {
  await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
  await api.client.queue.enqueue({ graph: copyOf(cat, boardId), runs: 2 })
  await api.client.queue.enqueueOne({ graph: failing }, { prepend: true })

  await buttonOf(page).click()

  await expect(part(page, 'Running').getByRole('progressbar')).toBeVisible()
  await expect(part(page, 'Waiting').getByRole('listitem')).toHaveText([
    /Number 2.*Save image.*1 node · Assets/,
    /Number 3.*Save image.*1 node · Portraits/,
    /Number 4.*Save image.*1 node · Portraits/,
  ])
  await expect(buttonOf(page)).toHaveAccessibleName(/^Queue 4 to do/)
})

test('of a long queue one sees what is next, and how many more there are', async ({
  api,
  page,
}) => {
  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: copyOf(cat), runs: 10_000 })

  await buttonOf(page).click()

  await expect(buttonOf(page)).toHaveAccessibleName(/^Queue 10,000 to do/)
  await expect(panelOf(page).getByText('and 9,950 more')).toBeVisible()
  await expect(part(page, 'Waiting').getByRole('listitem')).toHaveCount(51)
})

test('one item can be canceled, and put in again', async ({ api, page }) => {
  const itemId = await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
  await buttonOf(page).click()

  await part(page, 'Running')
    .getByRole('button', { name: /^Cancel String replace/ })
    .click()

  await expect(part(page, 'Running')).toBeHidden()
  await expect(part(page, 'Finished').getByText('Canceled', { exact: true })).toBeVisible()
  expect((await api.client.queue.item(itemId))?.status).toBe('canceled')

  await part(page, 'Finished')
    .getByRole('button', { name: /^Retry String replace/ })
    .click()
  await expect(part(page, 'Running')).toBeVisible()
})

test('canceling more than a few asks first', async ({ api, page }) => {
  await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
  await api.client.queue.enqueue({ graph: copyOf(cat), runs: 9 })
  await buttonOf(page).click()
  await expect(part(page, 'Waiting').getByRole('listitem')).toHaveCount(9)

  await panelOf(page).getByRole('button', { name: 'Cancel all' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel 10 items?' })
  await question.getByRole('button', { name: 'Keep them' }).click()
  await expect(part(page, 'Waiting').getByRole('listitem')).toHaveCount(9)

  await panelOf(page).getByRole('button', { name: 'Cancel all' }).click()
  await question.getByRole('button', { name: 'Cancel 10 items' }).click()
  await expect(part(page, 'Waiting')).toBeHidden()
  await expect(part(page, 'Running')).toBeHidden()
  await expect(buttonOf(page)).toHaveAccessibleName('Queue')
})

test('a paused queue says so and starts nothing until it is resumed', async ({
  api,
  gallery,
  page,
}) => {
  await buttonOf(page).click()
  await panelOf(page).getByRole('button', { name: 'Pause' }).click()
  await expect(panelOf(page).getByText('Paused. The current item')).toBeVisible()

  await api.client.queue.enqueueOne({ graph: copyOf(cat) })
  await expect(part(page, 'Waiting').getByRole('listitem')).toHaveCount(1)
  await panelOf(page).getByRole('button', { name: 'Resume' }).click()

  await expect(part(page, 'Finished').getByRole('listitem')).toHaveCount(1)
  await expect(part(page, 'Finished').getByRole('img', { name: 'Done' })).toBeVisible()
  await expect(gallery.tiles).toHaveCount(2)
})

test('a failure is told with its reason, and Retry puts it in again', async ({
  api,
  gallery,
  page,
}) => {
  await api.client.queue.enqueueOne({ graph: failing })

  const toast = gallery.toast('A queue item failed.')
  await expect(toast).toContainText('missing value')
  await buttonOf(page).click()
  await expect(part(page, 'Finished').getByText(/missing value/)).toBeVisible()
  await toast.getByRole('button', { name: 'Retry' }).click()

  await expect(part(page, 'Finished').getByRole('img', { name: 'Failed' })).toHaveCount(2)
})

test('what has ended can be cleared, and its images stay', async ({ api, gallery, page }) => {
  await api.client.queue.enqueue({ graph: copyOf(cat), runs: 3 })
  await expect(gallery.tiles).toHaveCount(4)
  await buttonOf(page).click()
  await expect(part(page, 'Finished').getByRole('listitem')).toHaveCount(3)

  await panelOf(page).getByRole('button', { name: 'Clear finished' }).click()

  await expect(panelOf(page).getByRole('heading', { name: 'The queue is empty' })).toBeVisible()
  await expect(gallery.tiles).toHaveCount(4)
  expect(await api.client.queue.itemIds()).toEqual([])
})

test('keys open and close it, and the focus comes back', async ({ page }) => {
  await buttonOf(page).focus()

  await page.keyboard.press('q')
  await expect(panelOf(page).getByRole('heading', { name: 'Queue', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')

  await expect(panelOf(page)).toBeHidden()
  await expect(buttonOf(page)).toBeFocused()
})

test('axe finds nothing serious in it, in dark and light', async ({ api, page }) => {
  await api.client.queue.enqueueOne({ graph: failing })
  await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
  await api.client.queue.enqueue({ graph: copyOf(cat), runs: 3 })
  await buttonOf(page).click()
  await expect(part(page, 'Waiting')).toBeVisible()

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await seriousFaultsOf(page, PANEL)).toEqual([])
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test.beforeEach(async ({ page }) => {
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
  })

  test('it is a sheet that opens from the sidebar', async ({ api, page }) => {
    await api.client.queue.enqueueOne({ graph: endlessTo(cat) })
    await buttonOf(page).tap()

    const sheet = page.getByRole('dialog', { name: 'Queue' })
    await expect(sheet.getByRole('region', { name: 'Running' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Close queue' }).tap()
    await expect(sheet).toBeHidden()
  })
})
