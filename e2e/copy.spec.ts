import { expect, test } from './fixtures.ts'

const names = ['a.png', 'b.png', 'c.png', 'd.png']

/** The engine starts with the first item, which takes a busy machine a while. In milliseconds. */
const timeout = 40_000

// What is set up counts too.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Castles')
  await api.createBoard('Portraits')
  await api.uploadImages(names, { board: 'Portraits' })
})

test('three images are on both boards, and Undo puts the copies into the trash', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  await gallery.select('a.png', 'b.png', 'c.png')

  await gallery.selectionBar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy to board…' }).click()
  await expect(page.getByPlaceholder('Copy 3 images to…')).toBeFocused()
  await page.getByRole('option', { name: /^Castles/ }).click()

  await expect(gallery.toast('Copying 3 images to Castles')).toBeVisible()
  await expect.poll(async () => (await api.imagesOn('Castles')).length, { timeout }).toBe(3)
  await expect(gallery.boardCount('Castles')).toHaveText('3')
  expect(await api.namesOn('Portraits')).toEqual(names.toReversed())
  const copies = await api.imagesOn('Castles')
  expect(copies.every(({ image_category }) => image_category === 'general')).toBe(true)

  await gallery.undo()

  await expect.poll(() => api.imagesOn('Castles'), { timeout }).toEqual([])
  await expect(gallery.boardCount('Castles')).toHaveText('0')
  expect((await api.trashedNames()).length).toBe(3)
  expect(await api.namesOn('Portraits')).toEqual(names.toReversed())
})

test('by keys alone, onto a board that is made for it', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'Portraits' })
  await expect(gallery.tiles).toHaveCount(4)

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Shift+M')
  await expect(page.getByPlaceholder('Copy 4 images to…')).toBeFocused()
  await page.keyboard.type('Towers')
  await page.keyboard.press('Enter')

  await expect.poll(async () => (await api.namesOn('Towers'))?.length, { timeout }).toBe(4)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => api.namesOn('Towers'), { timeout }).toEqual([])
})

test('from the viewer', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'Portraits' })
  await gallery.image('a.png').dblclick()

  await gallery.viewer.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy to board…' }).click()
  await page.getByRole('option', { name: /^Castles/ }).click()

  await expect.poll(async () => (await api.imagesOn('Castles')).length, { timeout }).toBe(1)
})
