import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageRecord } from '#contract/image.ts'
import { graphOf } from '#testing/graph-of.ts'
import { enlargingOnnx } from '#testing/models/onnx-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { generations, IMAGE_TIMEOUT, pictures } from './fixtures/generations.ts'
import { endlessTo, failing, quickGraph } from './fixtures/graphs.ts'
import { recordPositions, settledBox } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

test('replaces the tile of a generation by its image in place', async ({ api, gallery }) => {
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(3)

  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph() })
  await expect(generations(gallery)).toBeVisible()
  const cell = await settledBox(generations(gallery))
  const stop = await recordPositions(gallery.grid, ['a.png', 'b.png', 'c.png'])
  await api.client.queue.resume()
  await expect(pictures(gallery)).toHaveCount(4, IMAGE_TIMEOUT)

  await expect(generations(gallery)).toBeHidden()
  await expect.poll(() => pictures(gallery).first().boundingBox()).toEqual(cell)
  const places = Object.values(await stop())
  expect(places.map((seen) => seen.length)).toEqual([1, 1, 1])
})

test('shows the first generation on an empty board @long', async ({ api, gallery }) => {
  const { boardId } = await api.createBoard('Portraits')
  await gallery.open({ board: 'Portraits' })

  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph(boardId) })
  await expect(generations(gallery)).toBeVisible()
  const cell = await settledBox(generations(gallery))
  await api.client.queue.resume()

  await expect(pictures(gallery)).toHaveCount(1, IMAGE_TIMEOUT)
  await expect.poll(() => pictures(gallery).boundingBox()).toEqual(cell)
})

test('keeps the focus in place when a tile on an empty board is canceled @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph() })
  await gallery.open({ board: 'none' })
  await generations(gallery).focus()
  await page.keyboard.press('Delete')

  await expect(page.getByText('Nothing in Assets')).toBeVisible()
  // The page needs two frames to restore a lost focus.
  const isOnBody = () => page.evaluate(() => document.activeElement === document.body)
  await expect.poll(isOnBody).toBe(false)
})

test('shows the queue position of pending tiles and cancels them by button and by key', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png'])
  await gallery.open({ board: 'none' })
  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph(), runs: 3 })

  const third = generations(gallery, 'Generation, 3rd in line')
  await expect(third).toBeVisible()
  await third.hover()
  await third.getByRole('button', { name: 'Cancel' }).click()
  await expect(generations(gallery)).toHaveCount(2)

  await gallery.grid.focus()
  await page.keyboard.press('Tab')
  await expect(generations(gallery, 'Generation, 2nd in line')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(generations(gallery)).toHaveCount(1)
  await expect(gallery.grid).toBeFocused()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Delete')
  await expect(generations(gallery)).toBeHidden()
  await expect.poll(async () => (await api.client.queue.status()).queue.canceled).toBe(3)
  await expect(pictures(gallery)).toHaveCount(1, IMAGE_TIMEOUT)
})

test('keeps a failed tile with its reason until it is retried or dismissed @long', async ({
  api,
  gallery,
}) => {
  await api.uploadImages(['a.png'])
  await gallery.open({ board: 'none' })
  await api.client.queue.enqueue({ graph: failing })

  const failed = generations(gallery, /^Generation, failed/)
  await expect(failed).toContainText('save_image missing value', IMAGE_TIMEOUT)
  await api.client.queue.pause()
  await failed.getByRole('button', { name: 'Retry' }).click()
  await expect(failed).toBeHidden()
  await expect(generations(gallery)).toHaveCount(1)
  await api.client.queue.resume()
  await expect(failed).toBeVisible(IMAGE_TIMEOUT)
  await expect.poll(async () => (await api.client.queue.status()).queue.failed).toBe(2)

  await failed.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failed).toBeHidden()
  await expect(gallery.image('a.png')).toBeVisible()
})

test('pulses the count of another board during a generation and announces it once @long', async ({
  api,
  gallery,
  page,
}) => {
  const { boardId } = await api.createBoard('Portraits')
  await api.uploadImages(['a.png'])
  await gallery.open({ board: 'none' })
  await expect(gallery.image('a.png')).toBeVisible()

  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph(boardId) })

  await expect(gallery.sidebar.getByTitle('1 image being made')).toHaveText('0')
  await expect(page.getByText('Generating on Portraits')).toBeAttached()
  await api.client.queue.resume()
  await expect(gallery.boardCount('Portraits')).toHaveText('1', IMAGE_TIMEOUT)
  await expect(page.getByText('Finished generating on Portraits')).toBeAttached()
  await expect(gallery.sidebar.getByTitle('1 image being made')).toBeHidden()
  await expect(gallery.tiles).toHaveCount(1)
})

