import type { Locator, Page } from '@playwright/test'
import { openFinger } from './fixtures/pointer.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** Enough for a filter. */
const MANY_BOARDS = Array.from({ length: 12 }, (_, at) => `Board ${at + 1}`)

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
})

test('shows three or four tiles per row and boards in a drawer, without horizontal overflow', async ({
  gallery,
  page,
}) => {
  await page.goto('/')
  await expect(gallery.tiles).toHaveCount(4)
  expect([3, 4]).toContain(Number(await gallery.grid.getAttribute('aria-colcount')))

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await gallery.board('Portraits').tap()

  await expect(page.getByRole('heading', { level: 1, name: 'Portraits' })).toBeVisible()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow).toBeLessThanOrEqual(0)
})

test('Esc empties the filter of the boards before it closes the drawer @long', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of MANY_BOARDS) await api.createBoard(name)
  await page.goto('/')
  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  const filter = page.getByRole('searchbox', { name: 'Filter boards' })
  await filter.fill('castles')
  await expect(gallery.board('Portraits')).toBeHidden()

  await page.keyboard.press('Escape')
  await expect(filter).toHaveValue('')
  await expect(gallery.board('Portraits')).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(filter).toBeHidden()
})

async function middleOf(tile: Locator) {
  const box = await settledBox(tile)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, box }
}

test('selects with a long press, selects a range by dragging, and opens with a tap', async ({
  api,
  gallery,
  page,
}) => {
  await page.goto('/?board=none')
  const first = await middleOf(gallery.image('d.png'))
  const last = await middleOf(gallery.image('a.png'))
  const finger = await openFinger(page)

  await finger.press(first.x, first.y)
  await expect(gallery.selectionBar).toContainText('1 image')
  await finger.move(last.x, first.y)
  await finger.move(last.x, last.y)
  await finger.lift()
  await expect(gallery.selectionBar).toContainText('4 images')
  await finger.tap(first.x, first.y)
  await expect(gallery.selectionBar).toContainText('3 images')
  await gallery.selectionBar.getByRole('button', { name: 'Clear selection' }).tap()
  await expect(gallery.selectionBar).toBeHidden()

  await gallery.image('b.png').tap()
  await expect(gallery.viewer).toBeVisible()
  await gallery.viewer.getByRole('button', { name: 'Close', exact: true }).tap()
  await expect(gallery.viewer).toBeHidden()

  await gallery.longPress('b.png')
  await expect(gallery.selectionBar).toContainText('1 image')
  await gallery.image('c.png').tap()
  await expect(gallery.selectionBar).toContainText('2 images')
  await gallery.selectionBar.getByRole('button', { name: 'Move to board' }).tap()
  await page.getByRole('option', { name: 'Portraits' }).tap()
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['c.png', 'b.png'])
})

test('neither goes back nor clears the selection on a horizontal swipe @long', async ({
  gallery,
  page,
}) => {
  await page.goto('/?board=none')
  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await gallery.board('All images').tap()
  await expect(page.getByRole('heading', { level: 1, name: 'All images' })).toBeVisible()
  await gallery.longPress('b.png')
  await expect(gallery.selectionBar).toContainText('1 image')
  const address = page.url()
  const finger = await openFinger(page)

  await finger.press(20, 500)
  for (let x = 40; x < 390; x += 20) await finger.move(x, 500)
  await finger.lift()

  await gallery.image('c.png').tap()
  await expect(gallery.selectionBar).toContainText('2 images')
  expect(page.url()).toBe(address)
  // Only full Chromium goes back on a swipe, not its headless shell. Both obey this CSS rule.
  const rule = await page.evaluate(
    () => getComputedStyle(document.documentElement).overscrollBehavior,
  )
  expect(rule).toBe('none')
})

