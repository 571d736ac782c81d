import { drawFile } from '#testing/library/draw-file.ts'
import { nameOfFile } from '#testing/library/fill-library.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { expect, test } from './fixtures.ts'

/** More than one page of records. */
const COUNT = 450
const NAMES = '**/api/v1/images/names*'
const NEWEST = nameOfFile(COUNT - 1)

test.use({ libraryOf: COUNT })

test.beforeEach(async ({ api, gallery }) => {
  await api.createBoard('Castles')
  await gallery.open({ board: 'none' })
})

/** Selects all images but the newest and moves them to the board. */
async function moveAllButTheNewest(gallery: GalleryPage): Promise<void> {
  const { keyboard } = gallery.page
  await gallery.image(NEWEST).click()
  await keyboard.press('ControlOrMeta+a')
  await expect(gallery.selectionBar).toContainText(/450 images[\d.]+ [KM]iB/)
  await gallery.image(NEWEST).click({ modifiers: ['ControlOrMeta'] })
  await expect(gallery.selectionBar).toContainText('449 images')
  await keyboard.press('m')
  await gallery.page.getByRole('dialog').getByRole('combobox').fill('Castles')
  await keyboard.press('Enter')
}

test('moves images before their names have loaded, warns on leaving, and restores with Undo', async ({
  api,
  gallery,
  page,
}) => {
  const answer = Promise.withResolvers<void>()
  await page.route(NAMES, async (route) => {
    await answer.promise
    await route.continue()
  })

  await moveAllButTheNewest(gallery)

  await expect(gallery.tiles).toHaveCount(1)
  await expect(gallery.selectionBar).toBeHidden()
  await expect(gallery.boardCount('Castles')).toHaveText('449')
  await expect(gallery.boardCount('Assets')).toHaveText('1')
  expect(await api.namesOn('Castles')).toEqual([])
  const question = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const dialog = await question
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  answer.resolve()
  await expect.poll(async () => (await api.namesOn('Castles'))?.length).toBe(449)
  await expect.poll(() => gallery.shownNames()).toEqual([NEWEST])

  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.boardCount('Assets')).toHaveText('450')
  await expect(gallery.image(nameOfFile(COUNT - 2))).toBeVisible()
  await expect.poll(async () => (await api.namesOn())?.length).toBe(COUNT)
})

test('shows the size of all images without the unselected ones, also when they are out of sight', async ({
  api,
  gallery,
  page,
}) => {
  const bytes = (await api.imagesOn()).reduce((sum, { file_size }) => sum + (file_size ?? 0), 0)
  const noise = new Uint8Array(3 * 2 ** 20)
  for (const fileName of ['one.png', 'two.png', 'three.png']) {
    const file = await drawFile(fileName)
    // Bytes behind the end of a PNG belong to the file.
    await api.client.uploads.upload({ bytes: new Blob([file, noise]), fileName })
  }
  const left = `450 images${(bytes / 2 ** 20).toFixed(1)} MiB`
  await gallery.open({ board: 'none' })

  await gallery.image('one.png').click()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(gallery.selectionBar).toContainText('453 images')
  for (const name of ['one.png', 'two.png', 'three.png']) {
    await gallery.image(name).click({ modifiers: ['ControlOrMeta'] })
  }

  await expect(gallery.selectionBar).toContainText(left)
  await gallery.scrollTo(1)
  await expect(gallery.selectionBar).toContainText(left)
})

test('reverts if names fail to load, moves on Retry, and shows Undo immediately', async ({
  api,
  gallery,
  page,
}) => {
  // From the start: Playwright may miss a request that the page sends while its only route is set.
  const answer = Promise.withResolvers<void>()
  const held: string[] = []
  await page.route('**/api/v1/board_images/batch/delete', async (route) => {
    held.push(route.request().url())
    await answer.promise
    await route.continue()
  })
  await page.route(NAMES, (route) => route.fulfill({ status: 500, json: { detail: 'No.' } }))

  await moveAllButTheNewest(gallery)

  const failure = gallery.toast('449 images could not be moved to Castles')
  await expect(failure).toBeVisible()
  await expect(gallery.image(nameOfFile(COUNT - 2))).toBeVisible()
  await expect(gallery.boardCount('Assets')).toHaveText('450')
  await page.unroute(NAMES)
  await failure.getByRole('button', { name: 'Retry' }).click()
  await expect(gallery.tiles).toHaveCount(1)
  await expect.poll(async () => (await api.namesOn('Castles'))?.length).toBe(449)
  await expect(page.getByText(/waiting, /)).toBeHidden()

  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.image(nameOfFile(COUNT - 2))).toBeVisible()
  await expect(gallery.boardCount('Assets')).toHaveText('450')
  await expect.poll(() => held).toHaveLength(1)
  expect(await api.namesOn('Castles')).toHaveLength(449)
  const wrongNames = async () => {
    const names = await gallery.namesOnScreen()
    return names.filter((name, at) => name !== nameOfFile(COUNT - 1 - at))
  }
  await expect.poll(wrongNames).toEqual([])
  answer.resolve()
  await expect.poll(async () => (await api.namesOn())?.length).toBe(COUNT)
  await gallery.scrollTo(1)
  await expect(gallery.image(nameOfFile(0))).toBeInViewport()
})
