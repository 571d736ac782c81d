import { expect, test } from './fixtures.ts'

test('an empty library explains itself and takes the first files', async ({ gallery, page }) => {
  await gallery.open()
  await expect(page.getByRole('heading', { name: 'Drop your images here' })).toBeVisible()
  await expect(page.getByText(/^Everything stays on this computer, in \S/)).toBeVisible()

  await gallery.dropFiles(['cat.png'], { on: 'page' })

  await expect(gallery.image('cat.png')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Drop your images here' })).toBeHidden()
})

test('a demo library can be looked around in, and drawing it can be stopped', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open()

  await page.getByRole('button', { name: 'Look around in a demo library' }).click()
  await expect(page.getByText(/Drawing the demo library: [1-9]/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await expect(page.getByText(/Drawing the demo library/)).toBeHidden()
  await expect(gallery.tiles.first()).toBeVisible()
  expect((await api.client.images.page({}, { offset: 0, limit: 0 })).total).toBeGreaterThan(0)
})
