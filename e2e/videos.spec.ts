import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { drawClip } from '#testing/library/draw-clip.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { brightnessAt } from './fixtures/brightness-at.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.use({ reducedMotion: 'no-preference' })

const video = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Image viewer' }).locator('video[aria-label]')

/** The picture over a video that has drawn no frame. */
const poster = (page: Page): Locator => page.locator('.viewed-picture img')

const timeOf = (page: Page): Promise<number> =>
  video(page).evaluate((one: HTMLVideoElement) => one.currentTime)

type Clip = Parameters<typeof drawClip>[0]

/** A clip of five seconds. */
const LARGE = { width: 320, height: 240, frames: 50 }

async function uploadClip(api: LibraryMaker, fileName: string, clip: Clip = LARGE) {
  const bytes = new Blob([await drawClip(clip)])
  return (await api.client.videos.upload({ bytes, fileName })).video_name
}

/** Uploads a clip and opens it in the viewer. */
async function viewClip(
  { api, page }: { api: LibraryMaker; page: Page },
  clip: Clip = LARGE,
): Promise<string> {
  const videoName = await uploadClip(api, 'boat.mp4', clip)
  await page.goto(`/?image=${videoName}`)
  return videoName
}

/** Makes the browser refuse sound until a key is pressed, as it does for pages that the user has not touched. */
const refuseSound = (page: Page) =>
  page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    let isRefused = true
    window.addEventListener('keydown', () => {
      isRefused = false
    })
    HTMLMediaElement.prototype.play = function () {
      return isRefused && !this.muted
        ? Promise.reject(new DOMException('No gesture', 'NotAllowedError'))
        : play.call(this)
    }
  })

const isPaused = (page: Page, isIt: boolean) => expect(video(page)).toHaveJSProperty('paused', isIt)

