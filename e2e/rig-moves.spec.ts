import type { Page } from '@playwright/test'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { holdAt, holdOver, openFinger, pickUp } from './fixtures/pointer.ts'
import { GROWING, recordMotion, transitionsOf } from './fixtures/record-motion.ts'
import { settledBox } from './fixtures/record-positions.ts'
import {
  BIG_BOARD,
  countOn,
  expect,
  formatted,
  groupRow,
  openBigBoard,
  smallBoards,
  stateOf,
  TARGET,
  largeTest as test,
} from './rig-fixtures.ts'

const MIDDLE = 0.5
/** The group of the newest boards, which is the first in the sidebar. */
const GROUP = 'Clients/Client 22'
const members = smallBoards.map(({ name }) => name).filter((name) => name.startsWith(`${GROUP}/`))
/** In the middle of the list when the group is open. At an edge, the list would scroll during a drag. */
const MEMBER = members[Math.floor(members.length / 2)] ?? ''

test('drags a selection over a folded group to one of 300 boards, until Undo', async ({
  api,
  gallery,
  line,
  page,
}) => {
  const before = await stateOf(api)
  await openBigBoard(gallery, MIDDLE)
  const names = await gallery.namesOnScreen()
  const [first = '', , third = ''] = names
  await gallery.image(first).click()
  await gallery.image(third).click({ modifiers: ['Shift'] })
  await expect(gallery.selectionBar).toContainText('3 images')
  // The sidebar is scrolled to the open board.
  await gallery.sidebar
    .getByRole('list')
    .locator('..')
    .evaluate((node) => node.scrollTo(0, 0))
  const group = groupRow(gallery, GROUP)
  await group.getByRole('button', { name: /^Client/ }).click()
  await expect(gallery.board(MEMBER)).toBeHidden()

  line.fail('refuse', 'lose')
  await pickUp(page, gallery.image(third))
  await holdOver(page, group)
  await expect(gallery.board(MEMBER)).toBeVisible()
  // The list measures the rows that the group shows, and moves the rows below them.
  const { x, y, width, height } = await settledBox(gallery.board(MEMBER))
  await holdAt(page, { x: x + width / 2, y: y + height / 2 })
  await page.mouse.up()
  await expect.poll(() => countOn(api, MEMBER)).toBe((before.boards[MEMBER] ?? 0) + 3)

  // The toast with Undo may be gone: it closes after ten seconds, and the move is sent three times.
  await page.getByRole('button', { name: 'Undo last change' }).click()
  await expect.poll(() => stateOf(api)).toEqual(before)
  expect(line.faults).toHaveLength(2)
})

test('moves a board among 300 by hand, and keeps it there after a reload, until Undo', async ({
  api,
  gallery,
  line,
  page,
}) => {
  const positions = async () =>
    (await api.client.boards.listBoards()).flatMap(({ position }) => position ?? [])
  await gallery.open({ board: TARGET })
  await chooseOrder(page, 'By hand')
  await gallery.board(TARGET).focus()
  const boards = await gallery.boards.allTextContents()
  const at = boards.findIndex((text) => text.startsWith(TARGET))

  line.fail('refuse', 'lose')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(gallery.board(TARGET)).toBeFocused()
  await expect.poll(positions).toHaveLength(1)
  await page.reload()
  await expect(gallery.board(TARGET)).toBeVisible()
  const above = async () => {
    const shown = await gallery.boards.allTextContents()
    return shown[shown.findIndex((text) => text.startsWith(TARGET)) + 1]
  }
  await expect.poll(above).toBe(boards[at - 1])

  await expect(page.getByRole('button', { name: 'Undo last change' })).toBeEnabled()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(positions).toEqual([])
  expect(line.faults).toHaveLength(2)
})

