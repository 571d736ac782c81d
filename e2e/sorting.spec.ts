import type { Page } from '@playwright/test'
import { drawFile } from '#testing/library/draw-file.ts'
import { nameOfFile } from '#testing/library/fill-library.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test('sorts by name, size and date taken in both directions, also after a reload and Back @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImage('b10.png', { widthPx: 300, heightPx: 300 })
  await api.uploadImage('b9.png', { widthPx: 40, heightPx: 40 })
  await uploadTaken(api, 'a.png', '2019-05-03 12:00:00.000')
  await gallery.open()

  await gallery.sort('Name')
  await expect.poll(() => gallery.shownNames()).toEqual(['a.png', 'b9.png', 'b10.png'])
  await gallery.sort('Z to A')
  await expect.poll(() => gallery.shownNames()).toEqual(['b10.png', 'b9.png', 'a.png'])
  await page.reload()
  await expect.poll(() => gallery.shownNames()).toEqual(['b10.png', 'b9.png', 'a.png'])

  await gallery.sort('Size')
  await expect.poll(async () => (await gallery.shownNames())[0]).toBe('b10.png')
  await gallery.sort('Date taken')
  await expect.poll(async () => (await gallery.shownNames()).at(-1)).toBe('a.png')
  await page.goBack()
  await page.goBack()

  await expect.poll(() => gallery.shownNames()).toEqual(['b10.png', 'b9.png', 'a.png'])
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('offers only the sort orders that InvokeAI supports', async ({ gallery, page }) => {
    await gallery.open()
    await gallery.openViewOptions()

    await expect(gallery.viewOptions.getByRole('group', { name: 'Sort by' })).toHaveCount(0)
    const order = gallery.viewOptions.getByRole('group', { name: 'Order' })
    await expect(order.getByRole('radio')).toHaveCount(2)
    await expect(page.getByRole('switch', { name: 'Starred first' })).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Group by day' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter' }).click()
    const filters = page.getByRole('dialog', { name: 'Filter' })
    await expect(filters.getByRole('combobox')).toHaveAccessibleName('Show')
    await expect(filters.getByRole('switch')).toHaveCount(0)
  })
})

test('groups days under headings after starred images, and selects a day at once @long', async ({
  api,
  gallery,
  page,
}) => {
  const today = new Date().toISOString().slice(0, 10)
  await uploadTaken(api, 'old-1.png', '2026-05-03 08:00:00.000')
  await uploadTaken(api, 'old-2.png', '2026-05-03 09:00:00.000')
  await uploadTaken(api, 'new.png', `${today} 00:00:01.000`)
  const starred = await uploadTaken(api, 'star.png', '2026-05-02 09:00:00.000')
  await api.starImages(starred)
  await gallery.open()

  await gallery.sort('Date taken')
  await gallery.sort('Starred first')
  await gallery.sort('Group by day')

  const headings = gallery.grid.getByRole('rowheader')
  await expect(headings).toHaveText([
    /^Starred\s*1 image/,
    /^Today\s*1 image/,
    /^Sunday, May 3, 2026\s*2 images/,
  ])
  await expect(gallery.grid).toHaveAttribute('aria-rowcount', '6')
  await headings.nth(2).getByRole('button', { name: 'Select these' }).click()
  await expect.poll(() => gallery.selectedNames()).toEqual(['old-2.png', 'old-1.png'])

  // The key D adds the day of the focused image to the selection.
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ControlOrMeta+ArrowDown')
  await expect(page.getByText('Today, 1 image')).toBeAttached()
  await page.keyboard.press('d')
  await expect(gallery.selectionBar).toContainText('3 images')
})

