import { seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing is in anybody's way: the grid, ${colorScheme}`, async ({ gallery, page }) => {
    await page.emulateMedia({ colorScheme })
    await gallery.open()
    await gallery.select('a.png', 'b.png')
    await expect(gallery.selectionBar).toBeVisible()

    expect(await seriousFaultsOf(page)).toEqual([])
  })

  test(`nothing is in anybody's way: viewer and details, ${colorScheme}`, async ({
    gallery,
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await gallery.open()
    await gallery.image('b.png').dblclick()
    await expect(gallery.viewer).toContainText('2 of 3')
    await page.keyboard.press('i')
    await expect(gallery.details).toContainText('b.png')

    expect(await seriousFaultsOf(page)).toEqual([])
  })
}

test("nothing is in anybody's way: dialogs, the palette, the trash, an empty board", async ({
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  expect(await seriousFaultsOf(page)).toEqual([])
  await gallery.chooseForBoard('Portraits', 'Delete board…')
  expect(await seriousFaultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()

  await gallery.openBoard('Assets')
  await gallery.select('a.png')
  await page.keyboard.press('m')
  await expect(page.getByRole('combobox')).toBeFocused()
  expect(await seriousFaultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')

  await gallery.deleteImage('a.png')
  await gallery.openBoard('Trash')
  await expect(page.getByRole('checkbox', { name: 'a.png' })).toBeVisible()
  expect(await seriousFaultsOf(page)).toEqual([])
})

test('the grid tells its rows and columns, and each tile its name and star', async ({
  api,
  gallery,
}) => {
  const [newest] = await api.imagesOn()
  if (newest) await api.starImages(newest)

  await gallery.open()

  await expect(gallery.grid).toHaveAttribute('aria-rowcount', '1')
  await expect(gallery.image('c.png')).toHaveAccessibleDescription('Starred')
  await expect(gallery.image('b.png')).not.toHaveAccessibleDescription('Starred')
})
