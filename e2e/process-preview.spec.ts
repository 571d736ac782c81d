import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { writeBmp } from '#testing/library/write-bmp.ts'
import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { expect, test } from './fixtures.ts'

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

/** Records requests that count toward the server's limits. */
function countedRequests(page: Page): string[] {
  const counted: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isExempt = /\/(full|thumbnail)$/.test(pathname) || !pathname.startsWith('/api/')
    if (!isExempt) counted.push(`${request.method()} ${pathname}`)
  })
  return counted
}

/** Returns the pixels of the preview on white, as shown. */
async function previewOf(dialog: Locator) {
  const result = dialog.getByRole('img', { name: 'Result' })
  const url = await result.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  return pixelsOf(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
}

async function pixelsOf(file: Buffer | ArrayBuffer, size?: { width: number; height: number }) {
  const image = sharp(file).flatten({ background: 'white' }).toColourspace('srgb')
  const sized = size ? image.resize({ ...size, fit: 'fill' }) : image
  const { data, info } = await sized.raw().toBuffer({ resolveWithObject: true })
  return { data, size: { width: info.width, height: info.height } }
}

/** Returns the mean difference between a preview and the processed image of this name, in levels of 255. */
async function meanDifference(
  preview: Awaited<ReturnType<typeof previewOf>>,
  api: LibraryMaker,
  fileName: string,
) {
  const processed = async () =>
    (await api.imagesOn()).find((image) => image.file_name === fileName && !image.is_intermediate)
  await expect.poll(processed, RESULT_TIMEOUT).toBeDefined()
  const image = await processed()
  if (image === undefined) throw new Error('The image is missing.')
  const response = await fetch(api.client.images.fullUrl(image))
  const real = await pixelsOf(await response.arrayBuffer(), preview.size)
  let sum = 0
  for (const [at, value] of real.data.entries()) sum += Math.abs(value - (preview.data[at] ?? 0))
  return sum / real.data.length
}

const RESULT_OF_20 = 'Result 1250 × 1250'

test.describe('under the published limits', () => {
  test.use({ serverFlags: ['--rate-limit', '100,10'] })

  test('sends no counted request for twenty changes, with a preview like the result', async ({
    api,
    gallery,
    page,
  }) => {
    await api.uploadImage('photo.jpg', { widthPx: 3000, heightPx: 2000 })
    await gallery.open({ board: 'none' })
    const { dialog, addStep, field } = await openProcess(gallery)
    await addStep('Crop')
    await addStep('Enhance')
    await addStep('Pad')
    await expect(dialog.getByText('Result 2064 × 2064')).toBeVisible(RESULT_TIMEOUT)
    await page.waitForLoadState('networkidle')
    const counted = countedRequests(page)

    for (let change = 1; change <= 18; change++) {
      await field('Contrast').fill(String(100 + change * 2))
    }
    await field('Left').fill('0')
    await dialog.getByRole('button', { name: 'Remove Pad' }).click()
    await addStep('Resize')
    await field('Size').fill('1250')

    await expect(dialog.getByText(RESULT_OF_20)).toBeVisible()
    expect(counted).toEqual([])
    const preview = await previewOf(dialog)
    await dialog.getByRole('button', { name: 'Process 1 image' }).click()
    expect(await meanDifference(preview, api, 'photo (processed).png')).toBeLessThan(1.5)
  })
})

test('retries an image that fails to load and shows hidden colors that a step restores', async ({
  api,
  gallery,
  page,
}) => {
  // Invisible orange, except for a blue square.
  const square = await sharp({
    create: { width: 20, height: 20, channels: 4, background: '#2040ff' },
  })
    .png()
    .toBuffer()
  const bytes = await sharp({
    create: { width: 80, height: 60, channels: 4, background: { r: 255, g: 128, b: 0, alpha: 0 } },
  })
    .composite([{ input: square, left: 30, top: 20, blend: 'add' }])
    .png()
    .toBuffer()
  await api.client.uploads.upload({ bytes: new Blob([new Uint8Array(bytes)]), fileName: 'a.png' })
  await gallery.open({ board: 'none' })
  const { dialog, addStep } = await openProcess(gallery)

  await page.context().route('**/full', (route) => route.abort())
  await addStep('Color mode')
  await expect(dialog.getByRole('alert')).toContainText(
    'The preview failed: The image could not be loaded',
  )
  await page.context().unroute('**/full')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText('Result 80 × 60')).toBeVisible(RESULT_TIMEOUT)

  const preview = await previewOf(dialog)
  await dialog.getByRole('button', { name: 'Process 1 image' }).click()
  expect(await meanDifference(preview, api, 'a (processed).png')).toBeLessThan(1)
})

