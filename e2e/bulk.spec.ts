import type { Locator, Page } from '@playwright/test'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './rig-fixtures.ts'

const MOVES = '**/api/v1/board_images/batch'
const WEDDINGS = { name: 'Weddings', imageCount: 5_000 }
const DRAFTS = { name: 'Drafts', imageCount: 3_000 }
const ARCHIVE = { name: 'Archive', imageCount: 12_000 }

// A library of 100,000 images takes a minute or more to prepare on a busy machine.
test.use({
  libraryOf: 25_000,
  librarySize: { boards: [WEDDINGS, DRAFTS, ARCHIVE], pictureCount: 60 },
})

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
})

test('moves 5,000 and deletes 3,000 images while 250 are uploaded and one in 200 fails', async ({
  api,
  gallery,
  line,
  page,
}) => {
  line.failOneIn(200)
  await gallery.open({ board: WEDDINGS.name })
  await moveAll(page, gallery.tiles, 'Portraits')
  await gallery.openBoard(DRAFTS.name)
  await selectAll(page, gallery.tiles)
  await page.keyboard.press('Delete')
  await gallery.openBoard('Assets')
  const files = Array.from({ length: 250 }, (_, at) => `new ${at}.png`)
  await gallery.dropFiles(files, { on: 'page' })

  // The page can be used meanwhile.
  await gallery.tiles.first().click()
  await expect(gallery.selectionBar).toContainText('1 image')

  const moved = gallery.bulkChange('Moving 5,000 images to Portraits')
  const deleted = gallery.bulkChange('Moving 3,000 images to the trash')
  await expect(moved).toContainText('4,975 moved, 25 failed')
  await expect(deleted).toContainText('2,985 moved to the trash, 15 failed')
  await expect(gallery.tray).toContainText('250 uploaded')
  expect(await api.namesOn('Portraits')).toHaveLength(4_975)
  expect(await api.namesOn(DRAFTS.name)).toHaveLength(15)
  expect((await api.client.trash.list({ offset: 0, limit: 0 })).total).toBe(2_985)

  await moved.getByRole('button', { name: 'Show failed images' }).click()
  const failures = moved.getByRole('listitem')
  const [left = ''] = ((await api.namesOn(WEDDINGS.name)) ?? []).map(String)
  await expect(failures.filter({ hasText: left })).toContainText('It no longer exists.')
  line.failOneIn(0)
  await moved.getByRole('button', { name: `Retry ${left}` }).click()
  await expect(moved).toContainText('4,976 moved, 24 failed')
  await moved.getByRole('button', { name: 'Retry 24' }).click()
  await expect(moved).toBeHidden()
  await deleted.getByRole('button', { name: 'Dismiss' }).click()
  await expect(deleted).toBeHidden()

  expect(await api.namesOn('Portraits')).toHaveLength(5_000)
  expect(await api.namesOn(WEDDINGS.name)).toEqual([])
  expect(line.batches.length).toBeLessThanOrEqual(10)
})

test('pauses across a reload, and Cancel keeps the moved images, which Undo takes back', async ({
  api,
  gallery,
  page,
}) => {
  const countOn = async (board: string) => (await api.namesOn(board))?.length
  const answers: (() => void)[] = []
  await page.route(MOVES, async (route) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answers.push(resolve)
    await promise
    await route.continue()
  })
  await gallery.open({ board: ARCHIVE.name })
  await moveAll(page, gallery.tiles, 'Portraits')
  const card = gallery.bulkChange(/^Moving [\d,]+ images to Portraits/)

  await expect.poll(() => answers.length).toBe(1)
  await card.getByRole('button', { name: 'Pause' }).click()
  answers.shift()?.()
  await expect(card).toContainText('5,000 of 12,000')
  await expect(card.getByRole('heading')).toHaveText('Paused: moving 12,000 images to Portraits')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.reload()
  await expect(card.getByRole('heading')).toHaveText('Paused: moving 7,000 images to Portraits')
  expect(await countOn('Portraits')).toBe(5_000)
  await card.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => answers.length).toBe(1)

  await card.getByRole('button', { name: 'Cancel' }).click()
  answers.shift()?.()
  await expect(card).toContainText('5,000 moved, 2,000 not moved')
  expect(await countOn('Portraits')).toBe(10_000)
  expect(await countOn(ARCHIVE.name)).toBe(2_000)
  await page.unroute(MOVES)
  await page.keyboard.press('ControlOrMeta+z')

  await expect.poll(() => countOn('Portraits')).toBe(0)
  expect(await countOn(ARCHIVE.name)).toBe(12_000)
})

async function selectAll(page: Page, tiles: Locator): Promise<void> {
  await tiles.first().click()
  await page.keyboard.press('ControlOrMeta+a')
}

/** Moves all images of the view with the board palette. */
async function moveAll(page: Page, tiles: Locator, board: string): Promise<void> {
  await selectAll(page, tiles)
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill(board)
  await page.keyboard.press('Enter')
}
