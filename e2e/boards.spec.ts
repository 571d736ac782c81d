import { expect, test } from './fixtures.ts'

test('a new board is made by typing its name', async ({ api, gallery, page }) => {
  await gallery.open()

  await page.getByRole('button', { name: 'New board' }).click()
  await expect(page.getByRole('textbox', { name: 'Board name' })).toBeFocused()
  await page.keyboard.type('Portraits')
  await page.keyboard.press('Enter')

  await expect(gallery.board('Portraits')).toBeVisible()
  await expect.poll(() => api.boardNames()).toEqual(['Portraits'])
})

test('the next board can be named before the server has made the first', async ({
  gallery,
  page,
}) => {
  await gallery.open()
  let letThrough = () => {}
  const isNamingAgain = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route('**/api/v1/boards/?board_name=Castles*', async (route) => {
    await isNamingAgain
    await route.continue()
  })
  await gallery.createBoard('Castles')

  await page.getByRole('button', { name: 'New board' }).click()
  const made = page.waitForResponse('**/api/v1/boards/?board_name=Castles*')
  letThrough()
  await made
  await expect(page.getByRole('button', { name: 'Options for Castles' })).toBeVisible()
  await page.keyboard.type('Forests')
  await page.keyboard.press('Enter')

  await expect(gallery.board('Forests')).toBeVisible()
})

test('Esc makes no board', async ({ api, gallery, page }) => {
  await gallery.open()

  await page.getByRole('button', { name: 'New board' }).click()
  await page.keyboard.type('Portraits')
  await page.keyboard.press('Escape')

  await expect(page.getByRole('textbox', { name: 'Board name' })).toBeHidden()
  await expect(gallery.board('Portraits')).toBeHidden()
  expect(await api.boardNames()).toEqual([])
})

test('a board is renamed in its place', async ({ api, gallery, page }) => {
  await api.createBoard('Portraits')
  await gallery.open()

  await gallery.chooseForBoard('Portraits', 'Rename')
  await page.keyboard.type('Faces')
  await page.keyboard.press('Enter')

  await expect(gallery.board('Faces')).toBeVisible()
  await expect.poll(() => api.boardNames()).toEqual(['Faces'])
})

test('All images, Assets and each board show how many images they hold', async ({
  api,
  gallery,
}) => {
  await api.createBoard('Portraits')
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await api.uploadImage('dog.png', { board: 'Portraits' })
  await api.uploadImage('fox.png')

  await gallery.open()

  await expect(gallery.boardCount('All images')).toHaveText('3')
  await expect(gallery.boardCount('Assets')).toHaveText('1')
  await expect(gallery.boardCount('Portraits')).toHaveText('2')
})

test('a board shows its newest image as its cover', async ({ api, gallery }) => {
  await api.createBoard('Portraits')
  const { thumbnail_url } = await api.uploadImage('cat.png', { board: 'Portraits' })

  await gallery.open()

  const cover = gallery.board('Portraits').locator('img')
  await expect(cover).toHaveAttribute('src', new RegExp(`${thumbnail_url}$`))
})

test('opening a board shows its images and no others', async ({ api, gallery, page }) => {
  await api.createBoard('Portraits')
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await api.uploadImage('fox.png')
  await gallery.open()

  await gallery.openBoard('Portraits')

  await expect(gallery.tiles).toHaveCount(1)
  await expect(gallery.image('cat.png')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Portraits' })).toBeVisible()
})

test('deleting a board keeps its images in Assets', async ({ api, gallery, page }) => {
  await api.createBoard('Portraits')
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.chooseForBoard('Portraits', 'Delete board…')
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('1 image')
  await page.getByRole('button', { name: 'Delete board, keep images' }).click()

  await expect(gallery.board('Portraits')).toBeHidden()
  await gallery.openBoard('Assets')
  await expect(gallery.image('cat.png')).toBeVisible()
})

test('deleting the images with their board needs a second decision', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Portraits')
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.chooseForBoard('Portraits', 'Delete board…')
  await expect(page.getByRole('button', { name: 'Delete board and 1 image' })).toBeHidden()
  await page.getByRole('checkbox', { name: 'Delete its images as well' }).check()
  await page.getByRole('button', { name: 'Delete board and 1 image' }).click()

  await expect(gallery.board('Portraits')).toBeHidden()
  await expect.poll(() => api.imagesOn()).toEqual([])
  await expect(gallery.boardCount('All images')).toHaveText('0')
})

test('a deleted board comes back by Undo, with its images', async ({ api, gallery }) => {
  await api.createBoard('Portraits')
  await api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.deleteBoard('Portraits')
  await expect(gallery.board('Portraits')).toBeHidden()

  await gallery.undo()

  await expect(gallery.board('Portraits')).toBeVisible()
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['cat.png'])
})

test('Assets cannot be renamed or deleted', async ({ gallery, page }) => {
  await gallery.open()

  await gallery.board('Assets').hover()

  await expect(page.getByRole('button', { name: 'Options for Assets' })).toBeHidden()
})

test('boards are found by typing and stand in the order that is chosen', async ({
  api,
  gallery,
  page,
}) => {
  const names = ['Board 2', 'Board 10', 'Castles', ...letters.map((letter) => `Zoo ${letter}`)]
  for (const name of names) await api.createBoard(name)
  await gallery.open()

  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemradio', { name: 'Name' }).click()
  await page.getByRole('searchbox', { name: 'Filter boards' }).fill('board')

  await expect(gallery.boards).toHaveText(['Board 2', 'Board 10'])
})

const letters = [...'abcdefghijk']