test.describe('two days of hundreds', () => {
  // One per minute until the end of 20 November: 1,440 on the 20th and 560 on the 19th.
  test.use({ libraryOf: 2_000 })

  test('selects a day of over a thousand images without fetching them, across headings @long', async ({
    gallery,
    page,
  }) => {
    await page.goto('/?group=day')
    const firstDay = gallery.grid.getByRole('rowheader', { name: 'November 20, 2026' })
    await expect(firstDay).toContainText('1,440 images')
    await firstDay.getByRole('button', { name: 'Select these' }).click()
    await expect(gallery.selectionBar).toContainText('1,440 images')
    await page.keyboard.press('ControlOrMeta+End')
    await expect(gallery.image(nameOfFile(0))).toHaveAttribute('aria-selected', 'false')

    await page.keyboard.press('Home')
    await expect(gallery.image(nameOfFile(1_999))).toBeInViewport()
    await expect(gallery.grid.getByRole('rowheader').first()).toBeInViewport()
    await page.keyboard.press('End')
    await expect(gallery.image(nameOfFile(0))).toBeInViewport()

    // The last image of the first day.
    await gallery.scrollTo(0.72)
    await gallery.image(nameOfFile(560)).click()
    const column = await gallery.image(nameOfFile(560)).getAttribute('aria-colindex')
    await page.keyboard.press('ArrowDown')
    const focused = () => gallery.grid.getAttribute('aria-activedescendant')
    await expect.poll(focused).not.toBe('image-1439')
    await expect(page.locator(`#${await focused()}`)).toHaveAttribute('aria-colindex', column ?? '')
    await expect(page.getByText('Thursday, November 19, 2026, 560 images')).toBeAttached()
    await page.keyboard.press('ArrowUp')
    await expect(gallery.grid).toHaveAttribute('aria-activedescendant', 'image-1439')

    const heading = gallery.grid.getByRole('rowheader', { name: 'November 19' })
    await heading.scrollIntoViewIfNeeded()
    const box = await settledBox(heading)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 30, box.y + box.height + 30, { steps: 4 })
    await page.mouse.up()
    // The images on both sides of the heading's left half, without the last image of the first day.
    await expect.poll(() => gallery.selectedNames()).toContain(nameOfFile(559))
    const selected = await gallery.selectedNames()
    expect(selected.length).toBeGreaterThan(1)
    expect(selected).not.toContain(nameOfFile(560))
  })

  test('keeps the scroll position after a reload, a deletion and new images above @long', async ({
    gallery,
    page,
  }) => {
    await page.goto('/?group=day')
    await expect(gallery.grid.getByRole('rowheader').first()).toBeVisible()
    await gallery.scrollTo(0.6)
    const [first = '', second = ''] = await gallery.namesOnScreen()
    const before = await gallery.topOf(first)

    await page.reload()
    await expect(gallery.image(first)).toBeInViewport()
    const shiftOfFirst = async () => Math.abs((await gallery.topOf(first)) - before)
    await expect.poll(shiftOfFirst).toBeLessThanOrEqual(2)

    await gallery.image(second).click()
    await page.keyboard.press('Delete')
    await expect(gallery.toast('trash')).toBeVisible()
    await gallery.dropFiles(['new.png'], { on: 'page' })
    await expect(page.getByRole('button', { name: /1 new/ })).toBeVisible()
    await expect(gallery.image(second)).toHaveCount(0)
    await expect.poll(shiftOfFirst).toBeLessThanOrEqual(2)

    // The new image is from today, a day without images so far.
    await page.getByRole('button', { name: /1 new/ }).click()
    await expect(gallery.grid.getByRole('rowheader').first()).toHaveText(/^Today\s*1 image/)
  })
})

