import type { Locator, Page } from '@playwright/test'
import { drawClip } from '#testing/library/draw-clip.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { expect, test } from './fixtures.ts'

test.use({ reducedMotion: 'no-preference' })

const video = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Image viewer' }).locator('video[aria-label]')

const timeOf = (page: Page): Promise<number> =>
  video(page).evaluate((one: HTMLVideoElement) => one.currentTime)

/** Uploads a clip and opens it in the viewer. */
async function viewClip(
  { api, page }: { api: LibraryMaker; page: Page },
  clip: Parameters<typeof drawClip>[0] = {},
): Promise<string> {
  const bytes = new Blob([await drawClip(clip)])
  const { video_name } = await api.client.videos.upload({ bytes, fileName: 'boat.mp4' })
  await page.goto(`/?image=${video_name}`)
  return video_name
}

test('plays a video at once, in place of its poster', async ({ api, gallery, page }) => {
  await viewClip({ api, page }, { width: 320, height: 240, frames: 50 })

  await expect(video(page)).toHaveJSProperty('paused', false)
  await expect(video(page)).toHaveCSS('opacity', '1')
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2)
  await page.keyboard.press('Space')
  await expect(video(page)).toHaveJSProperty('paused', true)
  await expect(gallery.viewer.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('seeks with the slider, its keys, and frame by frame', async ({ api, gallery, page }) => {
  await viewClip({ api, page }, { width: 320, height: 240, frames: 50 })
  await expect(video(page)).toHaveJSProperty('paused', false)
  await page.keyboard.press('k')
  const seek = gallery.viewer.getByRole('slider', { name: 'Seek' })

  await seek.focus()
  await page.keyboard.press('End')
  await expect(seek).toHaveAttribute('aria-valuetext', '0:05 of 0:05')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(seek).toHaveAttribute('aria-valuetext', '0:03 of 0:05')
  await expect.poll(() => timeOf(page)).toBeCloseTo(3, 1)

  await page.keyboard.press('.')
  await expect.poll(() => timeOf(page)).toBeCloseTo(3.15, 2)
  await page.keyboard.press(',')
  await expect.poll(() => timeOf(page)).toBeCloseTo(3.05, 2)
})
