import { expect, test } from './fixtures.ts'

test('explains an empty library and accepts its first files', async ({ gallery, page }) => {
  await gallery.open()
  await expect(page.getByRole('heading', { name: 'Drop your images here' })).toBeVisible()
  await expect(page.getByText(/^Everything stays on this computer, in \S/)).toBeVisible()

  await gallery.dropFiles(['cat.png'], { on: 'page' })

  await expect(gallery.image('cat.png')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Drop your images here' })).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('does not mention dropping files and limits the file chooser to supported types', async ({
    api,
    gallery,
    page,
  }) => {
    await api.createBoard('Portraits')
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Add your images' })).toBeVisible()
    await expect(page.getByText(/drop|desktop/i).filter({ visible: true })).toHaveCount(0)

    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).tap()
    const accepted = await (await choosing).element().getAttribute('accept')
    expect(accepted?.split(',')).toContain('image/jpeg')
    // iOS passes its photos on unchanged, instead of converting them.
    expect(accepted?.split(',')).toContain('image/heic')

    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await gallery.board('Portraits').tap()
    await expect(page.getByRole('heading', { name: 'This board is empty' })).toBeVisible()
    await expect(page.getByText(/drop|drag/i).filter({ visible: true })).toHaveCount(0)
  })
})
