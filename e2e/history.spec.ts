import type { Locator, Page } from '@playwright/test'
import {
  drawFolder,
  IMPORT_TIMEOUT,
  importCard,
  importFolder,
} from './fixtures/folder-to-import.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'
import { UNDO_MS } from './upstream-fixtures.ts'

const EVERYTHING = '**/api/**'

const historyOf = (page: Page): Locator => page.getByRole('complementary', { name: 'History' })

/** Returns the action in the list that contains this text. */
const action = (history: Locator, text: string | RegExp): Locator =>
  history.getByRole('list', { name: 'Actions' }).getByRole('button', { name: text })

test.describe('with Tessera', () => {
  test.beforeEach(async ({ api }) => {
    await api.createBoard('Portraits')
    await api.uploadImages(['a.png', 'b.png', 'c.png'])
  })

  test('undoes and redoes actions after a reload', async ({ api, gallery, page }) => {
    await gallery.open({ board: 'none' })
    await gallery.star('a.png')
    await gallery.dragImage('b.png', { toBoard: 'Portraits' })
    await gallery.deleteImage('c.png')
    await gallery.deleteBoard('Portraits')
    await expect.poll(() => api.boardNames()).toEqual([])
    await expect.poll(async () => (await api.imagesOn()).some(({ starred }) => starred)).toBe(true)

    await page.reload()
    await expect(gallery.tiles).toHaveCount(2)
    await page.keyboard.press('h')
    const history = historyOf(page)
    await expect(action(history, 'Moved 1 image from Assets to Portraits')).toBeVisible()
    for (let count = 0; count < 4; count += 1) await page.keyboard.press('ControlOrMeta+z')

    await expect.poll(() => api.namesOn()).toEqual(['c.png', 'b.png', 'a.png'])
    await expect.poll(async () => (await api.imagesOn()).some(({ starred }) => starred)).toBe(false)
    await expect(gallery.tiles).toHaveCount(3)
    await expect(gallery.board('Portraits')).toBeVisible()
    await page.reload()
    await expect(gallery.tiles).toHaveCount(3)
    for (let count = 0; count < 4; count += 1) await page.keyboard.press('ControlOrMeta+Shift+z')

    await expect.poll(() => api.boardNames()).toEqual([])
    await expect.poll(() => api.trashedNames()).toEqual(['c.png'])
    expect(await api.namesOn()).toEqual(['a.png', 'b.png'])
  })

  test('undoes uploads after a reload, except images that somebody else moved @long', async ({
    api,
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'Portraits' })
    await gallery.dropFiles(['cat.png', 'dog.jpg', 'fox.webp'], { on: 'page' })
    await expect(gallery.tray).toContainText('3 uploaded')
    const fox = (await api.imagesOn('Portraits')).find(({ file_name }) => file_name === 'fox.webp')
    await page.keyboard.press('h')
    await expect(action(historyOf(page), 'Uploaded 3 images to Portraits')).toBeVisible()
    await page.reload()
    await expect(gallery.tiles).toHaveCount(3)
    await page.keyboard.press('h')
    await expect(action(historyOf(page), 'Uploaded 3 images to Portraits')).toBeVisible()
    await api.client.images.move([fox?.image_name ?? ''], 'none')

    await page.keyboard.press('ControlOrMeta+z')

    await expect
      .poll(async () => (await api.trashedNames()).toSorted())
      .toEqual(['cat.png', 'dog.jpg'])
    await expect(gallery.toast('Undo skipped 1 of 3 images')).toBeVisible()
    expect(await api.namesOn()).toContain('fox.webp')
    await page.reload()
    await expect(gallery.board('Portraits')).toBeVisible()
    await page.keyboard.press('h')
    const uploaded = action(historyOf(page), 'Uploaded 3 images to Portraits')
    await expect(uploaded).toContainText('Undone in part')

    await page.keyboard.press('ControlOrMeta+Shift+z')

    await expect
      .poll(async () => (await api.namesOn('Portraits'))?.toSorted())
      .toEqual(['cat.png', 'dog.jpg'])
  })

  test('undoes an import after a reload, except images that somebody else moved @long', async ({
    api,
    gallery,
    page,
  }) => {
    const folder = await drawFolder(gallery, 'Holiday', ['x.png', 'Trip/y.png', 'Trip/z.png'])
    await gallery.open({ board: 'none' })
    await importFolder(page, folder)
    await expect(importCard(page, 'Holiday')).toContainText('Imported Holiday', IMPORT_TIMEOUT)
    await page.keyboard.press('h')
    await expect(action(historyOf(page), 'Imported 3 images')).toBeVisible()
    const moved = (await api.imagesOn('Trip')).find(({ file_name }) => file_name === 'z.png')
    await api.client.images.move([moved?.image_name ?? ''], 'none')
    await page.reload()
    await expect(gallery.board('Trip')).toBeVisible()
    await page.keyboard.press('h')
    await expect(action(historyOf(page), 'Imported 3 images')).toBeVisible()

    await page.keyboard.press('ControlOrMeta+z')

    await expect.poll(async () => (await api.trashedNames()).toSorted()).toEqual(['x.png', 'y.png'])
    await expect(gallery.toast('Undo skipped 1 of 3 images')).toBeVisible()
    expect(await api.namesOn()).toContain('z.png')

    await page.keyboard.press('ControlOrMeta+Shift+z')

    await expect.poll(() => api.trashedNames()).toEqual([])
    expect(await api.namesOn('Trip')).toEqual(['y.png'])
  })

  test('shares the history between two tabs, also without the Locks API @long', async ({
    api,
    context,
    gallery,
    page,
  }) => {
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })
    })
    await gallery.open({ board: 'none' })
    const other = await context.newPage()
    await other.goto('/?board=none')
    await expect(other.getByRole('gridcell')).toHaveCount(3)
    await other.keyboard.press('h')
    await gallery.deleteImage('c.png')
    const listed = action(historyOf(other), 'Moved 1 image to the trash')
    await expect(listed).toBeVisible()
    await expect(gallery.toast('Moved 1 image to the trash')).toBeVisible()
    await expect.poll(() => api.trashedNames()).toEqual(['c.png'])

    await historyOf(other).getByRole('button', { name: 'Undo', exact: true }).click()

    await expect.poll(() => api.trashedNames()).toEqual([])
    await expect(gallery.tiles).toHaveCount(3)
    await expect(gallery.toast('Moved 1 image to the trash')).toBeHidden()
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await expect(listed).not.toContainText('Undone')
    await expect.poll(() => api.trashedNames()).toEqual(['c.png'])
  })

  test('shows an Undo at once while the server is away, and sends it later @long', async ({
    api,
    gallery,
    page,
  }) => {
    // From the start: Playwright may miss a request that the page sends while its only route is set.
    let isAway = false
    await page.route(EVERYTHING, (route) => (isAway ? route.abort() : route.continue()))
    await gallery.open({ board: 'none' })
    await gallery.deleteImage('c.png')
    await expect.poll(() => api.trashedNames()).toEqual(['c.png'])
    await page.keyboard.press('h')
    // Its code is loaded.
    await expect(action(historyOf(page), 'Moved 1 image to the trash')).toBeVisible()
    isAway = true

    await page.keyboard.press('ControlOrMeta+z')

    await expect(gallery.tiles).toHaveCount(3)
    await expect(action(historyOf(page), 'Moved 1 image to the trash')).toContainText(
      'Undone, waiting',
    )
    expect(await api.trashedNames()).toEqual(['c.png'])
    isAway = false
    await expect.poll(() => api.trashedNames()).toEqual([])
    await expect(action(historyOf(page), 'Moved 1 image to the trash')).not.toContainText('waiting')
  })

  test('has no serious accessibility faults @long', async ({ gallery, page }) => {
    await gallery.open({ board: 'none' })
    await gallery.star('a.png')
    await gallery.deleteImage('c.png')
    await page.keyboard.press('h')
    await action(historyOf(page), 'Before these actions').click()
    await expect(historyOf(page).getByText('Undo 2 actions.')).toBeVisible()

    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  })

  test.describe('by touch', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

    test('goes back to a point from the sheet, and Back closes it @long', async ({
      api,
      gallery,
      page,
    }) => {
      await page.goto('/?board=none')
      await expect(gallery.tiles).toHaveCount(3)
      for (const name of ['a.png', 'b.png']) {
        await gallery.longPress(name)
        await gallery.selectionBar.getByRole('button', { name: 'Delete' }).tap()
        await expect(gallery.selectionBar).toBeHidden()
      }
      await expect.poll(async () => (await api.trashedNames()).length).toBe(2)

      await page.getByRole('button', { name: /^Open sidebar/ }).tap()
      await page.getByRole('button', { name: 'History' }).tap()
      const sheet = page.getByRole('dialog', { name: 'History' })
      await action(sheet, 'Before these actions').tap()
      await expect(sheet.getByText('will be undone')).toHaveCount(2)
      const go = sheet.getByRole('button', { name: 'Go back to here' })
      expect((await go.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      await go.tap()

      await expect.poll(() => api.trashedNames()).toEqual([])
      await expect(action(sheet, 'Moved 1 image to the trash').first()).toContainText('Undone')
      await page.goBack()
      await expect(sheet).toBeHidden()
      await expect(gallery.tiles).toHaveCount(3)
    })
  })
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('offers Undo of a deletion only until it is sent, and of other actions afterwards @long', async ({
    api,
    gallery,
    page,
  }) => {
    await api.createBoard('Portraits')
    const { image_name: kept } = await api.uploadImage('kept.png')
    const { image_name: gone } = await api.uploadImage('gone.png')
    await page.clock.install()
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles).toHaveCount(2)
    await gallery.dragImage(kept, { toBoard: 'Portraits' })
    await gallery.deleteImage(gone)
    await page.keyboard.press('h')
    const history = historyOf(page)
    await expect(action(history, 'Deleted 1 image')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+z')
    await expect(action(history, 'Deleted 1 image')).toContainText('Undone')
    await page.keyboard.press('ControlOrMeta+y')

    await page.clock.fastForward(UNDO_MS)
    await expect.poll(() => api.imagesOn()).toEqual([])
    await expect(action(history, 'Deleted 1 image')).toBeHidden()
    await page.reload()
    await expect(gallery.board('Portraits')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+z')

    await expect.poll(async () => (await api.imagesOn()).length).toBe(1)
    expect(await api.imagesOn('Portraits')).toEqual([])
  })
})
