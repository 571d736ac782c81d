import type { Locator, Page } from '@playwright/test'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { generations, IMAGE_TIMEOUT, pictures } from './fixtures/generations.ts'
import { quickGraph } from './fixtures/graphs.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const COUNT = 3000

/** Every image is about this much of its size, so that tiles and thumbnails can be compared. */
const ROUNDING = 0.03

interface Tile {
  readonly name: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly height: number
  readonly width: number
  /** Ratio of width to height of the loaded thumbnail; 0 before that. */
  readonly imageRatio: number
}

/** Returns the rendered tiles in reading order. */
const tilesOf = (grid: Locator): Promise<Tile[]> =>
  grid.evaluate((grid) =>
    [...grid.querySelectorAll('[role=gridcell]')]
      .map((tile) => {
        const { left, right, top, height, width } = tile.getBoundingClientRect()
        const image = tile.querySelector('img')
        const imageRatio = image?.naturalHeight ? image.naturalWidth / image.naturalHeight : 0
        const name = tile.querySelector<HTMLElement>('[data-picture]')?.dataset.picture ?? ''
        return { name, left, right, top, height, width, imageRatio }
      })
      .sort((a, b) => a.top - b.top || a.left - b.left),
  )

/** Expects rows that fill the width with tiles in the proportions of their images. */
async function expectJustifiedRows(grid: Locator) {
  await expect
    .poll(async () => (await tilesOf(grid)).filter(({ imageRatio }) => imageRatio > 0).length)
    .toBeGreaterThan(8)
  const tiles = await tilesOf(grid)
  const rows = Map.groupBy(tiles, ({ top }) => top)
  const edges = [...rows.values()].map((row) => Math.round(row.at(-1)?.right ?? 0))
  expect(Math.max(...edges) - Math.min(...edges)).toBeLessThanOrEqual(2)
  for (const { name, width, height, imageRatio } of tiles) {
    if (imageRatio === 0) continue
    const shown = Math.min(width / height / imageRatio, imageRatio / (width / height))
    expect(shown, name).toBeGreaterThan(1 - 0.12 - ROUNDING)
  }
}

async function openRows(gallery: GalleryPage, page: Page, address = '/?tiles=rows') {
  await page.goto(address)
  await expect(gallery.tiles.first()).toBeVisible()
}