test('plays a video at once, in place of its poster', async ({ api, gallery, page }) => {
  await viewClip({ api, page })

  await isPaused(page, false)
  await expect(poster(page)).toHaveCount(0)
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2)
  await page.keyboard.press('Space')
  await isPaused(page, true)
  await expect(gallery.viewer.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('shows no gap between the poster and the first frame @long', async ({
  api,
  gallery,
  page,
}) => {
  await uploadClip(api, 'boat.mp4', { ...LARGE, width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await gallery.open()
  await expect(gallery.image('boat.mp4').locator('img')).toHaveJSProperty('complete', true)
  const session = await page.context().newCDPSession(page)
  const frames: string[] = []
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(data)
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'jpeg', maxWidth: 640, everyNthFrame: 1 })

  await gallery.image('boat.mp4').click()
  await page.keyboard.press('Enter')
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5)
  await session.send('Page.stopScreencast')

  // The left half of the clip is white, and so is its poster. Everything around it is dark.
  const isWhite = await Promise.all(frames.map(async (frame) => (await leftOf(frame)) > 200))
  const sinceOpened = isWhite.slice(isWhite.indexOf(true))
  expect(sinceOpened.length).toBeGreaterThan(5)
  expect(sinceOpened).not.toContain(false)
})

/** Returns how bright a picture is at a third of its width and in the middle of its height, from 0 to 255. */
async function leftOf(base64: string): Promise<number> {
  const picture = sharp(Buffer.from(base64, 'base64')).greyscale()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return data[Math.floor(info.height / 2) * info.width + Math.floor(info.width / 3)] ?? 0
}

test('seeks with the slider, its keys, and frame by frame', async ({ api, gallery, page }) => {
  await viewClip({ api, page })
  await isPaused(page, false)
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

test('shows frames of the strip above the slider, and the exact one where the pointer rests @long', async ({
  api,
  gallery,
  page,
}) => {
  await viewClip({ api, page }, { ...LARGE, black: 25 })
  await isPaused(page, false)
  await page.keyboard.press('k')
  const exact = gallery.viewer.locator('video:not([aria-label])')
  const strip = gallery.viewer.locator('[data-strip-frame]')
  const bar = gallery.viewer.getByRole('slider', { name: 'Seek' }).locator('../../..')
  const box = await settledBox(bar)
  const moveTo = (share: number) =>
    page.mouse.move(box.x + share * box.width, box.y + box.height / 2)

  await moveTo(0.2)
  await expect(strip.locator('img')).toHaveJSProperty('complete', true)
  await expect(strip).toHaveAttribute('data-strip-frame', /[34]/)
  await expect(exact).toHaveCSS('opacity', '1')
  expect(await brightnessAt(strip, 0.25)).toBeLessThan(40)
  await moveTo(0.8)
  await expect(strip).toHaveAttribute('data-strip-frame', /1[56]/)
  await expect(exact).toHaveCSS('opacity', '1')
  expect(await brightnessAt(strip, 0.25)).toBeGreaterThan(215)
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])

  await page.mouse.move(0, 0)
  await expect(strip).toHaveCount(0)
})

test('mutes with M, remembers it, and lets M move a clip without sound @long', async ({
  api,
  gallery,
  page,
}) => {
  await refuseSound(page)
  const silent = await uploadClip(api, 'silent.mp4')
  await viewClip({ api, page }, { ...LARGE, hasSound: true })
  const mute = gallery.viewer.getByRole('button', { name: 'Mute' })
  await isPaused(page, false)
  await expect(mute).toHaveAttribute('aria-pressed', 'true')

  await page.keyboard.press('m')
  await expect(video(page)).toHaveJSProperty('muted', false)
  await expect(gallery.viewer.getByRole('button', { name: 'Move to board…' })).not.toHaveAttribute(
    'aria-keyshortcuts',
  )
  await page.keyboard.press('m')
  await page.reload()
  await expect(mute).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('m')
  await expect(video(page)).toHaveJSProperty('muted', false)

  await page.goto(`/?image=${silent}`)
  await isPaused(page, false)
  await expect(mute).toBeHidden()
  await page.keyboard.press('m')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
})

test('hides the controls while a video plays, and shows them for keys and while it is paused @long', async ({
  api,
  gallery,
  page,
}) => {
  await viewClip({ api, page })
  const controls = gallery.viewer.getByRole('group', { name: 'Video controls' })
  await isPaused(page, false)

  await expect(controls).toHaveCSS('opacity', '0')
  await page.keyboard.press('k')
  await isPaused(page, true)
  await expect(controls).toHaveCSS('opacity', '1')
  await page.mouse.move(700, 400)
  await page.mouse.click(700, 400)
  await isPaused(page, false)
  await expect(controls).toHaveCSS('opacity', '0')
})

test('saves a frame as an image next to the video, with Undo', async ({ api, gallery, page }) => {
  await viewClip({ api, page })
  await isPaused(page, false)
  await page.keyboard.press('k')
  const seek = gallery.viewer.getByRole('slider', { name: 'Seek' })
  await seek.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')

  await page.keyboard.press('e')

  const toast = gallery.toast('Saved “boat 0-01.0.png” to Assets')
  await expect(toast).toBeVisible()
  const [frame] = await api.imagesOn()
  expect(frame).toMatchObject({ file_name: 'boat 0-01.0.png', width: 320, height: 240 })
  await gallery.undo()
  await expect.poll(() => api.namesOn()).not.toContain('boat 0-01.0.png')
})

test('zooms and pans a video that plays on, and plays and pauses it by click @long', async ({
  api,
  page,
}) => {
  await viewClip({ api, page }, { ...LARGE, width: 1280, height: 960 })
  await isPaused(page, false)
  await expect(poster(page)).toHaveCount(0)
  const fitted = await settledBox(video(page))
  await page.mouse.move(720, 400)
  await page.mouse.wheel(0, -500)
  const zoomed = await settledBox(video(page))
  expect(zoomed.width).toBeGreaterThan(fitted.width + 10)

  await page.mouse.down()
  await page.mouse.move(760, 440, { steps: 4 })
  await page.mouse.up()
  const panned = await settledBox(video(page))
  expect(panned.x).toBeGreaterThan(zoomed.x + 20)
  await isPaused(page, false)
  await page.mouse.click(720, 400)
  await isPaused(page, true)
})

test('copies a frame @long', async ({ api, context, gallery, page }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await viewClip({ api, page })
  await isPaused(page, false)

  await page.keyboard.press('Shift+C')

  await expect(gallery.toast('Frame copied')).toBeVisible()
  const size = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const picture = item && (await createImageBitmap(await item.getType('image/png')))
    return [picture?.width, picture?.height]
  })
  expect(size).toEqual([320, 240])
})

