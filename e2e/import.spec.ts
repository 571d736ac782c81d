import { drawFile } from '#testing/draw-file.ts'
import { makeInvokeaiRoot } from '#testing/make-invokeai-root.ts'
import {
  chooseFolder,
  drawFolder,
  IMPORT,
  importCard,
  importDialog,
  importFolder,
  makeLongFolder,
} from './fixtures/folder-to-import.ts'
import { watchPlaces } from './fixtures/watch-places.ts'
import { expect, test } from './fixtures.ts'

test('an empty library begins with a folder of this machine: boards, tiles, and what was refused', async ({
  gallery,
  page,
}) => {
  const folder = await drawFolder(gallery, 'Pictures', [
    'loose.png',
    'Trip/a.png',
    'Trip/Day 1/b.jpg',
  ])
  await gallery.writeFile('Pictures/Trip/broken.png', 'This is no picture.')
  await gallery.open()
  await expect(page.getByRole('heading', { name: 'Drop your images here' })).toBeVisible()

  await importFolder(page, folder)

  for (const name of ['loose.png', 'a.png', 'b.jpg']) {
    await expect(gallery.image(name)).toBeVisible(IMPORT)
  }
  await expect(gallery.boardCount('Trip')).toHaveText('1')
  await expect(gallery.boardCount('Trip/Day 1')).toHaveText('1')
  await expect(gallery.boardCount('Assets')).toHaveText('1')
  const card = importCard(page, 'Pictures')
  await expect(card).toContainText('Imported Pictures')
  await expect(card).toContainText('3 images · 1 refused')
  await expect(card.getByRole('region', { name: 'Refused files' })).toContainText(
    /broken\.png.*text file/,
  )

  await card.getByRole('button', { name: 'Close import' }).click()
  await page.reload()
  await expect(gallery.image('a.png')).toBeVisible()
  await expect(card).toBeHidden()
})

test('all goes to one board that is named, and the card leads there', async ({ gallery, page }) => {
  const folder = await drawFolder(gallery, 'Pictures', ['a.png', 'Trip/b.png'])
  await gallery.open()

  const dialog = await chooseFolder(page, folder)
  await dialog.getByRole('radio', { name: 'All on one board' }).click()
  await expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Name of the board' }).fill('Old pictures')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await importCard(page, 'Pictures').getByRole('button', { name: 'Show board' }).click(IMPORT)

  await expect(gallery.board('Old pictures')).toHaveAttribute('aria-current', 'page')
  await expect(gallery.tiles).toHaveCount(2)
})

test('what would come in is told before anything does', async ({ api, gallery, page }) => {
  await api.uploadImage('known.png')
  const folder = await drawFolder(gallery, 'Pictures', ['Cats/a.png', 'Cats/b.png'])
  const known = await drawFile('known.png')
  await gallery.writeFile('Pictures/again.png', new Uint8Array(await known.arrayBuffer()))
  await gallery.writeFile('Pictures/empty.png', '')
  await gallery.open({ board: 'none' })

  const dialog = await chooseFolder(page, folder)
  await dialog.getByRole('button', { name: 'Preview import' }).click()

  await expect(dialog.getByRole('status')).toHaveText(
    '2 new images; 1 already here; 1 will be refused.',
    IMPORT,
  )
  await expect(dialog.getByRole('region', { name: 'Refused files' })).toContainText('empty.png')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await api.boardNames()).toEqual([])
  expect(await api.namesOn()).toEqual(['known.png'])
})

