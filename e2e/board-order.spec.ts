import type { Locator, Page } from '@playwright/test'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { expect, test } from './fixtures.ts'

const chooseOrder = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

test('a board dragged between two rows stays there after a reload, until Undo', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['Castles', 'Cats', 'Dogs', 'Work/Acme']) await api.createBoard(name)
  await gallery.open()
  await chooseOrder(page, 'By hand')
  await expect(gallery.boards).toHaveText([/Acme/, /Dogs/, /Cats/, /Castles/])

  await dragTo(page, gallery.board('Castles'), gallery.board('Dogs'), 0.9)
  await expect(gallery.sidebar.locator('[data-edge]')).toHaveCount(1)
  await page.mouse.up()
  await expect(gallery.boards).toHaveText([/Acme/, /Dogs/, /Castles/, /Cats/])
  await expect(gallery.sidebar.locator('[data-edge]')).toHaveCount(0)
  await expect.poll(async () => (await positions(api)).filter(Boolean)).toHaveLength(1)
  await page.reload()
  await expect(gallery.boards).toHaveText([/Acme/, /Dogs/, /Castles/, /Cats/])

  const group = gallery.sidebar.getByRole('button', { name: /^Work, / })
  await dragTo(page, gallery.board('Cats'), group, 0.1)
  await page.mouse.up()
  await expect(gallery.boards).toHaveText([/Cats/, /Acme/, /Dogs/, /Castles/])
  await dragTo(page, gallery.board('Dogs'), group, 0.5)
  await page.mouse.up()
  await expect(gallery.board('Work/Dogs')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.boards).toHaveText([/Acme/, /Dogs/, /Cats/, /Castles/])
  await expect.poll(() => positions(api)).toEqual([null, null, null, null])
})

test('Alt and the arrow keys move a board, which keeps the focus', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['Castles', 'Cats', 'Dogs']) await api.createBoard(name)
  await gallery.open()
  await chooseOrder(page, 'By hand')

  await gallery.board('Dogs').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(gallery.boards).toHaveText([/Cats/, /Dogs/, /Castles/])
  await expect(gallery.board('Dogs')).toBeFocused()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(gallery.boards).toHaveText([/Cats/, /Castles/, /Dogs/])
  await expect(gallery.board('Dogs')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(gallery.boards).toHaveText([/Cats/, /Dogs/, /Castles/])

  await expect(gallery.board('Dogs')).toBeFocused()
})

test('sorts by the last added image, and hides private boards, also after a reload @long', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['Castles', 'Cats']) await api.createBoard(name)
  await api.client.boardOperations.create('Diary', { isPrivate: true })
  await api.uploadImage('a.png', { board: 'Castles' })
  await gallery.open()
  await expect(gallery.boards).toHaveText([/Diary/, /Cats/, /Castles/])

  await chooseOrder(page, 'Last added')
  await expect(gallery.boards).toHaveText([/Castles/, /Cats/, /Diary/])
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Hide private boards' }).click()
  await page.reload()

  await expect(gallery.boards).toHaveText([/Castles/, /Cats/])
})

/** Drags a row over a part of another one, from 0 (its upper edge) to 1, without dropping it. */
async function dragTo(page: Page, from: Locator, to: Locator, part: number): Promise<void> {
  await from.hover()
  await page.mouse.down()
  const box = await to.boundingBox()
  if (box === null) throw new Error('It cannot be seen.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height * part]
  await page.mouse.move(x, y - 3, { steps: 4 })
  await page.mouse.move(x, y)
}

const positions = async (api: LibraryMaker) =>
  (await api.client.boardOperations.list()).map(({ position }) => position)

test('renames a group and deletes another one from their menus, until Undo @long', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['Clients/Acme', 'Clients/Beta', 'Work/Misc']) await api.createBoard(name)
  await api.uploadImage('a.png', { board: 'Work/Misc' })
  await gallery.open()
  const group = (name: RegExp) => gallery.sidebar.getByRole('button', { name })

  await group(/^Clients, /).focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Customers')
  await page.keyboard.press('Enter')
  await expect(group(/^Customers, 2 boards/)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await group(/^Work, /).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete group…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete the group/ })
  await expect(dialog.getByText('1 board, with 1 image (none starred).')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete 1 board, keep images' }).click()
  await expect(group(/^Work, /)).toHaveCount(0)
  await expect.poll(() => api.boardNames()).toEqual(['Customers/Beta', 'Customers/Acme'])

  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(group(/^Clients, 2 boards/)).toBeVisible()
  await expect.poll(() => api.boardNames()).toEqual(['Work/Misc', 'Clients/Beta', 'Clients/Acme'])
  await expect.poll(() => api.namesOn('Work/Misc')).toEqual(['a.png'])
})