test('lists the failed ones of 20,000 moved images, retries them, and Undo takes all back', async ({
  api,
  gallery,
  line,
  page,
}) => {
  const before = await stateOf(api)
  const count = before.boards.Assets ?? 0
  const failed = Math.floor(count / 200)
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles.first()).toBeVisible()
  await gallery.grid.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(gallery.selectionBar).toContainText(`${formatted(count)} images`)

  line.failOneIn(200)
  await gallery.tiles.first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to board…', exact: true }).click()
  await page.getByRole('dialog').getByRole('combobox').fill(TARGET)
  await page.keyboard.press('Enter')
  const change = gallery.bulkChange(`Moving ${formatted(count)} images to ${TARGET}`)
  await expect(change).toContainText(`${formatted(count - failed)} moved, ${failed} failed`)
  await change.getByRole('button', { name: 'Show failed images' }).click()
  await expect(change.getByRole('listitem').first()).toContainText('It no longer exists.')
  expect(await countOn(api, TARGET)).toBe((before.boards[TARGET] ?? 0) + count - failed)

  line.failOneIn(0)
  await change.getByRole('button', { name: `Retry ${failed}` }).click()
  await expect(change).toBeHidden()
  expect(await countOn(api, TARGET)).toBe((before.boards[TARGET] ?? 0) + count)
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => stateOf(api)).toEqual(before)
  expect(line.batches.length).toBeLessThanOrEqual(20)
})

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' })

  test('grows a tile of 50,000 into the viewer, and the last image shrinks to its tile', async ({
    gallery,
    page,
  }) => {
    await recordMotion(page)
    await openBigBoard(gallery, MIDDLE)
    const [first = '', second = ''] = await gallery.namesOnScreen()
    // Loads the viewer.
    await gallery.image(first).dblclick()
    await expect(gallery.viewer).toContainText(`of ${formatted(BIG_BOARD.imageCount)}`)
    await page.keyboard.press('Escape')
    await expect(gallery.viewer).toBeHidden()
    const earlier = (await transitionsOf(page)).length

    await gallery.image(first).dblclick()
    await expect(gallery.viewer).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await expect(gallery.viewer).toBeHidden()

    const both = [expect.arrayContaining([GROWING]), expect.arrayContaining([GROWING])]
    await expect.poll(async () => (await transitionsOf(page)).slice(earlier)).toEqual(both)
    await expect.poll(() => gallery.selectedNames()).toEqual([second])
  })
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('stars an image and pins a board from what a long press opens', async ({
    api,
    gallery,
    line,
    page,
  }) => {
    const before = await stateOf(api)
    const isPinned = async () =>
      (await api.client.boards.listBoards()).find(({ board_name }) => board_name === MEMBER)
        ?.starred
    await page.goto('/?board=none')
    await expect(gallery.tiles.first()).toBeVisible()
    const [first = ''] = await gallery.namesOnScreen()
    line.fail('refuse', 'lose')
    await gallery.longPress(first)
    await gallery.selectionBar.getByRole('button', { name: /^(Star|Unstar)$/ }).tap()
    await expect.poll(async () => (await stateOf(api)).starred).not.toBe(before.starred)
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => stateOf(api)).toEqual(before)

    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await longPress(page, gallery, MEMBER)
    await page.getByRole('menuitem', { name: 'Pin to the top' }).tap()
    await expect.poll(isPinned).toBe(true)
    await page.getByRole('button', { name: 'Undo last change' }).tap()
    await expect.poll(isPinned).toBe(false)
    expect(line.faults).toHaveLength(2)
  })
})

const chooseOrder = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

/** Presses on the row of a board until its menu opens. */
async function longPress(page: Page, gallery: GalleryPage, board: string): Promise<void> {
  await gallery.board(board).scrollIntoViewIfNeeded()
  const { x, y, width, height } = await settledBox(gallery.board(board))
  const finger = await openFinger(page)
  await finger.press(x + width / 2, y + height / 2)
  await expect(page.getByRole('menu')).toBeVisible()
  await finger.lift()
}
