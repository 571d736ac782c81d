import { settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

test('opens an image by double click, loads it completely, zooms, and closes it with Back', async ({
  api,
  gallery,
  page,
}) => {
  // Newest first: c b a.
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await api.uploadImage(name, { widthPx: 900, heightPx: 600 })
  }
  await gallery.open()

  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toContainText('2 of 3')
  const full = gallery.viewer.locator('img[src$="/full"]')
  await expect(full).toHaveJSProperty('complete', true)
  await expect(full).toHaveJSProperty('naturalWidth', 900)

  const widthOf = async () => (await full.boundingBox())?.width ?? 0
  const { width: fitted } = await settledBox(full)
  await gallery.viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(widthOf).toBeGreaterThan(fitted + 10)
  await gallery.viewer.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(async () => Math.abs((await widthOf()) - fitted)).toBeLessThan(2)

  await page.goBack()
  await expect(gallery.viewer).toBeHidden()
  await expect(gallery.tiles).toHaveCount(3)
})
