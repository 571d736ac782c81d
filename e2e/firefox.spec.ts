import type { Locator, Page } from '@playwright/test'
import { holdOver, pickUp } from './fixtures/pointer.ts'
import { expect, test } from './fixtures.ts'

// Ten stories that run in Firefox. Chromium runs them in more detail in the other files.

test.beforeEach(async ({ api }) => {
  await api.createBoard('Castles')
  // Newest first: c b a.
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
})

test('opens the images and loads each thumbnail once', async ({ gallery, page }) => {
  const aborted: string[] = []
  page.on('requestfailed', (request) => aborted.push(request.url()))

  await gallery.open({ board: 'none' })

  await expect(gallery.tiles).toHaveCount(3)
  await expect.poll(() => countLoaded(page)).toBe(3)
  // Not the requests that Playwright reports: the page asks for the first pictures early, and Firefox reports the
  // tiles' requests too, which its cache answers.
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => (name.includes('/thumbnail') ? name : [])),
  )
  expect(loaded).toHaveLength(3)
  expect(new Set(loaded).size).toBe(3)
  expect(aborted).toEqual([])
})

test('uploads files from the chooser', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'Castles' })
  const chooser = page.waitForEvent('filechooser')
  await gallery.add('Upload files…')
  await (await chooser).setFiles(await gallery.drawFiles(['tower.png', 'moat.png']))

  await expect(gallery.tiles).toHaveCount(2)
  const uploaded = async () => (await api.namesOn('Castles'))?.toSorted()
  await expect.poll(uploaded).toEqual(['moat.png', 'tower.png'])
})

test('moves one image to a board by drag and drop', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })

  await drag(page, gallery.image('b.png'), gallery.board('Castles'))

  await expect(gallery.tiles).toHaveCount(2)
  await expect(gallery.boardCount('Castles')).toHaveText('1')
  await expect.poll(() => api.namesOn('Castles')).toEqual(['b.png'])
})

test('moves three images by drag and drop, and takes them back with Undo', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await gallery.select('c.png', 'b.png', 'a.png')

  await drag(page, gallery.image('b.png'), gallery.board('Castles'))

  await expect(gallery.boardCount('Castles')).toHaveText('3')
  await expect.poll(() => api.namesOn('Castles')).toEqual(['c.png', 'b.png', 'a.png'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.tiles).toHaveCount(3)
  await expect.poll(() => api.namesOn('Castles')).toEqual([])
})

test('draws the pictures of a drag at the pointer', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.select('c.png', 'b.png')
  await expect.poll(() => countLoaded(page)).toBe(3)
  // The browser takes a picture of the element that the page passes to it.
  await page.evaluate(() => {
    const set = DataTransfer.prototype.setDragImage
    DataTransfer.prototype.setDragImage = function (element, x, y) {
      const isDrawn = (canvas: HTMLCanvasElement) =>
        canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3]
      document.title = [...element.querySelectorAll('canvas')].map(isDrawn).join(' ')
      set.call(this, element, x, y)
    }
  })

  await pickUp(page, gallery.image('b.png'))

  await expect(page).toHaveTitle('255 255')
  await page.keyboard.press('Escape')
  await page.mouse.up()
})

test('shows an image in the viewer, the next one by key, and the grid on Back', async ({
  gallery,
  page,
}) => {
  await gallery.open()
  await gallery.image('b.png').click()
  await page.keyboard.press('Enter')
  await expect(gallery.viewer).toContainText('2 of 3')
  await expect(gallery.viewer.locator('img[src$="/full"]')).toHaveJSProperty('complete', true)

  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('3 of 3')
  await page.goBack()

  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.tiles).toHaveCount(3)
})

test('opens the menu of a tile and the menu of a board', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.image('a.png').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Star', exact: true }).click()
  await expect
    .poll(async () => (await api.imagesOn()).map(({ starred }) => starred))
    .toEqual([true, false, false])

  await gallery.chooseForBoard('Castles', 'Rename')
  await expect(page.getByRole('textbox', { name: 'Board name' })).toBeFocused()
  await page.keyboard.type('Towers')
  await page.keyboard.press('Enter')
  await expect.poll(() => api.boardNames()).toEqual(['Towers'])
})

test('opens a board from the command palette', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.grid.focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('casl')
  await expect(page.getByRole('option').first()).toContainText('Castles')
  await page.keyboard.press('Enter')

  await expect(gallery.board('Castles')).toHaveAttribute('aria-current', 'page')
})

test('searches and filters, and keeps board and search after a reload', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['tower-1.png', 'moat.png', 'tower-2.png'], { board: 'Castles' })
  await gallery.open({ board: 'Castles' })
  await gallery.search.pressSequentially('tower')
  await expect(page).toHaveURL(/q=tower/)
  await page.reload()

  await expect(gallery.board('Castles')).toHaveAttribute('aria-current', 'page')
  await expect(gallery.search).toHaveValue('tower')
  await expect.poll(() => gallery.shownNames()).toEqual(['tower-2.png', 'tower-1.png'])
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('Only starred images').click()
  await expect(gallery.tiles).toHaveCount(0)
})

test('deletes an image and restores it from the trash', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.deleteImage('b.png')
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.openBoard('Trash')
  await gallery.image('b.png').click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()

  await expect(gallery.tiles).toHaveCount(0)
  await expect.poll(async () => (await api.imagesOn()).length).toBe(3)
})

/**
 * Drags by mouse. WebDriver BiDi in Firefox 153 starts a drag and moves it, but ends it without a drop event, so
 * that this sends the event.
 */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await pickUp(page, from)
  await holdOver(page, to)
  await to.evaluate((target) => {
    const { left, top, width, height } = target.getBoundingClientRect()
    const at = { clientX: left + width / 2, clientY: top + height / 2 }
    const dataTransfer = new DataTransfer()
    const options = { bubbles: true, cancelable: true, composed: true, dataTransfer, ...at }
    target.dispatchEvent(new DragEvent('drop', options))
  })
  await page.mouse.up()
}

function countLoaded(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLImageElement>('[data-picture] img')].filter(
        ({ complete, naturalWidth }) => complete && naturalWidth > 0,
      ).length,
  )
}
