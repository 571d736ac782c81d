import type { Page } from '@playwright/test'
import { drawClip, drawClipWithoutFrames } from '#testing/library/draw-clip.ts'
import { expect, test } from './fixtures.ts'

/** Answers requests for the file of a video with these bytes. */
const serve = (page: Page, videoName: string, bytes: Buffer) =>
  page.route(`**/${videoName}/full`, async (route) => {
    const [, first = '0', last] =
      /bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? []
    const part = bytes.subarray(Number(first), last ? Number(last) + 1 : undefined)
    await route.fulfill({
      status: 206,
      contentType: 'video/mp4',
      headers: {
        'accept-ranges': 'bytes',
        'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`,
      },
      body: part,
    })
  })

/** Records the requests of a page that set a poster. */
function postersOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/poster')) sent.push(request.url())
  })
  return sent
}

// The server cannot decode these videos, as without its optional decoder. The browsers get others that they can.
test('makes the posters of videos that the server cannot decode', async ({
  api,
  browser,
  gallery,
  page,
}) => {
  const bytes = new Blob([await drawClipWithoutFrames()])
  const upload = async (fileName: string) =>
    (await api.client.videos.upload({ bytes, fileName })).video_name
  const broken = await upload('broken.mp4')
  const boat = await upload('boat.mp4')
  await serve(page, boat, await drawClip({ width: 320, height: 240, black: 3 }))
  const sent = postersOf(page)

  await gallery.open()

  const picture = gallery.image('boat.mp4').locator('img')
  await expect(picture).toHaveJSProperty('naturalWidth', 320)
  await expect(gallery.image('broken.mp4').getByTitle('This video has no picture')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo last change' })).toBeDisabled()
  expect(await api.client.videos.get(boat)).toMatchObject({
    poster_ms: null,
    thumbhash: expect.any(String),
  })
  expect(await api.client.videos.get(broken)).toMatchObject({ thumbhash: null })
  expect(sent).toHaveLength(1)

  const other = await browser.newPage()
  const sentByOther = postersOf(other)
  await other.goto(page.url())
  await expect(other.locator('[data-picture="boat.mp4"] img')).toHaveJSProperty('naturalWidth', 320)
  expect(sentByOther).toEqual([])
  await other.close()
})

test('makes no poster while the library is read-only @long', async ({ api, gallery, page }) => {
  const bytes = new Blob([await drawClipWithoutFrames()])
  const { video_name } = await api.client.videos.upload({ bytes, fileName: 'boat.mp4' })
  await serve(page, video_name, await drawClip())
  const sent = postersOf(page)
  await page.route('**/health', (route) => route.fulfill({ json: { status: 'read_only' } }))

  const asked = page.waitForResponse('**/health')
  await gallery.open()
  await asked
  await expect(gallery.image('boat.mp4').getByTitle('This video has no picture')).toBeVisible()
  expect(sent).toEqual([])

  await page.unroute('**/health')
  await page.reload()
  await expect(gallery.image('boat.mp4').locator('img')).toHaveJSProperty('naturalWidth', 64)
  expect(sent).toHaveLength(1)
})

test('shows a thumbnail that another device chose, without a reload and without an empty tile', async ({
  api,
  gallery,
}) => {
  const bytes = new Blob([await drawClip({ frames: 30, black: 12 })])
  const { video_name } = await api.client.videos.upload({ bytes, fileName: 'boat.mp4' })
  await gallery.open()
  const tile = gallery.image('boat.mp4')
  await expect(tile.locator('img')).toHaveJSProperty('naturalWidth', 64)
  const stop = await tile.evaluateHandle((box) => {
    const seen = new Set<string>()
    let isOver = false
    const look = () => {
      const pictures = [...box.querySelectorAll('img')].filter((one) => one.naturalWidth > 0)
      seen.add(pictures.length === 0 ? 'empty' : (pictures[0]?.src.replace(/^.*\?/, '') ?? ''))
      if (!isOver) requestAnimationFrame(look)
    }
    look()
    return () => {
      isOver = true
      return [...seen]
    }
  })

  await api.client.videos.setPoster(video_name, { timeMs: 0 })
  await expect(tile.locator('img')).toHaveAttribute('src', /poster=0$/)
  await api.client.videos.setPoster(video_name, { timeMs: null })
  await expect(tile.locator('img')).toHaveAttribute('src', /poster=auto$/)

  expect(await stop.evaluate((end) => end())).toEqual(['poster=auto', 'poster=0'])
})
