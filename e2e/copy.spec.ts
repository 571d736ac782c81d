import { expect, test } from './fixtures.ts'

const names = ['a.png', 'b.png', 'c.png', 'd.png']

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

  await expect(gallery.toast('Copied 3 images to Castles')).toBeVisible()
  await expect(gallery.boardCount('Castles')).toHaveText('3')
  expect(await api.namesOn('Castles')).toEqual(['c.png', 'b.png', 'a.png'])
  expect(await api.namesOn('Portraits')).toEqual(names.toReversed())

  await gallery.undo()

  await expect.poll(() => api.imagesOn('Castles')).toEqual([])
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

  await expect.poll(async () => (await api.namesOn('Towers'))?.length).toBe(4)
  await expect(gallery.toast('Copied 4 images to Towers')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => api.namesOn('Towers')).toEqual([])
})

test('a copy made in the viewer shows the prompt and the name of its original', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  await gallery.image('a.png').dblclick()

  await gallery.viewer.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy to board…' }).click()
  await page.getByRole('option', { name: /^Castles/ }).click()

  await expect.poll(async () => (await api.imagesOn('Castles')).length).toBe(1)
  const [copy] = await api.imagesOn('Castles')
  const metadata = await api.client.images.metadata(copy?.image_name ?? '')
  await page.keyboard.press('Escape')
  await gallery.openBoard('Castles')
  await gallery.image('a.png').dblclick()
  await page.keyboard.press('i')
  await expect(gallery.viewer.getByText(metadata?.prompt ?? 'no prompt')).toBeVisible()
})
