import {
  chooseFolder,
  drawFolder,
  IMPORT_TIMEOUT,
  importCard,
  importDialog,
} from './fixtures/folder-to-import.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test('can be used with the keyboard alone', async ({ gallery, page }) => {
  const folder = await drawFolder(gallery, 'Pictures', ['Cats/a.png', 'Dogs/b.png'])
  await gallery.open()
  const press = (key: string) => page.keyboard.press(key)
  await expect(page.getByRole('button', { name: 'Import a folder' }).last()).toBeVisible()
  await press('Shift+O')

  const dialog = importDialog(page)
  await expect(dialog.getByRole('textbox', { name: 'Folder' })).toBeFocused()
  await press('ControlOrMeta+a')
  await page.keyboard.insertText(folder)
  await press('Enter')
  const cats = dialog.getByRole('button', { name: 'Cats' })
  await expect(cats).toBeVisible()
  for (let times = 0; times < 40 && !(await cats.evaluate(isFocused)); times++) await press('Tab')
  await press('ArrowDown')
  await expect(dialog.getByRole('button', { name: 'Dogs' })).toBeFocused()
  await press('Enter')
  const inside = dialog.getByRole('list', { name: `Folders in ${folder}/Dogs` })
  await expect(inside).toBeFocused()
  await press('ArrowLeft')
  await expect(dialog.getByRole('button', { name: 'Dogs' })).toBeFocused()
  await press('Enter')
  await expect(inside).toBeFocused()
  const start = dialog.getByRole('button', { name: 'Start' })
  for (let times = 0; times < 40 && !(await start.evaluate(isFocused)); times++) await press('Tab')
  await press('Enter')

  await expect(gallery.image('b.png')).toBeVisible(IMPORT_TIMEOUT)
  const card = importCard(page, 'Dogs')
  await expect(card).toContainText('Imported Dogs', IMPORT_TIMEOUT)
  await expect.poll(() => card.evaluate(holdsFocus)).toBe(true)
  await expect(gallery.tiles).toHaveCount(1)
})

const holdsFocus = (element: Element): boolean => element.contains(document.activeElement)

const isFocused = (element: Element): boolean => element === document.activeElement

test('axe finds no serious violation during the choice and import of a folder, light and dark @long', async ({
  gallery,
  page,
}) => {
  const folder = await drawFolder(gallery, 'Pictures', ['a.png', 'Cats/b.png'])
  await gallery.writeFile('Pictures/broken.png', 'This is no picture.')
  await gallery.open()
  const dialog = await chooseFolder(page, folder)
  await dialog.getByRole('radio', { name: 'All on one board' }).click()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('radio', { name: 'No board (Assets)' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()

  await expect(importCard(page, 'Pictures')).toContainText('1 refused', IMPORT_TIMEOUT)
  await expect(gallery.tiles).toHaveCount(2)
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('shows the folder dialog full screen and the card at the bottom @long', async ({
    gallery,
    page,
  }) => {
    const folder = await drawFolder(gallery, 'Pictures', ['a.png', 'Cats/b.png'])
    await page.goto('/')
    const dialog = await chooseFolder(page, folder)
    const screen = { x: 0, y: 0, width: 390, height: 844 }
    await expect.poll(() => dialog.boundingBox()).toEqual(screen)
    await dialog.getByRole('button', { name: 'Start' }).tap()

    const card = importCard(page, 'Pictures')
    await expect(card).toContainText('2 images', IMPORT_TIMEOUT)
    await card.getByRole('button', { name: 'Show details' }).tap()
    await expect(card).toContainText(folder)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('does not offer importing folders @long', async ({ gallery, page }) => {
    await gallery.open()
    await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()

    await expect(page.getByRole('button', { name: 'Import a folder' })).toBeHidden()
  })
})
