import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
})

test('boards open from a drawer, and nothing is wider than the screen', async ({
  gallery,
  page,
}) => {
  await page.goto('/')
  await expect(gallery.tiles).toHaveCount(4)

  await page.getByRole('button', { name: 'Open sidebar' }).tap()
  await gallery.board('Portraits').tap()

  await expect(page.getByRole('heading', { level: 1, name: 'Portraits' })).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('a tap opens an image, a long press selects it', async ({ api, gallery, page }) => {
  await page.goto('/?board=none')
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

test('three or four tiles stand in a row', async ({ gallery, page }) => {
  await page.goto('/')
  await expect(gallery.tiles).toHaveCount(4)

  expect([3, 4]).toContain(Number(await gallery.grid.getAttribute('aria-colcount')))
})

/** Touches the page with one finger, as the browser sees it. */
async function openFinger(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at ? [{ ...at, radiusX: 12, radiusY: 12 }] : [],
    })
  return {
    press: (x: number, y: number) => send('touchStart', { x, y }),
    move: (x: number, y: number) => send('touchMove', { x, y }),
    lift: () => send('touchEnd'),
  }
}

async function middleOf(tile: Locator) {
  const box = await tile.boundingBox()
  if (box === null) throw new Error('The tile is not on the screen.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, box }
}

test('a drag after a long press selects a range, and does not scroll', async ({
  gallery,
  page,
}) => {
  await page.goto('/')
  const first = await middleOf(gallery.image('d.png'))
  const last = await middleOf(gallery.image('a.png'))
  const finger = await openFinger(page)

  await finger.press(first.x, first.y)
  await expect(gallery.selectionBar).toContainText('1 image')
  await finger.move(last.x, first.y)
  await finger.move(last.x, last.y)
  await finger.lift()

  await expect(gallery.selectionBar).toContainText('4 images')
  await finger.press(first.x, first.y)
  await finger.lift()
  await expect(gallery.selectionBar).toContainText('3 images')
})

for (const width of [390, 320]) {
  test(`at ${width} px the selection bar fits, with Clear, Select all and the rest in More`, async ({
    gallery,
    page,
  }) => {
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
      const box = await button.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(box?.width).toBeGreaterThanOrEqual(44)
    }
    await gallery.selectionBar.getByRole('button', { name: 'Clear selection' }).tap()
    await expect(gallery.selectionBar).toBeHidden()
    await expect(gallery.grid).toBeFocused()
  })
}

test('most of a small tile opens the image, and nothing invisible takes a tap', async ({
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
    await finger.press(box.x + across * box.width, box.y + down * box.height)
    await finger.lift()
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

test('Back closes what is open, one part at a time, and what was closed by hand leaves no step for it', async ({
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

test('a swipe down closes the details, then the viewer', async ({ gallery, page }) => {
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

  const heading = await gallery.details.getByRole('heading', { name: 'Details' }).boundingBox()
  await swipeDown(heading?.y ?? 0)
  await expect(gallery.details).toBeHidden()
  await expect(gallery.viewer).toBeVisible()
  await swipeDown(200)

  await expect(gallery.viewer).toBeHidden()
})

test('Back closes the details and stays on the image that was paged to', async ({
  gallery,
  page,
}) => {
  await page.goto('/?board=none')
  await gallery.image('b.png').tap()
  await gallery.viewer.getByRole('button', { name: 'Details', exact: true }).tap()
  await expect(gallery.details).toContainText('b.png')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.details).toContainText('a.png')
  const address = page.url()

  await page.goBack()
  await expect(gallery.details).toBeHidden()
  await expect(gallery.viewer).toContainText('4 of 4')
  expect(page.url()).toBe(address)
  await page.goBack()
  await expect(gallery.viewer).toBeHidden()
})
