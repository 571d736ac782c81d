import { seriousFaultsInBothSchemes, violationsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
})

test('axe finds no serious violation in grid, viewer and details, light and dark', async ({
  gallery,
  page,
}) => {
  await gallery.open()
  await gallery.select('a.png', 'b.png')
  await expect(gallery.selectionBar).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'grid').toEqual([])

  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.keyboard.press('i')
  await expect(gallery.details).toContainText('b.png')
  expect(await seriousFaultsInBothSchemes(page), 'viewer').toEqual([])
})

test('axe finds no serious violation in dialogs, the palette, the trash and an empty board @long', async ({
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to images' })).toBeFocused()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await gallery.chooseForBoard('Portraits', 'Delete board…')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()

  await gallery.openBoard('Assets')
  await gallery.select('a.png')
  await page.keyboard.press('m')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Escape')

  await gallery.deleteImage('a.png')
  await gallery.openBoard('Trash')
  await expect(gallery.image('a.png')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test('axe finds no content outside of the landmarks @long', async ({ gallery, page }) => {
  await gallery.open()
  await expect(gallery.image('c.png')).toBeVisible()

  const rules = (await violationsOf(page)).map(({ id }) => id)

  expect(rules).not.toContain('region')
})

test('exposes rows and columns of the grid, and the name and star of each tile', async ({
  api,
  gallery,
}) => {
  const [newest] = await api.imagesOn()
  if (newest) await api.starImages(newest)

  await gallery.open()

  await expect(gallery.grid).toHaveAttribute('aria-rowcount', '1')
  await expect(gallery.image('c.png')).toHaveAccessibleDescription('Starred')
  await expect(gallery.image('c.png')).toHaveAccessibleName(newest?.prompt_start ?? 'no prompt')
  await expect(gallery.image('b.png')).not.toHaveAccessibleDescription('Starred')
})
