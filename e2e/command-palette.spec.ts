import type { Page } from '@playwright/test'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ api, gallery }) => {
  await api.createBoard('Castles')
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
})

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const firstOption = (page: Page) => palette(page).getByRole('option').first()

test('opens a board, and lists it first the next time', async ({ gallery, page }) => {
  await gallery.grid.focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('casl')
  await expect(firstOption(page)).toContainText('Castles')
  await expect(firstOption(page)).toHaveAttribute('aria-selected', 'true')
  await expect(firstOption(page)).toBeInViewport()
  await page.keyboard.press('Enter')

  await expect(gallery.board('Castles')).toHaveAttribute('aria-current', 'page')
  await expect(palette(page)).toBeHidden()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(firstOption(page)).toContainText('Castles')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test('acts on the selected image, and restores the focus @long', async ({ api, gallery, page }) => {
  await gallery.select('a.png')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(firstOption(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(gallery.grid).toBeFocused()

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('star')
  await page.keyboard.press('Enter')

  await expect
    .poll(async () => (await api.imagesOn()).map(({ file_name, starred }) => [file_name, starred]))
    .toEqual([
      ['a.png', true],
      ['b.png', false],
    ])
  await expect(gallery.grid).toBeFocused()
})

test('acts on the image in the viewer, and moves the focus with its command @long', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('delete')
  await expect(firstOption(page)).toContainText('Delete')
  await page.keyboard.press('Enter')
  await expect.poll(() => api.trashedNames()).toEqual(['b.png'])

  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('search images')
  await page.keyboard.press('Enter')
  await expect(gallery.search).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette(page)).toHaveCount(0)
})

test('a changed key works after a reload and is shown in menus, until it is reset @long', async ({
  gallery,
  page,
}) => {
  await page.keyboard.press('Shift+?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const star = dialog.getByRole('button', { name: 'Change the shortcut of Star or unstar' })
  await star.click()
  await page.keyboard.press('m')
  await expect(dialog.getByRole('alert')).toContainText('“Move to a board”')
  await page.keyboard.press('Shift+G')
  await expect(star).toBeFocused()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.reload()

  await gallery.select('a.png')
  await page.keyboard.press('s')
  await page.keyboard.press('Shift+G')
  await expect(gallery.selectionBar.getByRole('button', { name: 'Unstar' })).toBeVisible()
  await gallery.image('a.png').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Unstar' })).toContainText('Shift+G')
})

test('opens with the letters that were typed before the rest of the page was loaded', async ({
  gallery,
  page,
}) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/rest-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await expect(gallery.tiles.first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Loading' }).getByRole('textbox').fill('Details on h')
  held.resolve()

  await expect(palette(page).getByRole('combobox')).toHaveValue('Details on h')
  await expect(firstOption(page)).toContainText('Details on hover')
  await expect(page.getByRole('dialog')).toHaveCount(1)
})
