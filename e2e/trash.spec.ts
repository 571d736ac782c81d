import { expect, test } from './fixtures.ts'

const TRASHING = '**/api/v1/trash/images'

test('a deleted image comes back by Undo', async ({ api, gallery }) => {
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })

  await gallery.deleteImage('a.png')
  await expect(gallery.tiles).toHaveCount(1)
  await gallery.undo()

  await expect(gallery.tiles).toHaveCount(2)
  await expect.poll(() => api.namesOn()).toEqual(['b.png', 'a.png'])
})

test('the trash shows what is in it and gives it back', async ({ api, gallery, page }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.deleteImage('a.png')
  await expect(gallery.tiles).toHaveCount(1)

  await gallery.openBoard('Trash')
  await page.getByRole('checkbox', { name: 'a.png' }).check()
  await page.getByRole('button', { name: /^Restore/ }).click()

  await expect(page.getByText('The trash is empty')).toBeVisible()
  await gallery.openBoard('Portraits')
  await expect(gallery.image('a.png')).toBeVisible()
})

test('a board in the trash is restored with its images', async ({ api, gallery, page }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open()
  await gallery.deleteBoard('Portraits')
  await expect(gallery.board('Portraits')).toBeHidden()

  await gallery.openBoard('Trash')
  await page.getByRole('button', { name: 'Restore Portraits' }).click()

  await expect(gallery.boardCount('Portraits')).toHaveText('2')
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['b.png', 'a.png'])
})

test('emptying the trash asks first, and is for good', async ({ api, gallery, page }) => {
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  await gallery.deleteImage('a.png')
  await expect.poll(() => api.trashedNames()).toEqual(['a.png'])
  await gallery.openBoard('Trash')

  await page.getByRole('button', { name: 'Empty trash…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Empty the trash?' })
  await expect(dialog).toContainText('1 image')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()

  await expect(page.getByText('The trash is empty')).toBeVisible()
  await expect(gallery.toast('1 image deleted for good')).toBeVisible()
  expect(await api.trashedNames()).toEqual([])
  expect(await api.namesOn()).toEqual(['b.png'])
})

test('emptying the trash waits for what was deleted before, and deletes what it said', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
  await gallery.open({ board: 'none' })
  await gallery.deleteImage('a.png')
  await expect.poll(() => api.trashedNames()).toEqual(['a.png'])
  let isAsked = false
  const answer = Promise.withResolvers<void>()
  await page.route(TRASHING, async (route) => {
    isAsked = true
    await answer.promise
    await route.continue()
  })
  await gallery.deleteImage('b.png')
  await expect.poll(() => isAsked).toBe(true)
  await gallery.deleteImage('c.png')

  await gallery.openBoard('Trash')
  await page.getByRole('button', { name: 'Empty trash…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Empty the trash?' })
  await expect(dialog).toContainText('3 images')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await gallery.openBoard('Assets')
  await gallery.deleteImage('d.png')
  expect(await api.trashedNames()).toEqual(['a.png'])
  answer.resolve()

  await expect(gallery.toast('3 images deleted for good')).toBeVisible()
  await expect.poll(() => api.trashedNames()).toEqual(['d.png'])
})

test('images of the trash are looked at, selected by range or all at once, and deleted for good', async ({
  api,
  gallery,
  page,
}) => {
  const names = ['a.png', 'b.png', 'c.png', 'd.png']
  await api.createBoard('Portraits')
  await api.uploadImages(names, { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  for (const name of names) await gallery.deleteImage(name)
  await expect(gallery.boardCount('Trash')).toHaveText('4')
  await gallery.openBoard('Trash')
  const tile = (name: string) => page.getByRole('checkbox', { name, exact: true })
  await expect(tile('d.png')).toHaveAccessibleDescription('From Portraits, 30 days left')

  await tile('d.png').locator('xpath=..').dblclick()
  const viewer = page.getByRole('dialog', { name: 'Image in the trash' })
  await expect(viewer.getByRole('img', { name: 'd.png' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer.getByRole('img', { name: 'c.png' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()

  await tile('c.png').click()
  await tile('a.png').click({ modifiers: ['Shift'] })
  await expect(page.getByRole('button', { name: 'Restore 3' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('button', { name: 'Restore 4' })).toBeVisible()
  await tile('b.png').click()
  await page.getByRole('button', { name: 'Delete for good…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 3 images for good?' })
  await dialog.getByRole('button', { name: 'Delete for good' }).click()

  await expect(gallery.toast('3 images deleted for good')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  expect(await api.trashedNames()).toEqual(['b.png'])
})

test('a library whose images are all in the trash says so, and leads there', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png'])
  await gallery.open()
  await gallery.deleteImage('a.png')

  await expect(page.getByRole('heading', { name: 'Everything is in the trash' })).toBeVisible()
  await page.getByRole('button', { name: 'Open the trash' }).click()

  await expect(page.getByRole('checkbox', { name: 'a.png' })).toBeVisible()
})