test.describe('years', () => {
  // Two per month, from January 2016 to December 2025.
  test.use({ libraryOf: 240, takenYears: 10 })

  test('jumps to months next to the scrollbar by pointer and by key', async ({ gallery, page }) => {
    await page.goto('/?sort=taken')
    const months = page.getByRole('slider', { name: 'Go to a month' })
    await expect(months).toHaveAttribute('aria-valuetext', 'December 2025')
    await expect(months).toHaveAttribute('aria-valuemax', '119')
    await expect(months.getByText('2020', { exact: true })).toBeAttached()

    // The months cover neither tiles nor the scrollbar.
    await expect(gallery.tiles.first()).toBeVisible()
    const box = await settledBox(months)
    const rights = await gallery.tiles.evaluateAll((tiles) =>
      tiles.map((tile) => tile.getBoundingClientRect().right),
    )
    const inner = await gallery.grid.evaluate(
      (grid) => grid.getBoundingClientRect().left + grid.clientWidth,
    )
    expect(Math.max(...rights)).toBeLessThanOrEqual(box.x)
    expect(box.x + box.width).toBeLessThanOrEqual(inner)

    await months.focus()
    await page.keyboard.press('ArrowDown')
    await expect(months).toHaveAttribute('aria-valuetext', 'November 2025')
    await page.keyboard.press('PageDown')
    await expect(months).toHaveAttribute('aria-valuetext', 'November 2024')
    await expect(gallery.image(nameOfFile(213))).toBeInViewport()
    await page.keyboard.press('End')
    await expect(months).toHaveAttribute('aria-valuetext', 'January 2016')
    await expect(gallery.image(nameOfFile(0))).toBeInViewport()

    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await expect(page.getByRole('tooltip')).toHaveText(/20(20|21)$/)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await expect(months).toHaveAttribute('aria-valuetext', /20(20|21)$/)
  })

  test('axe finds no serious violation in days and months @long', async ({ gallery, page }) => {
    await page.clock.install()
    await page.goto('/?sort=taken&group=day&kind=images')
    await expect(gallery.grid.getByRole('rowheader').first()).toBeVisible()
    await expect(page.getByRole('slider', { name: 'Go to a month' })).toBeVisible()
    await gallery.scrollTo(0.3)
    await page.clock.fastForward(1_000) // hides the label next to the scrollbar

    expect(await seriousFaultsOf(page)).toEqual([])
  })

  test('fetches nothing while the months are dragged, and the view after release @long', async ({
    gallery,
    page,
  }) => {
    await page.goto('/?sort=taken')
    const months = page.getByRole('slider', { name: 'Go to a month' })
    await expect(gallery.image(nameOfFile(239))).toBeVisible()
    await gallery.scrollTo(0) // waits for all images
    await page.waitForLoadState('networkidle')
    const box = await settledBox(months)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))

    await page.mouse.move(box.x + 20, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + 20, box.y + box.height - 60, { steps: 12 })
    await expect(months).toHaveAttribute('aria-valuetext', /201[67]$/)
    expect(asked.filter((url) => /thumbnail|images\/\?/.test(url))).toEqual([])
    await page.mouse.up()

    await expect.poll(() => gallery.namesOnScreen()).not.toEqual([])
    const [shown = ''] = await gallery.namesOnScreen()
    await expect(gallery.image(shown).locator('img')).toHaveJSProperty('complete', true)
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

    test('shows a handle while scrolling that a thumb can drag @long', async ({
      gallery,
      page,
    }) => {
      await page.goto('/?sort=taken')
      const handle = page.getByRole('slider', { name: 'Go to a month' })
      await expect(gallery.tiles.first()).toBeVisible()
      await expect(handle).toHaveCSS('opacity', '0')

      const grid = await settledBox(gallery.grid)
      // The handle soon fades out. If it is gone before the thumb arrives, the user scrolls again.
      await expect(async () => {
        await gallery.grid.evaluate((element) => element.scrollBy(0, 100))
        await expect(handle).toHaveCSS('opacity', '1', { timeout: 1_000 })
        const box = await handle.boundingBox()
        if (box === null) throw new Error('The handle cannot be seen.')
        expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
        const x = box.x + 20
        await drag(page, { x, y: box.y + 20 }, { x, y: grid.y + 0.65 * grid.height })
        const month = /20(17|18|19)$/
        await expect(handle).toHaveAttribute('aria-valuetext', month, { timeout: 1_000 })
      }).toPass()
    })
  })
})

/** Uploads an image with the date of the file. */
const uploadTaken = async (api: LibraryMaker, fileName: string, takenAt: string) =>
  api.client.uploads.upload({ bytes: await drawFile(fileName), fileName, takenAt })

/** Drags a finger from one point to another. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [from])
  for (let step = 1; step <= 8; step += 1) {
    await touch('touchMove', [{ x: to.x, y: from.y + ((to.y - from.y) * step) / 8 }])
  }
  await touch('touchEnd', [])
  await session.detach()
}

interface Point {
  x: number
  y: number
}
