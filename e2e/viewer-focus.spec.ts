import type { GalleryPage } from './fixtures/gallery-page.ts'
import { expect, test } from './fixtures.ts'

// Newest first: c b a.
test.beforeEach(async ({ api, gallery }) => {
  for (const name of ['a.png', 'b.png', 'c.png']) await api.uploadImage(name)
  await gallery.open()
})

/** The image that the keys of the grid act on. */
async function expectFocusOn(gallery: GalleryPage, fileName: string) {
  await expect(gallery.grid).toBeFocused()
  const id = await gallery.image(fileName).getAttribute('id')
  await expect(gallery.grid).toHaveAttribute('aria-activedescendant', id ?? 'no such tile')
}

test('after the viewer closes the focus is on the image that it showed last', async ({
  gallery,
  page,
}) => {
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('3 of 3')

  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await expectFocusOn(gallery, 'a.png')

  await page.keyboard.press('ArrowLeft')
  await expectFocusOn(gallery, 'b.png')
})

test('it is there too where Back closed it, and where it was opened by its address', async ({
  gallery,
  page,
}) => {
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.reload()
  await expect(gallery.viewer).toContainText('2 of 3')

  await page.goBack()
  await expect(gallery.viewer).toBeHidden()
  await expectFocusOn(gallery, 'b.png')
})