test('says which codec the browser cannot play, and offers the file @long', async ({
  api,
  gallery,
  page,
}) => {
  await viewClip({ api, page }, { container: 'mov', codec: 'prores' })

  const note = gallery.viewer.getByRole('alert')
  await expect(note).toHaveText('This browser cannot play ProRes videos.')
  const download = page.waitForEvent('download')
  await gallery.viewer.getByRole('button', { name: 'Download' }).last().click()
  expect((await download).suggestedFilename()).toBe('boat.mp4')
})

test('makes a playable copy of a video, and plays it at once the next time', async ({
  api,
  gallery,
  page,
}) => {
  await viewClip({ api, page }, { ...LARGE, container: 'mov', codec: 'prores' })
  await expect(gallery.viewer.getByRole('alert')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])

  await gallery.viewer.getByRole('button', { name: 'Make a playable copy' }).press('Enter')
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2)
  await expect(gallery.viewer.getByRole('alert')).toBeHidden()

  await page.reload()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2)
  await expect(gallery.viewer.getByRole('alert')).toBeHidden()
})

test('cancels a playable copy, shows why one fails, and tries again @long', async ({
  api,
  gallery,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  let isRefused = false
  await page.route('**/playable', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    if (!isRefused) return // The answer never comes.
    const refusal = {
      code: 'cannot_convert',
      status: 501,
      detail: 'This server cannot convert videos.',
    }
    await route.fulfill({
      contentType: 'application/x-ndjson',
      body: `${JSON.stringify({ progress: 0.4 })}\n${JSON.stringify({ refusal })}\n`,
    })
  })
  await viewClip({ api, page }, { container: 'mov', codec: 'prores' })
  const make = gallery.viewer.getByRole('button', { name: 'Make a playable copy' })

  await make.click()
  await expect(gallery.viewer.getByRole('progressbar')).toHaveText('Making a playable copy: 0 %')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  const cancel = gallery.viewer.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeInViewport({ ratio: 1 })
  await cancel.click()
  await expect(gallery.viewer.getByRole('alert')).toContainText('cannot play ProRes videos')

  isRefused = true
  await make.click()
  await expect(gallery.viewer.getByRole('alert')).toHaveText('This server cannot convert videos.')
  await page.unroute('**/playable')

  // The copy is made, and does not load.
  await page.route('**/playable', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 404 }) : route.fallback(),
  )
  await gallery.viewer.getByRole('button', { name: 'Try again' }).click()
  const words = 'Couldn’t play the copy of this video.'
  await expect(gallery.viewer.getByRole('alert')).toHaveText(words)
  await page.unroute('**/playable')
  await gallery.viewer.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.2)
})

test('offers to try again when a video does not load @long', async ({ api, gallery, page }) => {
  await page.route('**/full', (route) => route.fulfill({ status: 503 }))
  await viewClip({ api, page })
  await expect(gallery.viewer.getByRole('alert')).toHaveText(
    'Couldn’t load the video: the server did not answer.',
  )
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.unroute('**/full')

  await gallery.viewer.getByRole('button', { name: 'Try again' }).click()

  await isPaused(page, false)
  await expect(poster(page)).toHaveCount(0)
  await expect(gallery.viewer.getByRole('alert')).toBeHidden()
})

test('plays each video to its end in a slideshow @long', async ({ api, gallery, page }) => {
  await uploadClip(api, 'second.mp4', { ...LARGE, frames: 15 })
  await viewClip({ api, page }, { ...LARGE, frames: 15 })
  await expect(gallery.viewer).toContainText('1 of 2')

  await page.keyboard.press('Shift+S')

  await expect(gallery.viewer).toContainText('2 of 2')
  await expect(gallery.viewer).toContainText('1 of 2')
})

