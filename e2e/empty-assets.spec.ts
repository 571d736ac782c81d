import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const COUNT = 2_000

test.use({ libraryOf: COUNT })

test('empties Assets by key, and Undo restores all images', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles.first()).toBeVisible()

  await gallery.board('Assets').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Empty Assets…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Empty Assets?' })
  await expect(dialog.getByText('(40 starred)')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('checkbox').press('Space')
  await dialog.getByRole('button', { name: 'Move 2,000 images to the trash' }).press('Enter')

  await expect(page.getByText('Nothing in Assets')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(gallery.tiles.first()).toBeVisible()
  await expect(page.getByText('2,000 images', { exact: true })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, libraryOf: 20 })

  test('empties Assets from the sidebar @long', async ({ page }) => {
    await page.goto('/?board=none')
    await page.getByRole('button', { name: 'Open sidebar' }).tap()

    await page.getByRole('button', { name: 'Options for Assets' }).tap()
    await page.getByRole('menuitem', { name: 'Empty Assets…' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Empty Assets?' })
    await dialog.getByRole('checkbox').tap()
    await dialog.getByRole('button', { name: 'Move 20 images to the trash' }).tap()

    await expect(page.getByText('Nothing in Assets')).toBeVisible()
  })
})

test.describe('in front of InvokeAI', () => {
  test.use({ serverKind: 'invokeai', libraryOf: 0 })

  test('is not offered, because the images would be permanently deleted @long', async ({
    api,
    gallery,
    page,
  }) => {
    await api.uploadImage('cat.png')
    await api.createBoard('Portraits')
    await gallery.open({ board: 'none' })

    await expect(page.getByRole('button', { name: 'Options for Portraits' })).toHaveCount(1)
    await page.getByRole('button', { name: 'Options for Assets' }).click()
    await expect(page.getByRole('menuitem', { name: 'Upload to Assets…' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: /Empty Assets/ })).toHaveCount(0)
  })
})