test('a folder that is watched brings in what arrives, until it is left alone', async ({
  gallery,
  page,
}) => {
  const folder = await drawFolder(gallery, 'Output', ['first.png'])
  await gallery.open()
  const dialog = await chooseFolder(page, folder)
  await dialog.getByRole('checkbox', { name: 'Keep watching this folder' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  const card = importCard(page, 'Output')
  await expect(card).toContainText('Watching Output', IMPORT)

  await gallery.drawFiles(['Output/later.png'])
  await expect(gallery.image('later.png')).toBeVisible(IMPORT)
  await card.getByRole('button', { name: 'Stop watching' }).click()

  await expect(card).toContainText('Stopped watching Output', IMPORT)
})

test('the card of an InvokeAI says what is left out', async ({ gallery, page }) => {
  const root = await makeInvokeaiRoot('6.14')
  for (const [name, is_intermediate] of [
    ['shown.png', 0],
    ['between.png', 1],
  ] as const) {
    const bytes = new Uint8Array(await (await drawFile(name)).arrayBuffer())
    root.addImage({ image_name: name, is_intermediate }, bytes)
  }
  await gallery.open()

  await importFolder(page, root.folder)

  const card = page.getByRole('region', { name: /^Import of/ })
  await expect(card).toContainText('1 image', IMPORT)
  await expect(card).toContainText('1 intermediate image, which InvokeAI does not show either')
  await root.remove()
})

test('a folder that is not there is said so where it was typed', async ({ gallery, page }) => {
  await gallery.open()
  await page.getByRole('main').getByRole('button', { name: 'Import a folder' }).last().click()
  const dialog = importDialog(page)
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('/no/such/folder')
  await page.keyboard.press('Enter')

  await expect(dialog.getByRole('alert')).toContainText('There is no folder “/no/such/folder”')
  await expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Home folder' }).click()
  await expect(dialog.getByRole('button', { name: 'Start' })).toBeEnabled()
})

test('an import is paused, outlives a reload, is seen in another tab, and is cancelled', async ({
  context,
  gallery,
  page,
}) => {
  const { folder } = await makeLongFolder(gallery, 'Many')
  await gallery.open()
  await importFolder(page, folder)
  await expect(gallery.image('a.png')).toBeVisible()
  const card = importCard(page, 'Many')

  await card.getByRole('button', { name: 'Pause import' }).click()
  await expect(card).toContainText('Paused: Many')
  await page.reload()
  await expect(card).toContainText('Paused: Many')
  const other = await context.newPage()
  await other.goto('/')
  await importCard(other, 'Many').getByRole('button', { name: 'Resume import' }).click()
  await expect(card).toContainText('Importing Many')
  await card.getByRole('button', { name: 'Cancel import' }).click()

  await expect(card).toContainText('Canceled: Many')
  await expect(importCard(other, 'Many')).toContainText('Canceled: Many')
  await expect(gallery.image('z.png')).toBeHidden()
  await card.getByRole('button', { name: 'Start again' }).click()
  await expect(card).toContainText('Importing Many')
})

test('an import that was cut off is offered in every tab, and goes on where it was', async ({
  context,
  gallery,
  page,
  server,
}) => {
  const { folder, removeLinks } = await makeLongFolder(gallery, 'Many')
  await gallery.open()
  await importFolder(page, folder)
  await expect(gallery.image('a.png')).toBeVisible()

  await server.restart()

  const card = importCard(page, 'Many')
  await expect(card).toContainText('Interrupted: Many', IMPORT)
  await page.reload()
  await expect(card).toContainText('Tessera stopped before the import finished.', IMPORT)
  removeLinks()
  const other = await context.newPage()
  await other.goto('/')
  await importCard(other, 'Many').getByRole('button', { name: 'Go on' }).click()
  await expect(card).toContainText('Imported Many', IMPORT)
  await expect(card).toHaveCount(1)
  for (const name of ['a.png', 'b.png', 'z.png']) await expect(gallery.image(name)).toBeVisible()
  await expect(gallery.boardCount('All images')).toHaveText('3')
})

test('an import that was cut off and is not wanted stays away', async ({
  context,
  gallery,
  page,
  server,
}) => {
  const folder = await drawFolder(gallery, 'Output', ['first.png'])
  await gallery.open()
  const dialog = await chooseFolder(page, folder)
  await dialog.getByRole('checkbox', { name: 'Keep watching this folder' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  const card = importCard(page, 'Output')
  await expect(card).toContainText('Watching Output', IMPORT)
  await server.restart()
  await expect(card).toContainText('Stopped watching Output', IMPORT)
  const other = await context.newPage()
  await other.goto('/')
  await expect(importCard(other, 'Output')).toBeVisible(IMPORT)

  await card.getByRole('button', { name: 'Close import' }).click()

  await expect(card).toBeHidden()
  await other.reload()
  await expect(other.getByRole('gridcell', { name: 'first.png' })).toBeVisible(IMPORT)
  await expect(importCard(other, 'Output')).toBeHidden()
})

test.describe('in a long view', () => {
  test.use({ libraryOf: 1_200, serverFlags: ['--rate-limit', '100,10'] })

  test('an import moves nothing that a person looks at, and announces itself', async ({
    gallery,
    page,
  }) => {
    const folder = await drawFolder(
      gallery,
      'Many',
      Array.from({ length: 60 }, (_, at) => `${at}.png`),
    )
    await gallery.open({ board: 'none' })
    await gallery.scrollTo(0.4)
    const [name = ''] = await gallery.namesOnScreen()
    const stop = await watchPlaces(gallery.grid, [name])

    const dialog = await chooseFolder(page, folder)
    await dialog.getByRole('radio', { name: 'No board (Assets)' }).click()
    await dialog.getByRole('button', { name: 'Start' }).click()

    await expect(importCard(page, 'Many')).toContainText('Imported Many', IMPORT)
    await expect(page.getByRole('button', { name: '60 new' })).toBeVisible(IMPORT)
    expect((await stop())[name]).toHaveLength(1)
  })
})