test('loads no video before it is shown @long', async ({ api, gallery, page }) => {
  const loaded: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/full')) loaded.push(request.url())
  })
  const neighbor = await uploadClip(api, 'neighbor.mp4')
  const shown = await viewClip({ api, page })
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0)
  await expect.poll(() => loaded.some((url) => url.includes(shown))).toBe(true)

  expect(loaded.filter((url) => url.includes(neighbor))).toEqual([])
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 2')
  await expect.poll(() => loaded.some((url) => url.includes(neighbor))).toBe(true)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })

  test('seeks by touch without paging, with controls that fit', async ({ api, gallery, page }) => {
    await uploadClip(api, 'older.mp4')
    await viewClip({ api, page }, { ...LARGE, hasSound: true })
    await isPaused(page, false)
    await page.keyboard.press('k')
    const seek = gallery.viewer.getByRole('slider', { name: 'Seek' })
    const box = await gallery.viewer.getByRole('group', { name: 'Video controls' }).boundingBox()
    const buttons = await gallery.viewer
      .getByRole('group', { name: 'Video controls' })
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))

    const y = (box?.y ?? 0) + 24
    const bar = await settledBox(seek.locator('../../..'))
    const end = bar.x + 0.86 * bar.width
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove', x: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
    await touch('touchStart', 120)
    for (const x of [140, 160, 180, 200, end]) await touch('touchMove', x)
    const strip = gallery.viewer.locator('[data-strip-frame]')
    await expect(strip).toHaveAttribute('data-strip-frame', /1[5-9]/)
    await expect(strip).toBeInViewport({ ratio: 1 })
    await expect(strip.locator('img')).toHaveJSProperty('complete', true)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })

    await expect(seek).toHaveAttribute('aria-valuetext', '0:04 of 0:05')
    await expect(strip).toHaveCount(0)
    await expect(gallery.viewer).toContainText('1 of 2')
    expect(Math.min(...buttons)).toBeGreaterThanOrEqual(40)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  })
})

test.describe('with less motion', () => {
  test.use({ reducedMotion: 'reduce' })

  test('waits for the user, with buttons that screen readers understand', async ({
    api,
    gallery,
    page,
  }) => {
    await viewClip({ api, page }, { ...LARGE, hasSound: true })
    await expect(gallery.viewer.getByRole('button', { name: 'Play' })).toBeVisible()

    await isPaused(page, true)
    await expect(gallery.viewer.getByRole('button', { name: 'Loop', pressed: true })).toBeVisible()
    await page.keyboard.press('i')
    await expect(gallery.details).toContainText('H.264')
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
    await page.keyboard.press('Space')
    await isPaused(page, false)
  })
})

test('makes a frame the thumbnail, takes it back, also after a reload', async ({
  api,
  gallery,
  page,
}) => {
  const videoName = await viewClip({ api, page }, { ...LARGE, black: 20 })
  const posterOf = async () => (await api.client.videos.get(videoName))?.poster_ms
  const picture = gallery.image('boat.mp4').locator('img')
  await isPaused(page, false)
  await page.keyboard.press('k')
  await gallery.viewer.getByRole('slider', { name: 'Seek' }).press('Home')
  await expect.poll(() => timeOf(page)).toBe(0)

  const changed = gallery.toast('Thumbnail of “boat.mp4” changed')
  await page.keyboard.press('Shift+T')
  await expect(changed).toBeVisible()
  expect(await posterOf()).toBe(0)
  await page.keyboard.press('Escape')
  await expect(picture).toHaveAttribute('src', /poster=0$/)
  await page.reload()
  await expect(picture).toHaveAttribute('src', /poster=0$/)
  await expect(picture).toHaveJSProperty('complete', true)

  await page.goto(`/?image=${videoName}`)
  await isPaused(page, false)
  await page.keyboard.press('k')
  await gallery.viewer.getByRole('slider', { name: 'Seek' }).press('End')
  await expect.poll(() => timeOf(page)).toBeCloseTo(5, 0)
  await page.keyboard.press('Shift+T')
  await expect.poll(posterOf).toBeGreaterThan(4_000)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(posterOf).toBe(0)
  await expect(changed).toBeHidden()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Use the automatic thumbnail' }).click()
  // The page shows it once a reload does not lose the Undo.
  await expect(changed).toBeVisible()
  expect(await posterOf()).toBeNull()
  await page.keyboard.press('Escape')
  await expect(picture).toHaveAttribute('src', /poster=auto$/)

  await page.reload()
  await expect(page.getByRole('button', { name: 'Undo last change' })).toBeEnabled()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(picture).toHaveAttribute('src', /poster=0$/)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(picture).toHaveAttribute('src', /poster=auto$/)
  await api.client.videos.setPoster(videoName, { timeMs: 2_000 })
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('Its thumbnail was changed since.')).toBeVisible()
  expect(await posterOf()).toBe(2_000)
})
