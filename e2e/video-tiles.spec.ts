import type { Locator, Page } from '@playwright/test'
import { drawClip } from '#testing/library/draw-clip.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { brightnessAt } from './fixtures/brightness-at.ts'
import { dropFiles } from './fixtures/drop-files.ts'
import { IMAGE_TIMEOUT } from './fixtures/generations.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

/** A clip of five seconds. */
const LONG = { width: 320, height: 240, frames: 50 }

async function uploadClip(
  api: LibraryMaker,
  fileName: string,
  clip: Parameters<typeof drawClip>[0] = LONG,
) {
  const bytes = new Blob([await drawClip(clip)])
  return (await api.client.videos.upload({ bytes, fileName })).video_name
}

const leftOf = (strip: Locator): Promise<number> => brightnessAt(strip, 0.25)

const playing = (page: Page): Locator => page.locator('[data-playing] video')

test('takes dropped videos, counts them, and undoes a delete', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  const boat = await gallery.writeFile('boat.mp4', await drawClip({ hasSound: true }))
  const cut = await gallery.writeFile('cut.webm', (await drawClip()).subarray(0, 300))
  const [still = ''] = await gallery.drawFiles(['still.png'])

  await dropFiles([boat, cut, still], page.getByRole('main'))

  await expect(gallery.tiles).toHaveCount(2, IMAGE_TIMEOUT)
  await expect(page.getByText('2 uploaded, 1 failed')).toBeVisible()
  await expect(page.getByRole('main').getByText('2 items')).toBeVisible()
  const tile = page.getByRole('gridcell', { name: 'boat.mp4' })
  await expect(tile).toHaveAttribute('aria-description', 'Video, 0:01, with sound')
  await expect(tile.locator('[data-badge=video]')).toHaveText('0:01')
  await expect(tile.locator('img')).toHaveJSProperty('complete', true)

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(gallery.tiles).toHaveCount(0)
  await expect(page.getByText('Moved 2 items to the trash')).toBeVisible()
  await gallery.openBoard('Trash')
  await expect(gallery.tiles).toHaveCount(2)
  await expect(page.getByRole('main').getByText('2 items', { exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.tiles).toHaveCount(0)
  // The page shows the Undo before the server answers.
  await expect.poll(() => api.client.images.count({ kind: 'all' })).toBe(2)
})

test('shows only videos, and what others do to them @long', async ({ api, gallery, page }) => {
  await api.uploadImages(['a.png', 'b.png'])
  const boat = await uploadClip(api, 'boat.mp4')
  await gallery.open()
  await expect(gallery.tiles).toHaveCount(3)

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Videos')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/kind=videos/)
  await expect(gallery.tiles).toHaveCount(1)
  await expect(page.getByRole('main').getByText('1 video', { exact: true })).toBeVisible()
  await gallery.image('boat.mp4').click({ button: 'right' })
  await expect(page.getByRole('menu', { name: 'Video' })).toBeVisible()
  await page.keyboard.press('Escape')

  await uploadClip(api, 'car.mp4', {})
  await expect(gallery.tiles).toHaveCount(2)
  await api.client.videos.star([boat])
  await expect(page.getByRole('gridcell', { name: 'boat.mp4' })).toHaveAttribute(
    'aria-description',
    'Starred, Video, 0:05',
  )
  await api.client.videos.delete([boat])
  await expect(gallery.tiles).toHaveCount(1)
})

test('sorts by length, and shows only clips of a length, by keyboard @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['still.png'])
  await uploadClip(api, 'long.mp4')
  await uploadClip(api, 'short.mp4', {})
  await gallery.open()
  await expect(gallery.tiles).toHaveCount(3)

  await gallery.sort('Length')
  await expect.poll(() => gallery.shownNames()).toEqual(['long.mp4', 'short.mp4', 'still.png'])
  await page.getByRole('button', { name: 'Filter' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Show' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Under 5')
  await page.keyboard.press('Escape')

  await expect(page).toHaveURL(/kind=videos&length=under-5s&sort=length/)
  await expect.poll(() => gallery.shownNames()).toEqual(['short.mp4'])
  await page.getByRole('button', { name: 'Only Videos under 5 s: clear filter' }).click()
  await expect(gallery.tiles).toHaveCount(3)
})

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' })

  test('shows frames of a video that the browser cannot play, along the tile @long', async ({
    api,
    gallery,
    page,
  }) => {
    const unplayable = { container: 'mov', codec: 'prores', width: 160, height: 90 } as const
    await uploadClip(api, 'boat.mov', { ...unplayable, frames: 20, black: 10 })
    await gallery.open()
    const boat = page.getByRole('gridcell', { name: 'boat.mov' })
    const strip = page.locator('[data-strip-frame]')
    const box = await settledBox(boat)
    const moveTo = (share: number) =>
      page.mouse.move(box.x + share * box.width, box.y + box.height / 2, { steps: 2 })

    await moveTo(0.5)
    await expect(strip.locator('img')).toHaveJSProperty('complete', true)
    await moveTo(0.1)
    await expect(strip).toHaveAttribute('data-strip-frame', '2')
    await expect(strip).toBeVisible()
    expect(await leftOf(strip)).toBeLessThan(40)
    await moveTo(0.9)
    await expect(strip).toHaveAttribute('data-strip-frame', /1[78]/)
    expect(await leftOf(strip)).toBeGreaterThan(215)
    expect(await seriousFaultsInBothSchemes(page, '[data-strip-frame]')).toEqual([])

    await page.mouse.move(0, 0)
    await expect(strip).toHaveCount(0)
  })

  test('plays one video at a time under the pointer, and seeks along the tile', async ({
    api,
    gallery,
    page,
  }) => {
    await uploadClip(api, 'boat.mp4')
    await uploadClip(api, 'car.mp4')
    await gallery.open()
    const [boat, car] = ['boat.mp4', 'car.mp4'].map((name) => page.getByRole('gridcell', { name }))
    if (boat === undefined || car === undefined) throw new Error('There are two names.')

    await boat.hover()
    await expect(playing(page)).toHaveCount(1)
    await expect(playing(page)).toHaveJSProperty('muted', true)
    await expect
      .poll(() => playing(page).evaluate((one: HTMLVideoElement) => one.currentTime))
      .toBeGreaterThan(0.1)
    const box = await boat.boundingBox()
    if (box === null) throw new Error('The tile can be seen.')
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2)
    await expect
      .poll(() => playing(page).evaluate((one: HTMLVideoElement) => one.currentTime))
      .toBeGreaterThan(3.5)

    await car.hover()
    await expect(car.locator('[data-playing]')).toHaveCount(1)
    await expect(playing(page)).toHaveCount(1)
  })
})