/** Two halves in different colors, which reveal a wrong orientation or frame. */
const halves = (left: string, right: string) =>
  sharp({ create: { width: 120, height: 60, channels: 3, background: left } }).composite([
    {
      input: { create: { width: 60, height: 60, channels: 3, background: right } },
      left: 60,
      top: 0,
    },
  ])

test('previews rotated photos and first frames of animations as the server processes them', async ({
  api,
  gallery,
}) => {
  const frames = await Promise.all(
    [halves('#c03020', '#20c030'), halves('#2030c0', '#c0c020')].map((one) => one.raw().toBuffer()),
  )
  const raw = { width: 120, height: 120, channels: 3, pageHeight: 60 } as const
  const gif = await sharp(Buffer.concat(frames), { raw })
    .gif({ delay: [100, 100] })
    .toBuffer()
  const turned = await halves('#c03020', '#20c030')
    .jpeg({ quality: 100 })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  for (const [fileName, bytes] of [
    ['a.gif', gif],
    ['b.jpg', turned],
  ] as const) {
    await api.client.uploads.upload({ bytes: new Blob([new Uint8Array(bytes)]), fileName })
  }
  await gallery.open({ board: 'none' })
  const { dialog, addStep } = await openProcess(gallery)

  await addStep('Color mode')
  await expect(dialog.getByText('Result 60 × 120')).toBeVisible(RESULT_TIMEOUT)
  await expect(dialog.getByText('is animated')).toBeHidden()
  const ofTurned = await previewOf(dialog)
  await dialog.getByRole('button', { name: 'Next image' }).click()
  await expect(dialog.getByText('Result 120 × 60')).toBeVisible(RESULT_TIMEOUT)
  await expect(dialog.getByText('Only its first frame is processed')).toBeVisible()
  const ofAnimation = await previewOf(dialog)
  await dialog.getByRole('button', { name: 'Process 2 images' }).click()

  expect(await meanDifference(ofTurned, api, 'b (processed).png')).toBeLessThan(1.5)
  expect(await meanDifference(ofAnimation, api, 'a (processed).png')).toBeLessThan(1.5)
})

test('shows a BMP completely and previews it', async ({ api, gallery }) => {
  const bmp = writeBmp({ width: 200, height: 100 }, (x) =>
    x < 100 ? [192, 48, 32, 255] : [0, 0, 0, 255],
  )
  await api.client.uploads.upload({ bytes: new Blob([new Uint8Array(bmp)]), fileName: 'old.bmp' })
  await gallery.open({ board: 'none' })

  await gallery.image('old.bmp').dblclick()
  const full = gallery.viewer.locator('img[src$="/full"]')
  await expect(full).toHaveJSProperty('naturalWidth', 200)
  await gallery.page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()

  const { dialog, addStep, field } = await openProcess(gallery)
  await addStep('Resize')
  await field('Size').fill('100')
  await expect(dialog.getByText('Result 100 × 50')).toBeVisible(RESULT_TIMEOUT)
})

test.describe('with a limit of a million pixels', () => {
  test.use({ serverFlags: ['--max-pixels', '1000000'] })

  test('names images beyond the limit before sending, and falls back to a thumbnail preview', async ({
    api,
    gallery,
    page,
  }) => {
    const tiff = await halves('#c03020', '#20c030').tiff().toBuffer()
    await api.client.uploads.upload({
      bytes: new Blob([new Uint8Array(tiff)]),
      fileName: 'a.tif',
    })
    await gallery.open({ board: 'none' })
    const { dialog, addStep, field } = await openProcess(gallery)
    const counted = countedRequests(page)

    await addStep('Resize')
    await field('Size').fill('4000')
    await expect(dialog.getByRole('alert')).toHaveText(
      'The server refuses step 1: 4000 × 2000 pixels are more than its limit of 1,000,000.',
    )
    await field('Size').fill('100')
    await expect(dialog.getByText('Result 100 × 50')).toBeVisible(RESULT_TIMEOUT)

    await expect(dialog.getByRole('alert')).toBeHidden()
    await expect(dialog.getByText('because browsers cannot show TIFF files')).toBeVisible()
    expect(counted.filter((request) => request.startsWith('POST'))).toEqual([])
  })
})
