import { expect, test } from './fixtures.ts'

// Newest first: c b a.
test.beforeEach(async ({ api }) => {
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await api.uploadImage(name, { widthPx: 900, heightPx: 600 })
  }
})

test('a double click opens the viewer, and Back closes it', async ({ gallery, page }) => {
  await gallery.open()

  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.goBack()

  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.tiles).toHaveCount(3)
})

test('keys and buttons lead to the next image and the one before', async ({ gallery, page }) => {
  await gallery.open()
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')

  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 3')
  await gallery.viewer.getByRole('button', { name: 'Next image' }).click()
  await expect(gallery.viewer).toContainText('3 of 3')
  await gallery.viewer.getByRole('button', { name: 'Previous image' }).click()
  await expect(gallery.viewer).toContainText('2 of 3')
  await gallery.viewer.getByRole('button', { name: 'Close', exact: true }).click()

  await expect(gallery.viewer).toBeHidden()
})

test('the whole picture replaces its thumbnail', async ({ gallery }) => {
  await gallery.open()
  await gallery.image('b.png').dblclick()

  const full = gallery.viewer.locator('img[src$="/full"]')
  await expect(full).toHaveJSProperty('complete', true)
  await expect(full).toHaveJSProperty('naturalWidth', 900)
})

test('a picture is enlarged and fitted again', async ({ gallery, page }) => {
  await gallery.open()
  await gallery.image('b.png').dblclick()
  const shown = gallery.viewer.locator('img[src$="/full"]')
  await expect(shown).toHaveJSProperty('complete', true)
  const widthOf = async () => (await shown.boundingBox())?.width ?? 0
  const fitted = await widthOf()

  await gallery.viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(widthOf).toBeGreaterThan(fitted + 10)
  await gallery.viewer.getByRole('button', { name: 'Zoom out' }).click()

  await expect.poll(async () => Math.abs((await widthOf()) - fitted)).toBeLessThan(2)
  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
})

test('the details say how it was made, and a value searches for itself', async ({
  api,
  gallery,
  page,
}) => {
  const [image] = await api.imagesOn()
  const metadata = image ? await api.client.images.metadata(image.image_name) : null
  await gallery.open()
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')

  await page.keyboard.press('i')
  await expect(gallery.details).toContainText(metadata?.prompt ?? 'no prompt')
  await expect(gallery.details).toContainText(String(metadata?.seed))
  await expect(gallery.details).toContainText('c.png')
  await gallery.details.getByRole('button', { name: String(metadata?.seed) }).click()

  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.search).toHaveValue(String(metadata?.seed))
  await expect(gallery.image('c.png')).toBeVisible()
})

test('an image can be starred and deleted where it is looked at', async ({ api, gallery }) => {
  await gallery.open()
  await gallery.image('c.png').dblclick()

  await gallery.viewer.getByRole('button', { name: 'Star', exact: true }).click()
  await expect(gallery.viewer.getByRole('button', { name: 'Unstar' })).toBeVisible()
  await gallery.viewer.getByRole('button', { name: 'Delete' }).click()

  await expect(gallery.viewer).toContainText('1 of 2')
  await expect.poll(() => api.namesOn()).toEqual(['b.png', 'a.png'])
})
