import { nameOfFile } from '#testing/library/fill-library.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { expect, test } from './fixtures.ts'

const COUNT = 1_000
const BOARDS = ['Castles', 'Forests', 'Portraits']

/** A few screens at a time: about a hundred images. */
const PAGES_A_ROUND = 5

test.describe('under the published limits', () => {
  test.use({ libraryOf: COUNT, serverFlags: ['--rate-limit', '100,10'] })

  // Every test fails on the first 429 that the page receives. This one makes more changes than a minute
  // allows, so some of them have to wait.
  test(`organizes ${COUNT} images without being rate limited`, async ({
    api,
    gallery,
    page,
    server,
  }) => {
    test.setTimeout(240_000)
    await page.clock.install()
    await gallery.open({ board: 'none' })
    for (const name of BOARDS) await gallery.createBoard(name)
    await gallery.openBoard('Assets')

    let left = COUNT
    for (let rounds = 0; left > 0; rounds++) {
      const target = BOARDS[rounds % BOARDS.length] ?? ''
      left -= await moveScreens(gallery, target, { isStarredFirst: rounds < 3 })
      await expect(gallery.boardCount('Assets')).toHaveText(String(left))
    }
    const shown = await Promise.all(
      BOARDS.map(async (name) => Number(await gallery.boardCount(name).textContent())),
    )
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(COUNT)
    // The minute passes for both sides: a new server has counted no requests.
    await server.restart()
    await page.clock.fastForward('01:15')
    const counts = async () => {
      const boards = await api.client.boards.listBoards()
      return BOARDS.map((name) => boards.find((board) => board.board_name === name)?.image_count)
    }
    await expect.poll(counts).toEqual(shown)
    await expect(page.getByText(/waiting, /)).toBeHidden()
  })
})

test.describe('with details open', () => {
  test.use({ libraryOf: 150, serverFlags: ['--rate-limit', '100,10'] })

  test('reads the metadata of a hundred images at a time while paging', async ({
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'none' })
    await gallery.tiles.first().dblclick()
    await expect(gallery.viewer).toBeFocused()
    await page.keyboard.press('i')
    await expect(gallery.details.getByText('Seed')).toBeVisible()
    const counted: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      const isExempt = /\/(full|thumbnail)$/.test(pathname) || !pathname.startsWith('/api/')
      // The page asks for imports at intervals, so their number depends on the speed of the machine.
      if (!isExempt && pathname !== '/api/v1/imports') counted.push(pathname)
    })

    for (let at = 2; at <= 104; at++) {
      await page.keyboard.press('ArrowRight')
      await expect(gallery.viewer.getByText(`${at} of 150`)).toBeVisible()
    }

    await expect(gallery.details.getByText('Seed')).toBeVisible()
    const aboutMetadata = counted.filter((path) => path.includes('metadata'))
    expect(aboutMetadata).toHaveLength(1)
    expect(counted.length, counted.join(', ')).toBeLessThan(4)
  })
})

test.describe('with a small limit', () => {
  test.use({ libraryOf: 20, serverFlags: ['--rate-limit', '10,1'] })

  test('shows what the page waits for, and for how long', async ({ gallery, page }) => {
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles.first()).toBeVisible()
    let searches = 0
    const isWaitingAfterSearch = async () => {
      searches += 1
      await page.getByLabel('Search images').fill(`castle ${searches}`)
      await page.keyboard.press('Enter')
      return page.getByText('Waiting for the server’s request limit.').isVisible()
    }

    await expect.poll(isWaitingAfterSearch).toBe(true)
    await expect(page.getByText(/^Continuing in \d+ s$/)).toBeVisible()
  })
})

test.describe('with one bulk change a minute', () => {
  test.use({ libraryOf: COUNT, serverFlags: ['--rate-limit', '100,1'] })

  test('shows the images behind moved ones immediately, long before the moves are sent', async ({
    api,
    gallery,
    page,
  }) => {
    await api.createBoard('Castles')
    await gallery.open({ board: 'none' })
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/api\/v1\/images\/\?/.test(request.url())) asked.push(request.url())
    })

    let left = COUNT
    for (let rounds = 0; rounds < 4; rounds++) {
      const count = await moveScreens(gallery, 'Castles')
      left -= count
      await expectFull(gallery)
      const wrongNames = async () => {
        const names = await gallery.namesOnScreen()
        return names.filter((name, at) => name !== nameOfFile(left - 1 - at))
      }
      await expect.poll(wrongNames).toEqual([])
      await expect(gallery.boardCount('Assets')).toHaveText(String(left))
    }

    await expect(page.getByText(/waiting, /)).toBeVisible()
    expect(asked.length).toBeLessThan(20)
    await gallery.scrollTo(1)
    await expect(gallery.image(nameOfFile(0))).toBeInViewport()
    await expectFull(gallery)
    expect(await api.namesOn('Castles')).not.toHaveLength(COUNT - left)
  })
})

/** Moves the images on the first few screens and returns their number. */
async function moveScreens(
  gallery: GalleryPage,
  board: string,
  { isStarredFirst = false } = {},
): Promise<number> {
  const { keyboard } = gallery.page
  await gallery.tiles.first().click()
  for (let pages = 0; pages < PAGES_A_ROUND; pages++) await keyboard.press('Shift+PageDown')
  const count = Number.parseInt((await gallery.selectionBar.textContent()) ?? '', 10)
  if (isStarredFirst) await keyboard.press('s')
  await keyboard.press('m')
  await gallery.page.getByRole('dialog').getByRole('combobox').fill(board)
  await keyboard.press('Enter')
  await expect(gallery.selectionBar).toBeHidden()
  return count
}

/** Expects an image in every visible cell. */
async function expectFull(gallery: GalleryPage): Promise<void> {
  await expect(gallery.tiles.first()).toBeVisible()
  await expect(gallery.grid.locator('[role=row] > :not([role=gridcell])')).toHaveCount(0)
}
