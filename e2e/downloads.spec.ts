import { readFile } from 'node:fs/promises'
import type { Download } from '@playwright/test'
import { readStoredZip } from '#testing/library/read-stored-zip.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const bytesOf = async (download: Download) => readFile(await download.path())

test('downloads images under other names, converted and without metadata', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  await gallery.select('b.png', 'a.png')
  await page.keyboard.press('Shift+X')
  const dialog = page.getByRole('dialog', { name: 'Download 2 images' })
  const names = dialog.getByRole('textbox', { name: 'File names' })
  const preview = dialog.getByRole('list', { name: 'First file names' })
  await expect(preview).toContainText('a.png')

  await names.fill('{board}/{name}_')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await page.getByRole('menuitem', { name: '{index}' }).click()
  await expect(names).toHaveValue('{board}/{name}_{index}')
  await dialog.getByRole('combobox', { name: 'Format' }).selectOption('JPEG')
  await dialog.getByRole('switch', { name: 'Without metadata' }).check()
  await expect(preview.getByRole('listitem').first()).toHaveText(/^Assets\/[ab]_1\.jpg$/)
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  const shown = await preview.getByRole('listitem').allTextContents()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()

  const files = readStoredZip(await bytesOf(await downloading))
  expect([...files.keys()]).toEqual(shown)
  for (const bytes of files.values()) expect(bytes.toString('latin1')).toMatch(/^\xff\xd8\xff/)
  await expect(dialog).toBeHidden()
})

test('downloads a single image as a file, and says why if it cannot', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImage('a.png')
  await gallery.open({ board: 'none' })
  await gallery.select('a.png')
  await page.keyboard.press('Shift+X')
  const dialog = page.getByRole('dialog', { name: 'Download 1 image' })
  await dialog.getByRole('switch', { name: 'Without metadata' }).check()
  await page.route('**/api/v1/images/archives/*', (route) =>
    route.fulfill({
      status: 409,
      json: { detail: 'The metadata of this file cannot be removed.' },
    }),
  )
  await dialog.getByRole('button', { name: 'Download' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Nothing was downloaded. The metadata of this file cannot be removed.',
  )

  await page.unroute('**/api/v1/images/archives/*')
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()

  const download = await downloading
  expect(download.suggestedFilename()).toBe('a.png')
  const text = (await bytesOf(download)).toString('latin1')
  expect(text).toMatch(/^\x89PNG/)
  expect(text).not.toMatch(/tEXt|iTXt|zTXt|eXIf/)
})

test('copies an image without its metadata', async ({ api, context, gallery, page }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await api.uploadImage('a.png')
  await gallery.open({ board: 'none' })
  await gallery.select('a.png')

  await page.keyboard.press('Shift+Y')

  await expect(page.getByText('Image copied without metadata')).toBeVisible()
  const types = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    return item?.types
  })
  expect(types).toContain('image/png')
})

test('makes a contact sheet as PDF and as PNG @long', async ({ api, gallery, page }) => {
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open({ board: 'none' })
  await gallery.select('a.png', 'b.png', 'c.png')
  await page.keyboard.press('Shift+X')
  const dialog = page.getByRole('dialog', { name: 'Download 3 images' })
  const sheet = async (format: 'PDF' | 'PNG') => {
    await dialog.getByRole('radio', { name: format }).check()
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    return downloading
  }

  await dialog.getByRole('radio', { name: 'Contact sheet' }).check()
  await dialog.getByRole('combobox', { name: 'Columns' }).selectOption('2')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  const pdf = await sheet('PDF')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Shift+X')
  const png = await sheet('PNG')

  expect(pdf.suggestedFilename()).toBe('Contact sheet.pdf')
  const text = (await bytesOf(pdf)).toString('latin1')
  expect(text.startsWith('%PDF-1.4')).toBe(true)
  expect(text).toContain('/Count 1 ')
  expect(png.suggestedFilename()).toBe('Contact sheet.png')
  // Two rows of two columns.
  const bytes = await bytesOf(png)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  expect(width).toBe(1600)
  expect(height).toBeGreaterThan(1600)
})
