import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { expect, test } from './fixtures.ts'

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

test('deletes the intermediates of a chain even if the page was closed during the run', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Castles')
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  const { dialog, addStep } = await openProcess(gallery)
  for (const step of ['Blur', 'Sharpen', 'Color mode']) await addStep(step)
  await expect(dialog.getByRole('img', { name: 'Result' })).toBeVisible(RESULT_TIMEOUT)
  await dialog.getByLabel('Results go to').selectOption('Castles')
  await api.client.queue.pause()
  await dialog.getByRole('button', { name: 'Process 2 images' }).click()
  await expect(dialog).toBeHidden()
  const intermediates = () => api.client.images.count({ isIntermediate: true })
  await expect.poll(intermediates, RESULT_TIMEOUT).toBe(0)

  await page.goto('about:blank')
  await api.client.queue.resume()
  await expect.poll(async () => (await api.imagesOn('Castles')).length, RESULT_TIMEOUT).toBe(2)
  expect(await intermediates()).toBe(4)
  await gallery.open({ board: 'none' })

  await expect.poll(intermediates, RESULT_TIMEOUT).toBe(0)
  expect((await api.imagesOn('Castles')).length).toBe(2)
  expect((await api.imagesOn()).length).toBe(2)
})