test('shows generations in a separate row in other sort orders without moving images @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png', 'b.png'])
  await page.goto('/?board=none&order=oldest')
  const before = await settledBox(gallery.image('a.png'))

  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph() })
  await expect(generations(gallery)).toBeVisible()

  const tile = await settledBox(generations(gallery))
  const after = await settledBox(gallery.image('a.png'))
  expect([tile.x, tile.y]).toEqual([before.x, before.y])
  expect(after.x).toBe(before.x)
  await api.client.queue.resume()
  await expect(pictures(gallery)).toHaveCount(3, IMAGE_TIMEOUT)
  await expect.poll(() => gallery.image('a.png').boundingBox()).toEqual(before)
})

test('shows generations under Today when sorted by day, even if no image was added today @long', async ({
  api,
  gallery,
  page,
}) => {
  await page.goto('/?board=none&group=day')
  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph() })

  await expect(generations(gallery)).toBeVisible()
  await expect(gallery.grid.getByRole('heading', { name: 'Today' })).toBeVisible()
  const cell = await settledBox(generations(gallery))
  await api.client.queue.resume()
  await expect(pictures(gallery)).toHaveCount(1, IMAGE_TIMEOUT)
  await expect.poll(() => pictures(gallery).boundingBox()).toEqual(cell)
})

test('shows tiles for the next items of a long queue and counts the rest @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.client.queue.enqueue({ graph: endlessTo(await api.uploadImage('cat.png')) })
  await api.client.queue.enqueue({ graph: quickGraph(), runs: 1_200 })
  await gallery.open({ board: 'none' })

  await expect(generations(gallery)).toHaveCount(11)
  await gallery.grid.getByRole('gridcell', { name: /^and 1,190 more/ }).click()
  await expect(page.getByRole('complementary', { name: 'Queue' })).toBeVisible()
})

const withModels = test.extend({
  serverFlags: async ({ libraryOf: _ }, use) => {
    const folder = await createTemporaryFolder()
    await writeFile(join(folder, 'enlarge.onnx'), enlargingOnnx(2))
    await use(['--models', folder])
    await removeFolder(folder)
  },
})

withModels(
  'shows the progress and the preview of an image during its generation',
  async ({ api, gallery }) => {
    const large = await api.uploadImage('large.png', { widthPx: 2700, heightPx: 1500 })
    const small = await api.uploadImage('small.png', { widthPx: 270, heightPx: 150 })
    const enlarge = ({ image_name }: ImageRecord) =>
      graphOf({
        enlarge: {
          type: 'onnx_image',
          image: { image_name },
          model: { key: 'enlarge' },
          tile_size: 16,
          overlap: 8,
        },
      })
    await gallery.open({ board: 'none' })
    await gallery.sort('Fit')

    // The item has enough upscaling tiles to run until all of this was checked.
    const { item_ids } = await api.client.queue.enqueue({ graph: enlarge(large) })
    const tile = generations(gallery, /^Generation, \d+ percent, Tile \d+ of/)
    await expect(tile).toBeVisible(IMAGE_TIMEOUT)
    await expect(tile.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /\d/)
    const preview = tile.locator('div[style*="data:image/jpeg"]').filter({ visible: true })
    await expect(preview).toHaveCount(1)
    const box = await settledBox(preview)
    for (const id of item_ids) await api.client.queue.cancel(id)
    await expect(generations(gallery)).toBeHidden()

    // An image of the same shape is rendered in place of the preview.
    await api.client.queue.enqueue({ graph: enlarge(small) })
    await expect(pictures(gallery)).toHaveCount(3, IMAGE_TIMEOUT)
    await expect.poll(() => pictures(gallery).first().locator('img').boundingBox()).toEqual(box)
  },
)

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('cancels by touch and shows in the drawer where images are generated @long', async ({
    api,
    gallery,
    page,
  }) => {
    const { boardId } = await api.createBoard('Portraits')
    await api.uploadImages(['a.png'])
    await page.goto('/?board=none')
    await api.client.queue.pause()
    await api.client.queue.enqueue({ graph: quickGraph() })
    await api.client.queue.enqueue({ graph: quickGraph(boardId) })

    const cancel = generations(gallery).getByRole('button', { name: 'Cancel' })
    await expect(cancel).toBeVisible()
    const box = await settledBox(cancel)
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
    await cancel.tap()
    await expect(generations(gallery)).toBeHidden()

    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await expect(gallery.sidebar.getByTitle('1 image being made')).toBeVisible()
  })
})
