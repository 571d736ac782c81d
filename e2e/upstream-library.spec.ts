import type { Download } from '@playwright/test'
import { drawClip } from '#testing/library/draw-clip.ts'
import { dropFiles } from './fixtures/drop-files.ts'
import { IMAGE_TIMEOUT } from './fixtures/generations.ts'
import { namesInZip } from './fixtures/names-in-zip.ts'
import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { expect } from './fixtures.ts'
import { test, UNDO_MS } from './upstream-fixtures.ts'

const MOVES = '**/api/v1/board_images/batch'

test('uploads, stars, moves and zips images, and deletes them after the Undo time', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await page.clock.install()
  await gallery.open({ board: 'none' })
  await gallery.createBoard('Castles')
  await gallery.openBoard('Assets')
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('images/upload')) uploads.push(request.url())
  })

  await dropFiles(await gallery.drawFiles(['a.png', 'b.png', 'c.png']), page.getByRole('main'))
  await expect(gallery.tiles).toHaveCount(3, IMAGE_TIMEOUT)
  expect(uploads).toHaveLength(3)
  const { image_names } = await invokeAi.client.images.names({ orderDir: 'ASC' })
  const [a, b, c] = image_names
  if (a === undefined || b === undefined || c === undefined) throw new Error('Three are there.')
  await gallery.star(a)
  await gallery.dragImage(b, { toBoard: 'Castles' })
  await expect(gallery.tiles).toHaveCount(2)

  // InvokeAI creates the zip.
  await page.keyboard.press('ControlOrMeta+a')
  const downloading = page.waitForEvent('download')
  await gallery.selectionBar.getByRole('button', { name: 'Download' }).click()
  expect(await namesInZip(await downloading)).toEqual([`user/${a}`, `user/${c}`].sort())

  await gallery.deleteImage(c)
  await expect(gallery.tiles).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.deleteImage(c)
  await expect(gallery.tiles).toHaveCount(1)
  const isThere = async () => (await invokeAi.client.images.get(c)) !== null
  expect(await isThere()).toBe(true)
  await page.clock.fastForward(UNDO_MS)

  await expect.poll(isThere).toBe(false)
  await expect.poll(() => api.imagesOn('Castles')).toMatchObject([{ image_name: b }])
  await expect.poll(() => api.imagesOn()).toMatchObject([{ image_name: a, starred: true }])
})

test('uploads, plays, stars, moves and deletes videos', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await page.clock.install()
  await gallery.open({ board: 'none' })
  await gallery.createBoard('Films')
  await gallery.openBoard('Assets')
  const boat = await gallery.writeFile('boat.mp4', await drawClip())
  const [still = ''] = await gallery.drawFiles(['still.png'])

  await dropFiles([boat, still], page.getByRole('main'))
  await expect(gallery.tiles).toHaveCount(2, IMAGE_TIMEOUT)
  const { videos } = invokeAi.client
  const [video = ''] = (await videos.names({})).video_names
  await gallery.star(video)
  await expect.poll(async () => (await videos.get(video))?.starred).toBe(true)
  await page.keyboard.press('ControlOrMeta+a')
  await gallery.dragImage(video, { toBoard: 'Films' })
  await expect(gallery.tiles).toHaveCount(0)
  await expect.poll(async () => (await videos.get(video))?.board_id).not.toBeNull()
  await expect.poll(() => api.imagesOn('Films')).toHaveLength(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.tiles).toHaveCount(2)
  await expect.poll(async () => (await videos.get(video))?.board_id).toBeNull()

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Videos')
  await page.keyboard.press('Escape')
  await expect(gallery.tiles).toHaveCount(1)
  await gallery.deleteImage(video)
  await expect(gallery.tiles).toHaveCount(0)
  await page.clock.fastForward(UNDO_MS)
  await expect.poll(() => videos.get(video)).toBeNull()
  await expect.poll(() => invokeAi.client.images.count({})).toBe(1)
})

