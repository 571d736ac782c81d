import type { Page } from '@playwright/test'
import { nameOfFile } from '#testing/library/fill-library.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { namesInZip } from './fixtures/names-in-zip.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

// Actions must apply to the images that are visibly selected. These are the ways to select that once left the
// target of actions far off screen. src/gallery/images/selection-table.test.ts covers all ways.

const COUNT = 400

test.use({ libraryOf: COUNT })

interface SelectionContext {
  gallery: GalleryPage
  page: Page
  onScreen: string[]
}

/** Draws a marquee from one image to another. With Alt, it may start on a tile. */
async function drawMarquee(
  { gallery, page }: SelectionContext,
  from: string,
  to: string,
): Promise<void> {
  const first = await settledBox(gallery.image(from))
  const last = await settledBox(gallery.image(to))
  await page.keyboard.down('Alt')
  await page.mouse.move(first.x + 30, first.y + 30)
  await page.mouse.down()
  await page.mouse.move(last.x + 40, last.y + 40, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.up('Alt')
}

const selectionMethods: {
  method: string
  count: number
  select: (context: SelectionContext) => Promise<void>
}[] = [
  {
    method: 'a marquee',
    count: 4,
    select: async (context) => {
      // In the third row, because a marquee near the upper edge scrolls.
      const columns = Number(await context.gallery.grid.getAttribute('aria-colcount'))
      const [first = '', , , last = ''] = context.onScreen.slice(2 * columns)
      await drawMarquee(context, first, last)
    },
  },
  {
    method: 'the viewer, paged to another image',
    count: 1,
    select: async ({ gallery, page, onScreen }) => {
      await gallery.image(onScreen[0] ?? '').dblclick()
      await expect(gallery.viewer).toContainText(onScreen[0] ?? '')
      for (const name of onScreen.slice(1, 4)) {
        await page.keyboard.press('ArrowRight')
        await expect(gallery.viewer).toContainText(name)
      }
      await page.keyboard.press('Escape')
      await expect(gallery.viewer).toBeHidden()
    },
  },
  {
    method: 'arrow keys',
    count: 1,
    select: async ({ gallery, page, onScreen }) => {
      await gallery.image(onScreen[0] ?? '').click()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
    },
  },
]

for (const { method, count, select } of selectionMethods) {
  test(`applies every key to the visible selection after ${method} @long`, async ({
    api,
    gallery,
    page,
  }) => {
    const images = count === 1 ? '1 image' : `${count} images`
    await gallery.open({ board: 'none' })
    await expect(page.getByRole('button', { name: 'Queue' })).toBeVisible() // P works only with a queue
    await gallery.scrollTo(0.5)
    const onScreen = await gallery.namesOnScreen()
    const [top = ''] = onScreen
    const starredNames = async () =>
      (await api.imagesOn()).flatMap((image) => (image.starred ? [image.file_name ?? ''] : []))
    const starredBefore = await starredNames()
    const before = await gallery.topOf(top)

    await select({ gallery, page, onScreen })
    // A closing viewer selects its last image a moment later.
    if (count === 1) await expect.poll(() => gallery.selectedNames()).not.toContain(top)
    await expect(gallery.selectionBar).toContainText(images)
    const selected = (await gallery.selectedNames()).map(String)
    expect(selected).toHaveLength(count)
    expect(onScreen).toEqual(expect.arrayContaining(selected))

    const dialog = page.getByRole('dialog')
    await page.keyboard.press('m')
    await expect(page.getByPlaceholder(`Move ${images} to…`)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.keyboard.press('Shift+M')
    await expect(page.getByPlaceholder(`Copy ${images} to…`)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.keyboard.press('p')
    await expect(page.getByRole('dialog', { name: `Process ${images}` })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.keyboard.press('ControlOrMeta+x')
    await expect(gallery.toast(`${images} cut`)).toBeVisible()
    const downloading = page.waitForEvent('download')
    await gallery.selectionBar.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(count === 1 ? [download.suggestedFilename()] : await namesInZip(download)).toEqual(
      selected.toSorted(),
    )
    await gallery.grid.focus()
    await page.keyboard.press('s')
    const starredAfter = [...new Set([...starredBefore, ...selected])].sort()
    await expect.poll(async () => (await starredNames()).toSorted()).toEqual(starredAfter)

    await page.keyboard.press('Delete')
    await expect
      .poll(async () => (await api.trashedNames()).toSorted())
      .toEqual(selected.toSorted())
    await expect(gallery.selectionBar).toContainText('1 image')
    const nextNames = async () =>
      (await gallery.selectedNames()).map(String).filter((name) => !selected.includes(name))
    await expect.poll(nextNames).toHaveLength(1)
    const [next = ''] = await nextNames()
    await expect(gallery.image(next)).toBeInViewport()
    await page.keyboard.press('Delete')
    await expect.poll(() => api.trashedNames()).toContain(next)

    expect(await api.trashedNames()).toHaveLength(count + 1)
    const shift = async () => Math.abs((await gallery.topOf(top)) - before)
    if (count === 1) await expect.poll(shift).toBeLessThanOrEqual(2)
  })
}

test('leaves nothing for Delete after a scroll and Esc', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.image(nameOfFile(COUNT - 1)).click()
  await gallery.scrollTo(0.5)

  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')

  const [seen = ''] = await gallery.namesOnScreen()
  await gallery.image(seen).click()
  await page.keyboard.press('Delete')
  await expect.poll(() => api.trashedNames()).toEqual([seen])
})

test.describe('two days', () => {
  // One per minute until the end of 20 November: 1,440 on the 20th and 560 on the 19th.
  test.use({ libraryOf: 2_000 })

  test('stays at the day after "Select these", a second Delete and an arrow key @long', async ({
    api,
    gallery,
    page,
  }) => {
    await page.goto('/?board=none&group=day')
    await expect(gallery.image(nameOfFile(1_999))).toBeVisible()
    await gallery.scrollTo(0.72)
    const name = /^Select these: .*November 19/
    // The sticky heading is hidden from screen readers, which have the heading itself.
    const selectThese = page.getByRole('button', { name, includeHidden: true })
    const scrollTop = () => gallery.grid.evaluate((grid) => grid.scrollTop)
    const before = await scrollTop()

    await selectThese.filter({ visible: true }).first().click()
    await expect(gallery.selectionBar).toContainText('560 images')
    await page.keyboard.press('ControlOrMeta+ArrowRight')

    expect(Math.abs((await scrollTop()) - before)).toBeLessThan(400)
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await api.trashedNames()).length).toBe(560)
    await page.keyboard.press('Delete')
    // Every selected image of the visible ones looks selected.
    for (const name of await gallery.selectedNames()) {
      await expect(gallery.image(name ?? '')).toBeInViewport()
    }
  })
})
