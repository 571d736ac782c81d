import type { Locator, Page } from '@playwright/test'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ api }) => {
  for (const name of ['castle.png', 'cat.png', 'dog.png']) await api.uploadImage(name)
})

const names = async (api: LibraryMaker) =>
  (await api.client.searches.list()).map(({ name }) => name)

const section = (page: Page) => page.getByRole('region', { name: 'Saved searches' })

test('saves a search, renames it, orders it by drag, and takes all back', async ({
  api,
  gallery,
  page,
}) => {
  await api.client.searches.create({ name: 'Starred ones', query: 'is:starred', icon: 'star' })
  await gallery.open()
  await gallery.search.fill('name:cat')
  await page.getByRole('button', { name: 'Save this search' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this search' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('name:cat')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Cats')
  await dialog.getByTitle('Cat', { exact: true }).click()
  await page.keyboard.press('Enter')

  const rows = section(page).getByRole('link')
  await expect(rows).toHaveText([/Starred ones/, /Cats/])
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cats')
  await expect(section(page).getByText('1', { exact: true })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])

  await rows.nth(1).focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Kittens')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await dragTo(page, rows.nth(1), rows.nth(0), 0.1)
  await page.mouse.up()
  await expect(rows).toHaveText([/Kittens/, /Starred ones/])
  await expect.poll(() => names(api)).toEqual(['Kittens', 'Starred ones'])
  await rows.nth(0).focus()
  await page.keyboard.press('Delete')
  await expect(rows).toHaveText([/Starred ones/])
  for (const expected of [
    [/Kittens/, /Starred ones/],
    [/Starred ones/, /Kittens/],
    [/Starred ones/, /Cats/],
    [/Starred ones/],
  ]) {
    await page.keyboard.press('ControlOrMeta+z')
    await expect(rows).toHaveText(expected)
  }
})

test('takes images only where the star defines the search @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.client.searches.create({ name: 'Favourites', query: 'is:starred' })
  await api.client.searches.create({ name: 'Cats', query: 'name:cat' })
  await gallery.open()
  await gallery.dragImage('dog.png', { toBoard: 'Cats' })
  await expect(page.getByText('Images cannot be dropped on “Cats”')).toBeVisible()
  await gallery.dragImage('dog.png', { toBoard: 'Favourites' })
  const favourites = section(page).getByRole('listitem').filter({ hasText: 'Favourites' })
  await expect(favourites).toHaveText(/Favourites\s*1/)
  await gallery.openBoard('Favourites')
  await expect.poll(() => gallery.shownNames()).toEqual(['dog.png'])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('opens a search from the drawer, with rows for fingers and a menu', async ({
    api,
    gallery,
    page,
  }) => {
    await api.client.searches.create({ name: 'Cats', query: 'name:cat' })
    await page.goto('/')
    await page.getByRole('button', { name: 'Open sidebar' }).click()
    const row = section(page).getByRole('link', { name: 'Cats' })
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await section(page).getByRole('button', { name: 'Options for Cats' }).click()
    await expect(page.getByRole('menuitem', { name: 'Name and icon…' })).toBeVisible()
    await page.keyboard.press('Escape')
    await row.click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cats')
    await expect.poll(() => gallery.shownNames()).toEqual(['cat.png'])
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  })
})

/** Drags a row over a part of another one, from 0 (its upper edge) to 1, without dropping it. */
async function dragTo(page: Page, from: Locator, to: Locator, part: number): Promise<void> {
  await from.hover()
  await page.mouse.down()
  const box = await to.boundingBox()
  if (box === null) throw new Error('It cannot be seen.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height * part]
  await page.mouse.move(x, y - 3, { steps: 4 })
  await page.mouse.move(x, y)
}
