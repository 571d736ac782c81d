import { nameOfFile } from '#testing/library/fill-library.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

// The trash uses the same grid as other views. These tests need a layout; src/gallery/trash/trash.test.tsx
// has the others.

const COUNT = 2_000

test.use({ libraryOf: COUNT })

test.beforeEach(async ({ api, gallery, page }) => {
  const { image_names } = await api.client.images.names({})
  await api.client.trash.trashImages(image_names)
  await page.goto('/?board=trash')
  await expect(gallery.tiles.first()).toBeVisible()
})

test('shows the first deleted image with End and requests only its surroundings', async ({
  gallery,
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.includes('/trash/?') && !url.includes('limit=0')) asked.push(url)
  })

  await gallery.grid.focus()
  await page.keyboard.press('End')

  await expect(gallery.image(nameOfFile(0))).toBeVisible()
  expect(asked.length).toBeLessThanOrEqual(3)
  expect(await gallery.tiles.count()).toBeLessThan(200)
  await expect(gallery.grid.getByText('30 days left').first()).toBeVisible()
})

test('sorts far down by name, and keeps the order after a reload', async ({ gallery, page }) => {
  const first = nameOfFile(0)
  await gallery.sort('Name')

  await expect(gallery.image(first)).toBeVisible()
  await page.reload()
  await expect(gallery.image(first)).toBeVisible()
  await gallery.sort('Z to A')
  await expect(gallery.image(nameOfFile(COUNT - 1))).toBeVisible()
  await gallery.grid.focus()
  await page.keyboard.press('End')
  await expect(gallery.image(first)).toBeVisible()
})

test('selects with a marquee far down and restores from its menu', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.scrollTo(0.5)
  const columns = Number(await gallery.grid.getAttribute('aria-colcount'))
  // In the third row, because a marquee near the upper edge scrolls.
  const [first = '', , last = ''] = (await gallery.namesOnScreen()).slice(2 * columns)
  const from = await settledBox(gallery.image(first))
  const to = await settledBox(gallery.image(last))

  // Starts in the gap above the images.
  await page.mouse.move(from.x + 10, from.y - 4)
  await page.mouse.down()
  await page.mouse.move(to.x + 40, to.y + 40, { steps: 5 })
  await page.mouse.up()
  await expect(gallery.selectionBar).toContainText('3 images')
  const selected = await gallery.selectedNames()
  await gallery.image(last).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Restore' }).click()

  await expect
    .poll(async () => (await api.imagesOn()).map(({ file_name }) => file_name))
    .toEqual(selected)
  await expect(gallery.boardCount('Trash')).toHaveText((COUNT - 3).toLocaleString('en'))
  await expect(gallery.selectionBar).toContainText('1 image')
})

test('prevents dragging an image out of the trash', async ({ api, gallery }) => {
  await gallery.dragImage(nameOfFile(COUNT - 1), { toBoard: 'Assets' })

  await expect(gallery.image(nameOfFile(COUNT - 1))).toBeVisible()
  expect(await api.imagesOn()).toEqual([])
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('opens an image with a tap and selects a range by dragging after a long press', async ({
    api,
    gallery,
    page,
  }) => {
    const [newest, , third] = [1, 2, 3].map((at) => nameOfFile(COUNT - at))
    await gallery.image(newest ?? '').tap()
    await expect(gallery.viewer).toBeVisible()
    await gallery.viewer.getByRole('button', { name: 'Close' }).tap()
    await expect(gallery.viewer).toBeHidden()
    const first = await settledBox(gallery.image(newest ?? ''))
    const last = await settledBox(gallery.image(third ?? ''))
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: typeof first) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at ? [{ x: at.x + at.width / 2, y: at.y + at.height / 2 }] : [],
      })

    await touch('touchStart', first)
    await expect(gallery.selectionBar).toContainText('1 image')
    await touch('touchMove', last)
    await touch('touchEnd')
    await expect(gallery.selectionBar).toContainText('3 images')
    await gallery.selectionBar.getByRole('button', { name: 'Restore' }).tap()

    await expect(gallery.selectionBar).toBeHidden()
    await expect.poll(async () => (await api.imagesOn()).length).toBe(3)
  })
})