test('fits the selection bar at 390 and 320 px, with other actions under More', async ({
  gallery,
  page,
}) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 })
    await page.goto('/')
    await gallery.longPress('b.png')

    await gallery.selectionBar.getByRole('button', { name: 'Select all' }).tap()
    await expect(gallery.selectionBar).toContainText('4 images')
    await gallery.selectionBar.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Invert selection' }).tap()
    await expect(gallery.selectionBar).toBeHidden()

    await gallery.longPress('b.png')
    for (const button of await gallery.selectionBar.getByRole('button').all()) {
      const box = await settledBox(button)
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width, `at ${width} px`).toBeLessThanOrEqual(width)
      expect(box.width).toBeGreaterThanOrEqual(44)
    }
    await gallery.selectionBar.getByRole('button', { name: 'Clear selection' }).tap()
    await expect(gallery.selectionBar).toBeHidden()
    await expect(gallery.grid).toBeFocused()
  }
})

test('opens an image with a tap on most of its tile, which nothing invisible covers @long', async ({
  gallery,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/')
  const { box } = await middleOf(gallery.image('c.png'))
  expect(box.width).toBeLessThan(112)
  const finger = await openFinger(page)
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9]
  let opened = 0

  for (const [across, down] of shares.flatMap((x) => shares.map((y) => [x, y] as const))) {
    await finger.tap(box.x + across * box.width, box.y + down * box.height)
    const isStarred = across > 0.6 && down < 0.4
    if (isStarred) continue
    await expect(gallery.viewer).toBeVisible()
    opened += 1
    await page.goBack()
    await expect(gallery.viewer).toBeHidden()
  }

  expect(opened).toBe(21)
  await expect(gallery.selectionBar).toBeHidden()
})

test('closes open parts with Back one by one, without leftover history entries @long', async ({
  gallery,
  page,
}) => {
  const heading = page.getByRole('heading', { level: 1 })
  const sidebar = page.getByRole('dialog', { name: 'Sidebar' })
  const goToBoard = async (name: string) => {
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await gallery.board(name).tap()
    await expect(heading).toHaveText(name)
    await expect(sidebar).toBeHidden()
  }
  await page.goto('/')
  await goToBoard('Portraits')
  await goToBoard('Assets')

  await gallery.longPress('b.png')
  await gallery.selectionBar.getByRole('button', { name: 'Move to board' }).tap()
  await expect(page.getByRole('option', { name: 'Portraits' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('option', { name: 'Portraits' })).toBeHidden()
  await expect(gallery.selectionBar).toContainText('1 image')
  await page.goBack()
  await expect(gallery.selectionBar).toBeHidden()

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await expect(sidebar).toBeVisible()
  await page.goBack()
  await expect(sidebar).toBeHidden()
  await expect(heading).toHaveText('Assets')

  await page.goBack()
  await expect(heading).toHaveText('Portraits')
  await page.goForward()
  await expect(heading).toHaveText('Assets')

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await expect(sidebar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sidebar).toBeHidden()
  await page.reload()
  await page.goBack()
  await expect(heading).toHaveText('Portraits')
})

test('closes the details with a swipe down, then the viewer @long', async ({ gallery, page }) => {
  await page.goto('/')
  await gallery.image('b.png').tap()
  await expect(gallery.viewer).toBeVisible()
  await gallery.viewer.getByRole('button', { name: 'Details', exact: true }).tap()
  await expect(gallery.details).toBeVisible()
  const finger = await openFinger(page)
  const swipeDown = async (fromY: number) => {
    await finger.press(195, fromY)
    await finger.move(195, fromY + 100)
    await finger.lift()
  }

  const heading = await settledBox(gallery.details.getByRole('heading', { name: 'Details' }))
  await swipeDown(heading.y)
  await expect(gallery.details).toBeHidden()
  await expect(gallery.viewer).toBeVisible()
  await swipeDown(200)

  await expect(gallery.viewer).toBeHidden()
})

test('closes the details with Back and stays on the current image @long', async ({
  api,
  gallery,
  page,
}) => {
  await page.goto('/?board=none')
  await gallery.image('b.png').tap()
  await gallery.viewer.getByRole('button', { name: 'Details', exact: true }).tap()
  await expect(gallery.details).toContainText('b.png')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.details).toContainText('a.png')
  const [, , , oldest] = await api.imagesOn()
  const address = `/?board=none&image=${oldest?.image_name}`
  await expect(page).toHaveURL(address)

  await page.goBack()
  await expect(gallery.details).toBeHidden()
  await expect(gallery.viewer).toContainText('4 of 4')
  await expect(page).toHaveURL(address)
  await page.goBack()
  await expect(gallery.viewer).toBeHidden()
})

test('gives every button and link at least 44 by 44 px @long', async ({ gallery, page }) => {
  const smallTargets = (root: Locator) =>
    root.evaluate((element) =>
      [...element.querySelectorAll('button, a[href], input, [role="menuitem"]')]
        .filter((target) => target.checkVisibility({ opacityProperty: true }))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.width < 44 || box.height < 44))
        .map(({ target, box }) => {
          const name = target.getAttribute('aria-label') ?? target.textContent
          return `${name}: ${box.width} x ${box.height}`
        }),
    )
  await page.goto('/?board=none')
  await expect(gallery.tiles).toHaveCount(4)
  await expect.poll(() => smallTargets(page.locator('body'))).toEqual([])

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  const sidebar = page.getByRole('dialog', { name: 'Sidebar' })
  await expect(gallery.board('Portraits')).toBeVisible()
  await expect(sidebar.getByRole('link', { name: 'Tessera' })).toBeVisible()
  await expect.poll(() => smallTargets(sidebar)).toEqual([])
})

