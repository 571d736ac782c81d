import {
  chooseFolder,
  drawFolder,
  IMPORT_TIMEOUT,
  importCard,
  importFolder,
  makeLongFolder,
} from './fixtures/folder-to-import.ts'
import { recordPositions } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

test('imports a local folder into an empty library, with boards, tiles and refused files', async ({
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
    await expect(gallery.image(name)).toBeVisible(IMPORT_TIMEOUT)
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

test('imports new files of a watched folder until watching is stopped @long', async ({
  gallery,
  page,
}) => {
  const folder = await drawFolder(gallery, 'Output', ['first.png'])
  await gallery.open()
  const dialog = await chooseFolder(page, folder)
  await dialog.getByRole('checkbox', { name: 'Keep watching this folder' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  const card = importCard(page, 'Output')
  await expect(card).toContainText('Watching Output', IMPORT_TIMEOUT)

  await gallery.drawFiles(['Output/later.png'])
  await expect(gallery.image('later.png')).toBeVisible(IMPORT_TIMEOUT)
  await card.getByRole('button', { name: 'Stop watching' }).click()

  await expect(card).toContainText('Stopped watching Output', IMPORT_TIMEOUT)
})

test('pauses and cancels an import, also after a reload and in another tab @long', async ({
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

test('offers to resume an interrupted import in every tab @long', async ({
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
  await expect(card).toContainText('Interrupted: Many', IMPORT_TIMEOUT)
  await page.reload()
  await expect(card).toContainText('Tessera stopped before the import finished.', IMPORT_TIMEOUT)
  removeLinks()
  const other = await context.newPage()
  await other.goto('/')
  await importCard(other, 'Many').getByRole('button', { name: 'Go on' }).click()
  await expect(card).toContainText('Imported Many', IMPORT_TIMEOUT)
  await expect(card).toHaveCount(1)
  for (const name of ['a.png', 'b.png', 'z.png']) await expect(gallery.image(name)).toBeVisible()
  await expect(gallery.boardCount('All images')).toHaveText('3')
})

test('does not offer a dismissed import again @long', async ({
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
  await expect(card).toContainText('Watching Output', IMPORT_TIMEOUT)
  await server.restart()
  await expect(card).toContainText('Stopped watching Output', IMPORT_TIMEOUT)
  const other = await context.newPage()
  await other.goto('/')
  await expect(importCard(other, 'Output')).toBeVisible(IMPORT_TIMEOUT)

  await card.getByRole('button', { name: 'Close import' }).click()

  await expect(card).toBeHidden()
  await other.reload()
  await expect(other.locator('[data-picture="first.png"]')).toBeVisible(IMPORT_TIMEOUT)
  await expect(importCard(other, 'Output')).toBeHidden()
})

test.describe('in a long view', () => {
  test.use({ libraryOf: 1_200, serverFlags: ['--rate-limit', '100,10'] })

  test('keeps the scroll position during an import and announces new images @long', async ({
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
    const stop = await recordPositions(gallery.grid, [name])

    const dialog = await chooseFolder(page, folder)
    await dialog.getByRole('radio', { name: 'No board (Assets)' }).click()
    await dialog.getByRole('button', { name: 'Start' }).click()

    await expect(importCard(page, 'Many')).toContainText('Imported Many', IMPORT_TIMEOUT)
    await expect(page.getByRole('button', { name: '60 new' })).toBeVisible(IMPORT_TIMEOUT)
    expect((await stop())[name]).toHaveLength(1)
  })
})
