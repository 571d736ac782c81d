import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enlargingOnnx, failingOnnx, subPixelOnnx } from '#testing/models/onnx-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { test as base, expect } from './fixtures.ts'

const files = {
  'double.onnx': subPixelOnnx(2),
  'triple in squares.onnx': enlargingOnnx(3, [1, 3, 64, 64]),
  'unfit.onnx': failingOnnx(),
  'cut off.onnx': subPixelOnnx(2).subarray(0, -40),
}

const test = base.extend<{ modelsFolder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  modelsFolder: async ({}, use) => {
    const folder = await createTemporaryFolder()
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    await use(folder)
    await removeFolder(folder)
  },
  serverFlags: async ({ modelsFolder }, use) => use(['--models', modelsFolder]),
})

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Castles')
  await api.createBoard('Portraits')
  await api.uploadImage('small.png', { board: 'Portraits', widthPx: 40, heightPx: 30 })
  // More than one upscaling tile.
  await api.uploadImage('wide.jpg', { board: 'Portraits', widthPx: 300, heightPx: 200 })
  await api.uploadImage('tall.png', { board: 'Portraits', widthPx: 100, heightPx: 400 })
})

test('upscales three images after a preview of one, and processes a result again', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep, field } = await openProcess(gallery)

  await addStep('Upscale')
  await dialog.getByLabel('Model').selectOption('double')
  await expect(dialog.getByText('Result 200 × 800')).toBeVisible(RESULT_TIMEOUT)
  await expect(dialog.getByRole('img', { name: 'Result' })).toBeVisible()
  await addStep('Scale')
  await expect(dialog.getByText('Result 100 × 400')).toBeVisible(RESULT_TIMEOUT)
  const enqueued: string[] = []
  page.on('request', (request) => enqueued.push(...(request.url().match(/enqueue_batch/g) ?? [])))
  await field('To').fill('25')
  await expect(dialog.getByText('Result 50 × 200')).toBeVisible()
  expect(enqueued).toEqual([])
  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect.poll(async () => (await api.imagesOn('Castles')).length, RESULT_TIMEOUT).toBe(3)
  const sizes = (await api.imagesOn('Castles')).map(({ width, height }) => `${width} x ${height}`)
  expect(sizes.toSorted()).toEqual(['150 x 100', '20 x 15', '50 x 200'])
  await expect(gallery.boardCount('Castles')).toHaveText('3')
})

test('shows why a model fails, and accepts every size for a model with one tile size', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)
  await addStep('Upscale')
  await expect(dialog.getByLabel('Model').getByRole('option')).toHaveText([
    'double',
    'triple in squares',
    'unfit',
  ])
  await dialog.getByLabel('Model').selectOption('unfit')
  await expect(dialog.getByRole('alert')).toContainText(
    'The preview failed: The model fails on 104 x 256 pixels: ',
    RESULT_TIMEOUT,
  )
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()
  const toast = gallery.toast('3 items in the queue failed.')
  await expect(toast).toContainText('The model fails on', RESULT_TIMEOUT)
  await expect(toast.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect((await api.imagesOn('Portraits')).length).toBe(3)

  await openProcess(gallery)
  await dialog.getByLabel('Model').selectOption('triple in squares')
  await addStep('Scale')
  await expect(dialog.getByText('Result 150 × 600')).toBeVisible(RESULT_TIMEOUT)
  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect.poll(async () => (await api.imagesOn('Castles')).length, RESULT_TIMEOUT).toBe(3)
  const widths = (await api.imagesOn('Castles')).map(({ width }) => width)
  expect(widths.toSorted((a, b) => a - b)).toEqual([60, 150, 450])
})

test('offers to resume a paused queue for the preview, and names a missing model', async ({
  api,
  gallery,
  modelsFolder,
}) => {
  await api.client.queue.pause()
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)
  await addStep('Upscale')
  await expect(dialog.getByText('The queue is paused. Resume it to see the preview.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByLabel('Model').selectOption('double')
  await expect(dialog.getByText('Result 200 × 800')).toBeVisible(RESULT_TIMEOUT)

  await rm(join(modelsFolder, 'double.onnx'))
  const names = async () => (await api.client.models.list()).map(({ name }) => name)
  await expect.poll(names, RESULT_TIMEOUT).not.toContain('double')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect(dialog.getByRole('alert').filter({ hasText: 'Nothing was started' })).toHaveText(
    /^Nothing was started\. A model of these steps no longer exists/,
  )
  await dialog.getByLabel('Model').selectOption('triple in squares')
  await expect(dialog.getByRole('alert').filter({ hasText: 'no such model' })).toBeHidden()
  await expect(dialog.getByText('Result 300 × 1200')).toBeVisible(RESULT_TIMEOUT)
})

test.describe('under the published limits', () => {
  test.use({
    serverFlags: async ({ modelsFolder }, use) =>
      use(['--models', modelsFolder, '--rate-limit', '100,5']),
  })

  test('shows in the preview how long the rate limit lasts', async ({ gallery }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog, addStep } = await openProcess(gallery)
    await addStep('Upscale')
    await dialog.getByLabel('Model').selectOption('double')
    await expect(dialog.getByText('Result 200 × 800')).toBeVisible(RESULT_TIMEOUT)

    // Four of the five batch operations of a minute are reserved for user actions.
    await dialog.getByLabel('Model').selectOption('triple in squares')

    await expect(dialog.getByText(/^Waiting for the server’s request limit, \d+ s$/)).toBeVisible()
  })
})