test('shows the count of a board next to its menu on a device without a pointer @long', async ({
  api,
  playwright,
  server,
}) => {
  await api.uploadImage('e.png', { board: 'Portraits' })
  // Chromium's setting 1 means that there is no pointer, as on a TV.
  const settings = '--blink-settings=primaryPointerType=1,availablePointerTypes=1'
  const browser = await playwright.chromium.launch({ args: ['--no-sandbox', settings] })
  const page = await browser.newPage({
    baseURL: server.url,
    viewport: { width: 1280, height: 720 },
    hasTouch: false,
    isMobile: false,
  })

  await page.goto('/')
  const menu = page.getByRole('button', { name: 'Options for Portraits' })
  const row = page.getByRole('listitem').filter({ has: menu })
  await expect(menu).toBeVisible()
  expect(await page.evaluate(() => matchMedia('(pointer: none)').matches)).toBe(true)
  const count = await settledBox(row.getByText('1', { exact: true }))
  const button = await settledBox(menu)

  expect(count.x + count.width).toBeLessThanOrEqual(button.x)
  await browser.close()
})

test('opens a sheet by a long press on a selected tile, on a board and in the viewer @long', async ({
  gallery,
  page,
}) => {
  await page.goto('/')
  const menu = page.getByRole('menu')
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  const finger = await openFinger(page)
  const hold = async (part: Locator) => {
    const { x, y } = await middleOf(part)
    await finger.press(x, y)
  }
  const vibrations = await watchVibrations(page)
  await gallery.longPress('b.png')
  await expect(menu).toHaveCount(0)

  await hold(gallery.image('b.png'))
  await expect.poll(vibrations).toBe(2)
  await finger.lift()
  await expect(item('Move to board…')).toBeVisible()
  const sheet = await settledBox(menu)
  expect(sheet).toMatchObject({ x: 0, width: 390 })
  expect(sheet.y + sheet.height).toBeCloseTo(844, 0)
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(gallery.selectionBar).toContainText('1')
  await page.goBack()
  await expect(gallery.selectionBar).toBeHidden()

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await hold(gallery.board('Portraits'))
  await expect(item('Rename')).toBeVisible()
  await finger.lift()
  await page.goBack()
  await expect(menu).toBeHidden()
  await page.goBack()

  await gallery.image('c.png').tap()
  await expect(gallery.viewer).toBeVisible()
  await hold(gallery.viewer)
  await expect(item('Copy file name')).toBeVisible()
  await finger.lift()
  await expect(gallery.viewer).toBeVisible()
})

/** Returns the number of vibrations, which confirm long presses. */
async function watchVibrations(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset.vibrations = '0'
    navigator.vibrate = () => {
      const { dataset } = document.documentElement
      dataset.vibrations = String(Number(dataset.vibrations) + 1)
      return true
    }
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset.vibrations))
}