test('plays nothing under the pointer with reduced motion @long', async ({
  api,
  gallery,
  page,
}) => {
  await uploadClip(api, 'boat.mp4')
  await gallery.open()

  await page.getByRole('gridcell', { name: 'boat.mp4' }).hover()

  await expect(page.getByText('320 × 240 · 0:05 · MP4')).toBeVisible()
  await expect(page.locator('[role=gridcell] video')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })

  test('leaves room for the name of a board next to a filter, and for the time of an upload @long', async ({
    api,
    gallery,
    page,
  }) => {
    const { boardId } = await api.createBoard('Summer holidays in the mountains')
    const bytes = new Blob([await drawClip()])
    await api.client.videos.upload({ bytes, fileName: 'boat.mp4' }, { boardId })
    await page.goto(`/?board=${boardId}&kind=videos&length=under-5s`)
    await expect(gallery.tiles).toHaveCount(1)

    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.width).toBeGreaterThan(150)
    const chip = page.getByRole('button', { name: 'Only Videos under 5 s: clear filter' })
    expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(44)

    const session = await page.context().newCDPSession(page)
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 },
    })
    const chooser = page.waitForEvent('filechooser')
    await gallery.add('Upload files…')
    const buffer = await paddedClip(20_000_000)
    await (await chooser).setFiles([{ name: 'long.mp4', mimeType: 'video/mp4', buffer }])
    await expect(gallery.tray.getByText(/left$/)).toBeInViewport({ ratio: 1 })
    await expect(gallery.tray.getByText(/\/s$/)).toBeInViewport({ ratio: 1 })
    await chip.tap()
    await expect(page).not.toHaveURL(/kind=videos/)
  })
})
