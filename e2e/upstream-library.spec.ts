import { LANDING } from './fixtures/being-made.ts'
import { dropFiles } from './fixtures/drop-files.ts'
import { namesInZip } from './fixtures/names-in-zip.ts'
import { MADE, openProcess } from './fixtures/open-process.ts'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

test('files go up one by one, are moved, starred, and deleted when Undo is over', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await gallery.createBoard('Castles')
  await gallery.openBoard('Assets')
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('images/upload')) uploads.push(request.url())
  })

  await dropFiles(await gallery.drawFiles(['a.png', 'b.png', 'c.png']), page.getByRole('main'))
  await expect(gallery.tiles).toHaveCount(3, LANDING)
  expect(uploads).toHaveLength(3)
  const [a, b, c] = [...invokeAi.library.images.keys()]
  if (a === undefined || b === undefined || c === undefined) throw new Error('Three are there.')
  await gallery.star(a)
  await gallery.dragImage(b, { toBoard: 'Castles' })
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.deleteImage(c)
  await expect(gallery.tiles).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.deleteImage(c)

  await expect.poll(() => invokeAi.library.images.has(c), { timeout: 30_000 }).toBe(false)
  await expect.poll(() => api.imagesOn('Castles')).toMatchObject([{ image_name: b }])
  await expect.poll(() => api.imagesOn()).toMatchObject([{ image_name: a, starred: true }])
})

test('1,200 images are starred in one action, and Undo takes the stars back', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { image_name } = await api.uploadImage('a.png')
  invokeAi.library.addCopies(image_name, 1199)
  const starredCount = () =>
    [...invokeAi.library.images.values()].filter(({ starred }) => starred).length
  await gallery.open({ board: 'none' })
  await page.keyboard.press('ControlOrMeta+a')
  await gallery.selectionBar.getByRole('button', { name: 'Star' }).click()

  await expect.poll(starredCount).toBe(1200)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(starredCount).toBe(0)
  await expect(page.getByText('could not be')).toHaveCount(0)
})

test('several images come as the zip that InvokeAI packs', async ({ api, gallery, page }) => {
  for (const name of ['a.png', 'b.png']) await api.uploadImage(name)
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+a')

  const downloading = page.waitForEvent('download')
  await gallery.selectionBar.getByRole('button', { name: 'Download' }).click()

  const names = (await api.imagesOn()).map(({ image_name }) => image_name)
  expect(await namesInZip(await downloading)).toEqual(names.map((name) => `user/${name}`).sort())
})

test('kinds are told apart, as InvokeAI parts them', async ({ api, gallery, page }) => {
  await api.uploadImage('drawn.png', { category: 'general' })
  await api.uploadImage('mask.png', { category: 'mask' })
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(2)

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('menuitemradio', { name: 'Masks' }).click()

  await expect(gallery.tiles).toHaveCount(1)
})

test('videos are counted and left alone', async ({ api, gallery, invokeAi, page }) => {
  const { boardId } = await api.createBoard('Films')
  await api.uploadImage('cat.png', { board: 'Films' })
  invokeAi.library.addVideo(boardId)
  invokeAi.library.addVideo(null)

  await gallery.open({ board: 'Films' })
  await expect(page.getByText('1 image, 1 video in InvokeAI')).toBeVisible()
  await expect(gallery.tiles).toHaveCount(1)
  await gallery.openBoard('All images')
  await expect(page.getByText('1 image, 2 videos in InvokeAI')).toBeVisible()
  await gallery.chooseForBoard('Films', 'Delete board…')
  await expect(page.getByRole('dialog')).toContainText('1 image and 1 video')
  await page.getByRole('button', { name: 'Delete board, keep images and videos' }).click()

  await expect.poll(() => api.boardNames(), { timeout: 30_000 }).toEqual([])
  expect(invokeAi.library.videosOn('none')).toHaveLength(2)
})