test.describe(`a library of ${COUNT}`, () => {
  test.use({ libraryOf: COUNT, takenYears: 4 })

  test('shows rows in true proportions at any place', async ({ gallery, page }) => {
    await openRows(gallery, page)

    await expectJustifiedRows(gallery.grid)
    for (const share of [0.7, 0.31, 1]) {
      await gallery.scrollTo(share)
      await expectJustifiedRows(gallery.grid)
    }
  })

  test('keeps the height of the content while images are loaded @long', async ({
    gallery,
    page,
  }) => {
    const sums = page.waitForResponse(/images\/ratios/)
    await openRows(gallery, page)
    await sums
    const heightOf = () => gallery.grid.evaluate((grid) => grid.scrollHeight)
    const settled = async () => {
      const before = await heightOf()
      await settledBox(gallery.grid)
      return before
    }
    const before = await settled()

    for (const share of [0.2, 0.5, 0.9]) await gallery.scrollTo(share)

    expect(await heightOf()).toBe(before)
  })

  test('draws the first images before the sums arrive, and moves none of them then @long', async ({
    gallery,
    page,
  }) => {
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/images/ratios*', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await openRows(gallery, page)
    await expectJustifiedRows(gallery.grid)
    const before = await tilesOf(gallery.grid)

    const sums = page.waitForResponse(/images\/ratios/)
    answer()
    await sums
    await settledBox(gallery.grid)

    const places = (tiles: readonly Tile[]) =>
      tiles.slice(0, 12).map(({ name, left, top, width }) => ({ name, left, top, width }))
    expect(places(await tilesOf(gallery.grid))).toEqual(places(before))
  })

  test('keeps the first visible image in place after deletions, a reload and another board @long', async ({
    api,
    gallery,
    page,
  }) => {
    await api.createBoard('Other')
    await openRows(gallery, page)
    await gallery.scrollTo(0.4)
    const { y } = await settledBox(gallery.grid)
    const isVisible = ({ top, height }: Tile) => top + height > y
    const anchor = (await tilesOf(gallery.grid)).find(isVisible)?.name ?? ''
    const top = await gallery.topOf(anchor)
    const expectInPlace = () =>
      expect.poll(async () => Math.abs((await gallery.topOf(anchor)) - top)).toBeLessThanOrEqual(2)

    const names = await api.client.images.names({ isIntermediate: false, orderBy: 'taken_at' })
    await api.client.images.delete(names.image_names.slice(0, 7))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(gallery.boardCount('Assets')).toHaveText((COUNT - 7).toLocaleString('en'))
    await expectInPlace()

    await page.reload()
    await expect(gallery.image(anchor)).toBeVisible()
    await expectInPlace()

    await gallery.openBoard('Other')
    await page.goBack()
    await expect(gallery.image(anchor)).toBeVisible()
    await expectInPlace()
  })

  test('moves by keys to the nearest image, and to both ends @long', async ({ gallery, page }) => {
    await openRows(gallery, page)
    await expectJustifiedRows(gallery.grid)
    const tiles = await tilesOf(gallery.grid)
    const first = tiles[1]
    if (first === undefined) throw new Error('There is no image.')
    const below = tiles.filter(({ top }) => top > first.top)
    const secondRow = below.filter(({ top }) => top === below[0]?.top)
    const center = (first.left + first.right) / 2
    const nearest = secondRow.find(({ left, right }) => center >= left - 4 && center <= right + 4)

    await gallery.image(first.name).click()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => gallery.selectedNames()).toEqual([nearest?.name])
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => gallery.selectedNames()).toEqual([first.name])

    await page.keyboard.press('End')
    await expect(gallery.grid.getByRole('gridcell', { selected: true })).toBeInViewport()
    await expect(gallery.grid.getByRole('row').last()).toHaveAttribute(
      'aria-rowindex',
      (await gallery.grid.getAttribute('aria-rowcount')) ?? '',
    )
    await page.keyboard.press('Home')
    await expect.poll(() => gallery.selectedNames()).toEqual([tiles[0]?.name])
    await page.keyboard.press('Shift+ArrowDown')
    expect((await gallery.selectedNames()).length).toBeGreaterThan(1)
  })

  test('keeps the tile under the pointer while Ctrl+wheel changes the size @long', async ({
    gallery,
    page,
  }) => {
    await openRows(gallery, page)
    // Here each size moves the tile to another row.
    await gallery.scrollTo(0.3)
    const [, , , name = ''] = await gallery.namesOnScreen()
    const box = await settledBox(gallery.image(name))
    const pointer = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.mouse.move(pointer.x, pointer.y)

    await page.keyboard.down('Control')
    for (let notch = 0; notch < 3; notch += 1) {
      await page.mouse.wheel(0, -100)
      await settledBox(gallery.image(name))
    }
    await page.keyboard.up('Control')

    const heightNow = async () => (await gallery.image(name).boundingBox())?.height
    await expect.poll(heightNow).not.toBe(box.height)
    const after = await settledBox(gallery.image(name))
    expect(after.y).toBeLessThanOrEqual(pointer.y)
    expect(after.y + after.height).toBeGreaterThanOrEqual(pointer.y)
  })

  test('selects by a marquee and groups rows by day @long', async ({ gallery, page }) => {
    await openRows(gallery, page, '/?tiles=rows&group=day')
    await expect(gallery.grid.getByRole('rowheader').first()).toBeVisible()
    await expect.poll(async () => (await tilesOf(gallery.grid)).length).toBeGreaterThan(4)
    const [first] = await tilesOf(gallery.grid)
    if (first === undefined) throw new Error('There is no image.')

    await page.keyboard.down('Alt')
    await page.mouse.move(first.left + 5, first.top + 5)
    await page.mouse.down()
    await page.mouse.move(first.left + 60, first.top + first.height / 2, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.up('Alt')

    expect(await gallery.selectedNames()).toContain(first.name)
  })

  test('jumps to a month, drags an image to a board, and takes an image that is made @long', async ({
    api,
    gallery,
    page,
  }) => {
    const { boardId } = await api.createBoard('Portraits')
    await openRows(gallery, page, '/?tiles=rows&sort=taken')
    const months = page.getByRole('slider', { name: 'Go to a month' })
    await months.focus()
    await page.keyboard.press('End')
    await expect(months).toHaveAttribute('aria-valuetext', 'January 2022')
    await expect.poll(() => gallery.namesOnScreen()).not.toEqual([])
    const [name = ''] = await gallery.namesOnScreen()

    await gallery.dragImage(name, { toBoard: 'Portraits' })
    await expect.poll(() => api.namesOn('Portraits')).toEqual([name])
    expect((await api.imagesOn('Portraits'))[0]?.taken_at).toMatch(/^2022-01/)

    await gallery.openBoard('Portraits')
    await api.client.queue.pause()
    await api.client.queue.enqueue({ graph: quickGraph(boardId) })
    await expect(generations(gallery)).toBeVisible()
    await api.client.queue.resume()
    await expect(pictures(gallery)).toHaveCount(2, IMAGE_TIMEOUT)
    await expect(generations(gallery)).toBeHidden()
  })

  test('is accessible @long', async ({ gallery, page }) => {
    await openRows(gallery, page)
    await expectJustifiedRows(gallery.grid)
    await expect(gallery.grid).not.toHaveAttribute('aria-colcount')
    await gallery.openViewOptions()

    expect(await seriousFaultsOf(page)).toEqual([])
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, libraryOf: 400 })

  test('shows rows as wide as the screen @long', async ({ gallery, page }) => {
    await openRows(gallery, page)

    await expectJustifiedRows(gallery.grid)
    expect(await page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(390)
  })
})

