import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { expect, test } from './fixtures.ts'

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

test.describe('processing', () => {
  test.beforeEach(async ({ api }) => {
    await api.createBoard('Castles')
    await api.createBoard('Portraits')
    for (const name of ['a.png', 'b.png', 'c.png']) {
      await api.uploadImage(name, { board: 'Portraits', widthPx: 300, heightPx: 200 })
    }
    await api.uploadImage('tall.png', { board: 'Portraits', widthPx: 100, heightPx: 400 })
  })

  test('sends four images through two steps to a board after a preview of one', async ({
    api,
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog, addStep, field } = await openProcess(gallery)
    await expect(dialog.getByText('Add a step to see what it does.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Process 4 images' })).toBeDisabled()

    await addStep('Resize')
    await field('Size').fill('0')
    await expect(dialog.getByText('A whole number from 1 to 16,384')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Process 4 images' })).toBeDisabled()
    await field('Size').fill('100')
    await expect(dialog.getByRole('button', { name: 'Process 4 images' })).toBeEnabled()
    await addStep('Blur')

    await expect(dialog.getByText('Original 100 × 400')).toBeVisible()
    await expect(dialog.getByText('Result 25 × 100')).toBeVisible(RESULT_TIMEOUT)
    await expect(dialog.getByRole('img', { name: 'Result' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Next image' }).click()
    await expect(dialog.getByText('Result 100 × 67')).toBeVisible(RESULT_TIMEOUT)
    await dialog.getByLabel('Results go to').selectOption('Castles')
    await dialog.getByRole('button', { name: 'Process 4 images' }).click()

    await expect(gallery.toast('Processing 4 images, results go to Castles')).toBeVisible()
    await expect(dialog).toBeHidden()
    const sizes = async () =>
      (await api.imagesOn('Castles')).map(({ width, height }) => [width, height])
    await expect.poll(async () => (await sizes()).length, RESULT_TIMEOUT).toBe(4)
    const flat = [100, 67]
    expect(await sizes()).toEqual(expect.arrayContaining([flat, flat, flat, [25, 100]]))
    await expect(gallery.boardCount('Castles')).toHaveText('4')
    // Intermediates and previews are deleted.
    const intermediates = () => api.client.images.count({ isIntermediate: true })
    await expect.poll(intermediates, RESULT_TIMEOUT).toBe(0)

    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(sizes, RESULT_TIMEOUT).toEqual([])
    expect((await api.imagesOn('Portraits')).length).toBe(4)
  })

  test('reorders the chain by keys and by dragging, and restores it next time @long', async ({
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog, addStep } = await openProcess(gallery)
    const order = () => dialog.getByRole('heading', { level: 3 }).allTextContents()
    await dialog.getByRole('button', { name: 'Add step' }).click()
    await expect(page.getByRole('menuitem', { name: 'Resize' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Upscale' })).toBeHidden() // without a model
    await page.keyboard.press('Escape')
    await addStep('Crop')
    await addStep('Blur')
    await addStep('Pad')

    const movePadUp = dialog.getByRole('button', { name: 'Move Pad up' })
    await movePadUp.press('Enter')
    await expect.poll(order).toEqual(['Crop', 'Pad', 'Blur'])
    await expect(movePadUp).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(order).toEqual(['Pad', 'Crop', 'Blur'])
    const blur = dialog.getByRole('listitem', { name: /Blur/ })
    await blur.getByTitle('Drag').dragTo(dialog.getByRole('listitem', { name: /Pad/ }))
    await expect.poll(order).toEqual(['Blur', 'Pad', 'Crop'])
    await dialog.getByRole('button', { name: 'Remove Pad' }).click()
    await page.reload()
    await openProcess(gallery)

    await expect.poll(order).toEqual(['Blur', 'Crop'])
  })

  test('works by keyboard alone, from the viewer and from the grid @long', async ({
    api,
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'Portraits' })
    await expect(gallery.tiles).toHaveCount(4)
    await expect(page.getByRole('button', { name: 'Queue' })).toBeVisible() // P works only with a queue

    await gallery.image('a.png').dblclick()
    await expect(gallery.viewer).toBeVisible()
    await page.keyboard.press('p')
    const ofViewer = page.getByRole('dialog', { name: 'Process 1 image' })
    await expect(ofViewer.getByText('Original 300 × 200')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(ofViewer).toBeHidden()
    await expect(gallery.viewer).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(gallery.viewer).toBeHidden()

    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('p')
    await expect(page.getByRole('dialog', { name: 'Process 4 images' })).toBeVisible()
    await page.getByRole('button', { name: 'Add step' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Resize' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('spinbutton', { name: 'To' })).toHaveValue('50')
    await page.getByRole('button', { name: 'Process 4 images' }).press('Enter')

    await expect.poll(async () => (await api.imagesOn('Portraits')).length, RESULT_TIMEOUT).toBe(8)
  })

  test('shows in the preview why a step cannot process an image, and fails only that image @long', async ({
    api,
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog, addStep, field } = await openProcess(gallery)
    await addStep('Scale')

    // A side of 100 pixels becomes 1, then 0, which fails. A side of 300 pixels becomes 3, then 1.
    await field('To').fill('1')
    await addStep('Scale')

    await expect(dialog.getByText(/^The preview failed: ./)).toBeVisible(RESULT_TIMEOUT)
    await dialog.getByLabel('Results go to').selectOption('Castles')
    await dialog.getByRole('button', { name: 'Process 4 images' }).click()

    await expect.poll(async () => (await api.imagesOn('Castles')).length, RESULT_TIMEOUT).toBe(3)
    await expect
      .poll(async () => (await api.client.queue.status()).queue, RESULT_TIMEOUT)
      .toMatchObject({ completed: 3, failed: 1 })
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('reports in the dialog that the server is unreachable, and continues afterwards @long', async ({
    api,
    gallery,
    server,
  }) => {
    await gallery.open({ board: 'Portraits' })
    const { dialog, addStep } = await openProcess(gallery)
    await addStep('Color mode')
    await expect(dialog.getByText('Result 100 × 400')).toBeVisible(RESULT_TIMEOUT)
    await server.close()

    await dialog.getByRole('button', { name: 'Process 4 images' }).click()

    await expect(dialog.getByText(/Nothing was started\. The server does not answer/)).toBeVisible()
    await addStep('Scale')
    await expect(dialog.getByText('Result 50 × 200')).toBeVisible()
    await server.restart()
    await dialog.getByRole('button', { name: 'Process 4 images' }).click()
    await expect(dialog).toBeHidden()
    await expect.poll(async () => (await api.imagesOn('Portraits')).length, RESULT_TIMEOUT).toBe(8)
  })
})

test('shows the prompt and sampler of the source with a result, and names it after the source @long', async ({
  api,
  gallery,
  page,
}) => {
  const source = await api.uploadImage('dunes.png', { kind: 'a1111' })
  const metadata = await api.client.images.metadata(source.image_name)
  await gallery.open({ board: 'none' })
  const { dialog, addStep } = await openProcess(gallery)
  await addStep('Scale')

  await dialog.getByRole('button', { name: 'Process 1 image' }).click()
  await gallery.image('dunes (processed).png').dblclick(RESULT_TIMEOUT)
  await expect(gallery.viewer).toBeVisible()
  await page.keyboard.press('i')

  await expect(gallery.details).toContainText('dunes (processed).png')
  await expect(gallery.details).toContainText(metadata?.prompt ?? 'no prompt')
  await expect(gallery.details).toContainText(metadata?.sampler ?? 'no sampler')
})
