import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png']

// Newest first: f e d c b a.
test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(names)
})

test('selects images with a marquee and downloads them as one zip', async ({ gallery, page }) => {
  await gallery.open()
  const first = await settledBox(gallery.image('f.png'))
  const third = await settledBox(gallery.image('d.png'))

  await page.mouse.move(first.x + 10, first.y + first.height + 150)
  await page.mouse.down()
  await page.mouse.move(third.x + 20, third.y + 40, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => gallery.selectedNames()).toEqual(['f.png', 'e.png', 'd.png'])

  const download = gallery.selectionBar.getByRole('button', { name: 'Download' })
  const several = page.waitForEvent('download')
  await download.click()
  expect((await several).suggestedFilename()).toMatch(/\.zip$/)
  await gallery.select('f.png')
  await expect(gallery.selectionBar).toContainText('1 image')
  const one = page.waitForEvent('download')
  await download.click()
  expect((await one).suggestedFilename()).toBe('f.png')
})

test('moves any number of images by drag and drop, and restores them with Undo', async ({
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

test('ignores a drop on the same place, and removes images from their board on Assets @long', async ({
  api,
  gallery,
}) => {
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.dragImage('cat.png', { toBoard: 'Portraits' })
  await expect(gallery.toast('already')).toBeVisible()
  expect(await api.namesOn('Portraits')).toEqual(['cat.png'])

  await gallery.dragImage('cat.png', { toBoard: 'Assets' })
  await expect(gallery.tiles).toHaveCount(0)
  await expect.poll(() => api.namesOn()).toContain('cat.png')
})

test('selects, stars and moves images by keyboard, also with cut and paste', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(6)

  await gallery.grid.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('s')
  await expect.poll(async () => (await api.imagesOn()).filter((i) => i.starred).length).toBe(2)
  await page.keyboard.press('m')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('port')
  await expect(page.getByRole('option', { name: 'Portraits', selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['f.png', 'e.png'])
  await expect(gallery.tiles).toHaveCount(4)

  await gallery.select('b.png', 'a.png')
  await page.keyboard.press('ControlOrMeta+x')
  await expect(gallery.toast('2 images cut')).toBeVisible()
  await expect(gallery.tiles).toHaveCount(4)
  await gallery.openBoard('Portraits')
  await page.keyboard.press('ControlOrMeta+v')
  await expect(gallery.tiles).toHaveCount(4)
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['f.png', 'e.png', 'b.png', 'a.png'])
})