test.describe('order and layout of a board', () => {
  test.use({ libraryOf: 20 })

  test('are remembered, become the default of all boards, and are reset @long', async ({
    api,
    gallery,
    page,
  }) => {
    await api.createBoard('Portraits')
    await api.uploadImage('b.png', { board: 'Portraits' })
    await api.uploadImage('a.png', { board: 'Portraits' })
    await gallery.open({ board: 'Portraits' })
    await gallery.sort('Name')
    await page.keyboard.press('v')
    await page.keyboard.press('v')
    await expect(page).toHaveURL(/tiles=rows/)

    await gallery.openBoard('Assets')
    await expect(page).not.toHaveURL(/sort=|tiles=/)
    await gallery.openBoard('Portraits')
    await expect.poll(() => gallery.shownNames()).toEqual(['a.png', 'b.png'])
    await page.reload()
    await expect(page).toHaveURL(/sort=name&tiles=rows/)

    await gallery.openViewOptions()
    await gallery.viewOptions.getByRole('button', { name: 'Use for all boards' }).click()
    await page.keyboard.press('Escape')
    await gallery.openBoard('Assets')
    await expect(page).toHaveURL(/sort=name&tiles=rows/)

    await gallery.openViewOptions()
    await gallery.viewOptions.getByRole('button', { name: 'Reset' }).click()
    await expect(page).not.toHaveURL(/sort=|tiles=/)
  })
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('cannot show rows, and says why @long', async ({ api, gallery, page }) => {
    await api.uploadImage('a.png')
    await openRows(gallery, page)

    await gallery.openViewOptions()

    const rows = gallery.viewOptions.getByRole('radio', { name: 'Rows' })
    await expect(rows).toBeDisabled()
    await expect(rows).toHaveAccessibleDescription(/proportions/)
    await expect(gallery.viewOptions.getByRole('radio', { name: 'Squares' })).toBeChecked()
  })
})
