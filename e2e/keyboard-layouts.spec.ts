import { expect, test } from './fixtures.ts'

test.use({ libraryOf: 3 })

/** Presses a key as a layout sends it: the character differs from the position. */
const press = (key: string, code: string, modifiers: { ctrlKey?: boolean; shiftKey?: boolean }) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, ...modifiers, bubbles: true, cancelable: true }),
  )

test('shortcuts work on a Russian and on a German keyboard', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  await gallery.tiles.first().click()

  await page.evaluate(`(${press})('ы', 'KeyS', {})`)
  await expect(gallery.selectionBar.getByRole('button', { name: 'Unstar' })).toBeVisible()
  await page.evaluate(`(${press})('ф', 'KeyA', { ctrlKey: true })`)
  await expect(gallery.selectionBar).toContainText('3 images')
  await page.evaluate(`(${press})('/', 'Digit7', { shiftKey: true })`)
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('shortcuts of a single letter can be turned off', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  await page.keyboard.press('Shift+?')
  await page.getByRole('checkbox', { name: /^Shortcuts of a single/ }).uncheck()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await gallery.tiles.first().click()
  await page.keyboard.press('s')
  await page.keyboard.press('Control+a')

  await expect(gallery.selectionBar).toContainText('3 images')
  await expect(
    gallery.selectionBar.getByRole('button', { name: 'Star', exact: true }),
  ).toBeVisible()
})