test.describe('with 1,200 images', () => {
  test.use({ invokeAiOptions: { imageCount: 1200 } })

  test('stars, moves, downloads and deletes 1,200 images in one action each', async ({
    api,
    gallery,
    invokeAi,
    page,
  }) => {
    const { boardId } = await api.createBoard('Castles')
    const names: number[] = []
    page.on('request', (request) => {
      const { image_names: sent } = (request.postDataJSON() ?? {}) as { image_names?: string[] }
      if (/board_images|delete$|download$/.test(request.url()) && sent) names.push(sent.length)
    })
    const { images } = invokeAi.client
    const starredCount = async () => (await images.names({ starredFirst: true })).starred_count
    const countOnCastles = () => images.count({ boardId })
    const { image_names } = await images.names({})
    expect(image_names).toHaveLength(1200)
    await images.unstar(image_names)

    await page.clock.install()
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles.first()).toBeVisible()
    await page.keyboard.press('ControlOrMeta+a')
    await gallery.selectionBar.getByRole('button', { name: 'Star' }).click()
    await expect.poll(starredCount).toBe(1200)
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(starredCount).toBe(0)

    await gallery.selectionBar.getByRole('button', { name: 'Move to board' }).click()
    await page.getByRole('option', { name: 'Castles' }).click()
    await expect(page.getByText(/Moved 1,200 images to .*Castles/)).toBeVisible()
    await expect.poll(countOnCastles).toBe(1200)
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(countOnCastles).toBe(0)

    await expect(gallery.tiles.first()).toBeVisible()
    await page.keyboard.press('ControlOrMeta+a')
    const downloads: Download[] = []
    page.on('download', (download) => downloads.push(download))
    await gallery.selectionBar.getByRole('button', { name: 'Download' }).click()
    await expect(page.getByText('Downloading 1,200 images as 2 zips')).toBeVisible()
    await expect.poll(() => downloads.length).toBe(2)
    const inZips = await Promise.all(downloads.map(namesInZip))
    expect(new Set(inZips.flat()).size).toBe(1200)

    await gallery.selectionBar.getByRole('button', { name: 'Delete' }).click()
    await expect(gallery.tiles).toHaveCount(0)
    await page.clock.fastForward(UNDO_MS)
    await expect.poll(() => images.count({})).toBe(0)
    expect(Math.max(...names)).toBe(1000)
    await expect(page.getByText('could not be')).toHaveCount(0)
  })

  test('lists a slow move, and its refused images with Retry', async ({
    api,
    gallery,
    invokeAi,
    page,
  }) => {
    const { boardId } = await api.createBoard('Castles')
    const answer = Promise.withResolvers<void>()
    await page.route(MOVES, async (route) => {
      await answer.promise
      await route.fulfill({ status: 507, json: { detail: 'The disk is full.' } })
    })
    await gallery.open({ board: 'none' })
    await gallery.tiles.first().click()
    await page.keyboard.press('ControlOrMeta+a')
    await gallery.selectionBar.getByRole('button', { name: 'Move to board' }).click()
    await page.getByRole('option', { name: 'Castles' }).click()
    const card = gallery.bulkChange('Moving 1,200 images to Castles')
    await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible()

    answer.resolve()
    await expect(card).toContainText('1,200 failed')
    await card.getByRole('button', { name: 'Show failed images' }).click()
    await expect(card.getByRole('listitem').first()).toContainText('The disk is full.')
    await page.unroute(MOVES)
    await card.getByRole('button', { name: 'Retry 1,200' }).click()

    await expect.poll(() => invokeAi.client.images.count({ boardId })).toBe(1200)
    await expect(card).toBeHidden()
  })
})

test('distinguishes image kinds, counts and protects videos, and archives boards', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const films = (await api.createBoard('Films')).boardId
  const castles = (await api.createBoard('Castles')).boardId
  await api.uploadImage('drawn.png', { board: 'Films', category: 'general' })
  await api.uploadImage('mask.png', { category: 'mask' })
  const { videos } = invokeAi.client
  const clip = { bytes: new Blob([await drawClip()]), fileName: 'boat.mp4' }
  await videos.upload(clip, { boardId: films })
  await videos.upload(clip)
  await page.clock.install()

  await gallery.open({ board: 'Films' })
  await expect(page.getByText('2 items')).toBeVisible()
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.openBoard('All images')
  await expect(page.getByText('4 items')).toBeVisible()
  await expect(gallery.tiles).toHaveCount(4)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Masks')
  await expect(gallery.tiles).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await gallery.chooseForBoard('Films', 'Delete board…')
  await expect(page.getByRole('dialog')).toContainText('1 image and 1 video')
  await page.getByRole('button', { name: 'Delete board, keep images and videos' }).click()
  await expect(gallery.board('Films')).toBeHidden()
  await page.clock.fastForward(UNDO_MS)
  await expect.poll(() => api.boardNames()).toEqual(['Castles'])
  expect((await videos.names({ boardId: 'none' })).video_names).toHaveLength(2)

  const isArchived = async () => (await invokeAi.client.boardOperations.get(castles)).archived
  await gallery.chooseForBoard('Castles', 'Archive')
  await expect(gallery.board('Castles')).toBeHidden()
  await expect.poll(isArchived).toBe(true)
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Show archived boards' }).click()
  await page.keyboard.press('Escape')
  await gallery.chooseForBoard('Castles', 'Unarchive')
  await expect.poll(isArchived).toBe(false)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(isArchived).toBe(true)
})

test('copies an image with its metadata and names the losses in the palette', async ({
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

  await expect(gallery.boardCount('Castles')).toHaveText('1', IMAGE_TIMEOUT)
  const [copy] = await api.imagesOn('Castles')
  const metadata = await api.client.images.metadata(copy?.image_name ?? '')
  expect(original?.prompt).toEqual(expect.any(String))
  expect(metadata).toMatchObject({ prompt: original?.prompt, seed: original?.seed })
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect(page.getByRole('complementary', { name: 'Queue' })).toContainText('Copy to Castles')
})

test('runs every offered step and keeps the metadata of the image', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await api.createBoard('Castles')
  const { image_name } = await api.uploadImage('cat.png', { widthPx: 300, heightPx: 200 })
  const before = await api.client.images.metadata(image_name)
  await gallery.open({ board: 'none' })
  const { dialog, addStep } = await openProcess(gallery)
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await expect(page.getByRole('menuitem', { name: 'Mask' })).toBeVisible()
  const steps = await page.getByRole('menuitem').allTextContents()
  await page.keyboard.press('Escape')
  for (const step of steps) await addStep(step)
  expect(steps.length).toBeGreaterThan(8)
  expect(steps).toContain('Resize')
  expect(steps).not.toContain('Upscale')
  await expect(dialog.getByText('Result 405 × 405')).toBeVisible(RESULT_TIMEOUT)

  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 1 image' }).click()

  const made = () => api.imagesOn('Castles')
  await expect
    .poll(made, RESULT_TIMEOUT)
    .toMatchObject([{ width: 405, height: 405, image_category: 'mask', image_origin: 'internal' }])
  const [mask] = await made()
  expect(await api.client.images.metadata(mask?.image_name ?? '')).toEqual(before)
  const intermediateCount = () => invokeAi.client.images.count({ isIntermediate: true })
  await expect.poll(intermediateCount, RESULT_TIMEOUT).toBe(0)
})
