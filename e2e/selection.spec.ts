import { expect, test } from './fixtures.ts'

const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png']

// Newest first: f e d c b a.
test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(names)
})

test('click selects one, Ctrl adds, Shift selects all between', async ({ gallery }) => {
  await gallery.open()

  await gallery.image('f.png').click()
  await expect(gallery.selectionBar).toContainText('1 image')
  await gallery.image('d.png').click({ modifiers: ['ControlOrMeta'] })
  await expect(gallery.selectionBar).toContainText('2 images')
  await gallery.image('b.png').click({ modifiers: ['Shift'] })

  await expect
    .poll(() => gallery.selectedNames())
    .toEqual(expect.arrayContaining(['d.png', 'c.png', 'b.png']))
})

test('all are selected by key, and Esc clears', async ({ gallery, page }) => {
  await gallery.open()
  await gallery.image('f.png').click()

  await page.keyboard.press('ControlOrMeta+a')
  await expect(gallery.selectionBar).toContainText('6 images')
  await page.keyboard.press('Escape')

  await expect(gallery.selectionBar).toBeHidden()
})

test('a frame drawn with the mouse selects what it touches', async ({ gallery, page }) => {
  await gallery.open()
  const first = await gallery.image('f.png').boundingBox()
  const third = await gallery.image('d.png').boundingBox()
  if (first === null || third === null) throw new Error('no tiles')

  await page.mouse.move(first.x + 10, first.y + first.height + 150)
  await page.mouse.down()
  await page.mouse.move(third.x + 20, third.y + 40, { steps: 8 })
  await page.mouse.up()

  await expect.poll(() => gallery.selectedNames()).toEqual(['f.png', 'e.png', 'd.png'])
})

test('any number is dragged onto a board at once, and Undo brings it back', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await gallery.select('f.png', 'e.png', 'c.png')

  await gallery.dragImage('e.png', { toBoard: 'Portraits' })

  await expect(gallery.tiles).toHaveCount(3)
  await expect(gallery.boardCount('Portraits')).toHaveText('3')
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['f.png', 'e.png', 'c.png'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.tiles).toHaveCount(6)
  await expect.poll(() => api.namesOn('Portraits')).toEqual([])
})

test('an image dragged onto Assets leaves its board', async ({ api, gallery }) => {
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.dragImage('cat.png', { toBoard: 'Assets' })

  await expect(gallery.tiles).toHaveCount(0)
  await expect.poll(() => api.namesOn()).toContain('cat.png')
})

test('dropping where an image already is says so and changes nothing', async ({ api, gallery }) => {
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.dragImage('cat.png', { toBoard: 'Portraits' })

  await expect(gallery.toast('already')).toBeVisible()
  expect(await api.namesOn('Portraits')).toEqual(['cat.png'])
})

test('M moves to a board that is found by typing', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.select('f.png', 'e.png')

  await page.keyboard.press('m')
  await page.getByRole('dialog', { name: 'Move to board' }).getByRole('combobox').fill('port')
  await page.keyboard.press('Enter')

  await expect(gallery.tiles).toHaveCount(4)
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['f.png', 'e.png'])
})

test('M can make the board that images move to', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.select('f.png')

  await page.keyboard.press('m')
  await page.getByRole('combobox').fill('Castles')
  await page.getByRole('option', { name: /New board/ }).click()

  await expect(gallery.board('Castles')).toBeVisible()
  await expect.poll(() => api.namesOn('Castles')).toEqual(['f.png'])
})

test('the bar stars and deletes what is selected', async ({ api, gallery }) => {
  await gallery.open({ board: 'none' })
  await gallery.select('f.png', 'e.png')

  await gallery.selectionBar.getByRole('button', { name: 'Star', exact: true }).click()
  await expect.poll(async () => (await api.imagesOn()).filter((i) => i.starred).length).toBe(2)
  await gallery.selectionBar.getByRole('button', { name: 'Delete' }).click()

  await expect(gallery.tiles).toHaveCount(4)
  await expect.poll(() => api.namesOn()).toEqual(['d.png', 'c.png', 'b.png', 'a.png'])
})

test('one image downloads under its own name, several as one zip', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  const download = gallery.selectionBar.getByRole('button', { name: 'Download' })

  await gallery.select('f.png')
  const one = page.waitForEvent('download')
  await download.click()
  expect((await one).suggestedFilename()).toBe('f.png')
  await gallery.select('f.png', 'e.png')
  const several = page.waitForEvent('download')
  await download.click()

  expect((await several).suggestedFilename()).toMatch(/\.zip$/)
})

test('everything is done by keys alone', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(6)

  await gallery.grid.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('s')
  await expect.poll(async () => (await api.imagesOn()).filter((i) => i.starred).length).toBe(2)
  await page.keyboard.press('m')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('port')
  await expect(page.getByRole('option', { name: 'Portraits', selected: true })).toBeVisible()
  await page.keyboard.press('Enter')

  await expect.poll(() => api.namesOn('Portraits')).toEqual(['f.png', 'e.png'])
})

test('images that are cut on one board are moved by pasting on another', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })

  await gallery.select('b.png', 'a.png')
  await page.keyboard.press('ControlOrMeta+x')
  await expect(gallery.toast('2 images cut')).toBeVisible()
  await expect(gallery.tiles).toHaveCount(6)
  await gallery.openBoard('Portraits')
  await page.keyboard.press('ControlOrMeta+v')

  await expect(gallery.tiles).toHaveCount(2)
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['b.png', 'a.png'])
})