test('a board in the archive is out of the way, and comes back', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { boardId } = await api.createBoard('Castles')
  await api.createBoard('Forests')
  const isArchived = () => invokeAi.library.boards.get(boardId)?.archived
  await gallery.open()

  await gallery.chooseForBoard('Castles', 'Archive')
  await expect(gallery.board('Castles')).toBeHidden()
  await expect.poll(isArchived).toBe(true)
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Show archived boards' }).click()
  await gallery.chooseForBoard('Castles', 'Unarchive')

  await expect.poll(isArchived).toBe(false)
  await gallery.undo()
  await expect.poll(isArchived).toBe(true)
})

test('InvokeAI makes a copy with its metadata, and the palette says what is lost', async ({
  api,
  gallery,
  page,
}) => {
  const { image_name } = await api.uploadImage('cat.png')
  const original = await api.client.images.metadata(image_name)
  await api.createBoard('Castles')
  await gallery.open({ board: 'none' })
  await gallery.select(image_name)
  await gallery.selectionBar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /^Copy to board/ }).click()
  await expect(page.getByText('Workflow, star and dates are lost.')).toBeVisible()
  await page.getByRole('option', { name: /^Castles/ }).click()

  await expect(gallery.boardCount('Castles')).toHaveText('1', LANDING)
  const [copy] = await api.imagesOn('Castles')
  const metadata = await api.client.images.metadata(copy?.image_name ?? '')
  expect(original?.prompt).toEqual(expect.any(String))
  expect(metadata).toMatchObject({ prompt: original?.prompt, seed: original?.seed })
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect(page.getByRole('complementary', { name: 'Queue' })).toContainText('Copy to Castles')
})

test('every step that is offered runs there, and what is known of an image is kept', async ({
  api,
  gallery,
  page,
}) => {
  test.setTimeout(180_000)
  await api.createBoard('Castles')
  const { image_name } = await api.uploadImage('cat.png', { widthPx: 300, heightPx: 200 })
  const before = await api.client.images.metadata(image_name)
  await gallery.open({ board: 'none' })
  const { dialog, addStep } = await openProcess(gallery)
  await dialog.getByRole('button', { name: 'Add step' }).click()
  const steps = await page.getByRole('menuitem').allTextContents()
  await page.keyboard.press('Escape')
  for (const step of steps) await addStep(step)
  expect(steps.length).toBeGreaterThan(8)
  await expect(dialog.getByText('Result 405 × 405')).toBeVisible(MADE)

  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 1 image' }).click()

  const made = () => api.imagesOn('Castles')
  await expect.poll(made, MADE).toMatchObject([{ width: 405, height: 405, image_category: 'mask' }])
  const [mask] = await made()
  expect(await api.client.images.metadata(mask?.image_name ?? '')).toEqual(before)
})

test('images are processed by the nodes that InvokeAI has', async ({ api, gallery, invokeAi }) => {
  test.setTimeout(120_000)
  await api.createBoard('Castles')
  await api.uploadImage('cat.png', { widthPx: 300, heightPx: 200 })
  await gallery.open({ board: 'none' })
  const { dialog, addStep, field } = await openProcess(gallery)
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await expect(gallery.page.getByRole('menuitem', { name: 'Resize' })).toBeVisible()
  await expect(gallery.page.getByRole('menuitem', { name: 'Upscale' })).toBeHidden()
  await gallery.page.keyboard.press('Escape')
  await addStep('Resize')
  await field('Size').fill('90')
  await expect(dialog.getByText('Result 90 × 60')).toBeVisible(MADE)

  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 1 image' }).click()

  await expect
    .poll(() => api.imagesOn('Castles'), MADE)
    .toMatchObject([{ width: 90, height: 60, image_origin: 'internal' }])
  const intermediates = () =>
    [...invokeAi.library.images.values()].filter(({ is_intermediate }) => is_intermediate)
  await expect.poll(intermediates, MADE).toEqual([])
})
