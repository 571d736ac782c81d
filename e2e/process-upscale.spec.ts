import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enlargingOnnx, failingOnnx, subPixelOnnx } from '#testing/models/onnx-file.ts'
import { ServerProcess } from '#testing/server-process.ts'
import { sourceWithout } from '#testing/source-without.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { MADE, openProcess } from './fixtures/open-process.ts'
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

// What is set up counts too.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Castles')
  await api.createBoard('Portraits')
  await api.uploadImage('small.png', { board: 'Portraits', widthPx: 40, heightPx: 30 })
  // More than one tile.
  await api.uploadImage('wide.jpg', { board: 'Portraits', widthPx: 300, heightPx: 200 })
  await api.uploadImage('tall.png', { board: 'Portraits', widthPx: 100, heightPx: 400 })
})

test('three images come out of an upscaler twice as large, tried on one of them', async ({
  api,
  gallery,
}) => {
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)

  await addStep('Upscale')
  await dialog.getByLabel('Model').selectOption('double')
  await expect(dialog.getByText('Result 200 × 800')).toBeVisible(MADE)
  await expect(dialog.getByRole('img', { name: 'Result' })).toBeVisible()
  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect.poll(async () => (await api.imagesOn('Castles')).length, MADE).toBe(3)
  const sizes = (await api.imagesOn('Castles')).map(({ width, height }) => `${width} x ${height}`)
  expect(sizes.toSorted()).toEqual(['200 x 800', '600 x 400', '80 x 60'])
  await expect(gallery.boardCount('Castles')).toHaveText('3')
})

test('a model of one tile size takes every image, and what comes out goes on to the next step', async ({
  api,
  gallery,
}) => {
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)

  await addStep('Upscale')
  await dialog.getByLabel('Model').selectOption('triple in squares')
  await addStep('Scale')
  await expect(dialog.getByText('Result 150 × 600')).toBeVisible(MADE)
  await dialog.getByLabel('Results go to').selectOption('Castles')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect.poll(async () => (await api.imagesOn('Castles')).length, MADE).toBe(3)
  const widths = (await api.imagesOn('Castles')).map(({ width }) => width)
  expect(widths.toSorted((a, b) => a - b)).toEqual([60, 150, 450])
})

test('a graph that the server refuses is told by its step: its model has gone meanwhile', async ({
  api,
  gallery,
  modelsFolder,
}) => {
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)
  await addStep('Upscale')
  await dialog.getByLabel('Model').selectOption('double')
  await expect(dialog.getByText('Result 200 × 800')).toBeVisible(MADE)
  await rm(join(modelsFolder, 'double.onnx'))
  const names = async () => (await api.client.models.list()).map(({ name }) => name)
  await expect.poll(names, MADE).not.toContain('double')

  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect(dialog.getByRole('alert').filter({ hasText: 'Nothing was started' })).toHaveText(
    /^Nothing was started\. A model of these steps no longer exists/,
  )
  await dialog.getByLabel('Model').selectOption('triple in squares')
  await expect(dialog.getByRole('alert').filter({ hasText: 'no such model' })).toBeHidden()
  await expect(dialog.getByText('Result 300 × 1200')).toBeVisible(MADE)
})

test('a model that fails says why, and leaves everything as it was', async ({
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
    MADE,
  )
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  const toast = gallery.toast('3 items in the queue failed.')
  await expect(toast).toContainText('The model fails on', MADE)
  await expect(toast.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect((await api.imagesOn('Portraits')).length).toBe(3)
})

test.describe('without ONNX Runtime', () => {
  test.use({
    server: async ({ serverFlags }, use) => {
      const folder = await createTemporaryFolder()
      const mainFile = await sourceWithout('onnxruntime-node', folder)
      const server = await ServerProcess.start({ mainFile, flags: serverFlags })
      await use(server)
      await server.close()
      await removeFolder(folder)
    },
  })

  test('the preview says what to install', async ({ gallery }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog, addStep } = await openProcess(gallery)

    await addStep('Upscale')

    await expect(dialog.getByRole('alert')).toContainText(
      'ONNX Runtime is not installed. Run `npm i onnxruntime-node` beside Tessera',
      MADE,
    )
  })
})

test.describe('without a model', () => {
  test.use({ serverFlags: [] })

  test('Upscale is not among the steps', async ({ gallery, page }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog } = await openProcess(gallery)

    await dialog.getByRole('button', { name: 'Add step' }).click()

    await expect(page.getByRole('menuitem', { name: 'Resize' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Upscale' })).toBeHidden()
  })
})
