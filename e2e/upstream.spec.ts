import type { Locator } from '@playwright/test'
import type { FakeInvokeAi } from './fake-invokeai/fake-invokeai.ts'
import { generationGraph } from './fixtures/generation-graph.ts'
import { generations, IMAGE_TIMEOUT, pictures } from './fixtures/generations.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

const generate = { graph: generationGraph(), origin: 'generate', destination: 'generate' }

/** Waits until the page listens, because earlier events reach no client. */
const untilItListens = (invokeAi: FakeInvokeAi) =>
  expect.poll(() => invokeAi.subscriberCount(), { timeout: 30_000 }).toBe(1)

/** True if a tile shows a preview of its image. */
const hasPreview = (tile: Locator) =>
  tile.evaluate((tile) =>
    [tile, ...tile.querySelectorAll('*')].some((part) =>
      getComputedStyle(part).backgroundImage.startsWith('url("data:image/jpeg'),
    ),
  )

test("replaces the tile of another client's generation by its image in place", async ({
  api,
  gallery,
  invokeAi,
}) => {
  await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(1)

  await untilItListens(invokeAi)
  const taking = invokeAi.engine.take()
  await api.client.queue.enqueue(generate)
  const run = await taking
  await run.start('denoise')
  await run.progress({ percentage: 0.4, withImage: true })
  await expect(generations(gallery)).toBeVisible()
  await expect(generations(gallery).getByRole('progressbar')).toBeVisible()
  await expect.poll(() => hasPreview(generations(gallery))).toBe(true)
  const cell = await settledBox(generations(gallery))
  await run.complete()
  await run.start('canvas_output')
  await run.complete()

  await expect(generations(gallery)).toBeHidden(IMAGE_TIMEOUT)
  await expect(pictures(gallery)).toHaveCount(2)
  await expect.poll(() => pictures(gallery).first().boundingBox()).toEqual(cell)
})

test('replaces a tile at once by an image that a list returns before its event @long', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(1)
  await untilItListens(invokeAi)
  const taking = invokeAi.engine.take()
  await api.client.queue.enqueue(generate)
  const run = await taking
  await run.start('canvas_output')
  await run.progress({ percentage: 0.4, withImage: true })
  await expect(generations(gallery)).toBeVisible()
  const most = await page.evaluateHandle(() => {
    const most = { cells: 0 }
    const count = () => {
      most.cells = Math.max(most.cells, document.querySelectorAll('[role=gridcell]').length)
    }
    new MutationObserver(count).observe(document.body, { subtree: true, childList: true })
    return most
  })

  await run.complete({
    beforeEvent: async () => {
      const picturesAfterFocus = async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('focus')))
        return pictures(gallery).count()
      }
      await expect.poll(picturesAfterFocus, IMAGE_TIMEOUT).toBe(2)
    },
  })

  await expect(generations(gallery)).toBeHidden(IMAGE_TIMEOUT)
  await expect(pictures(gallery)).toHaveCount(2)
  expect(await most.evaluate(({ cells }) => cells)).toBe(2)
})

test('counts an image on a board that is not open @long', async ({ api, gallery, invokeAi }) => {
  const { boardId } = await api.createBoard('Castles')
  await gallery.open({ board: 'none' })
  await expect(gallery.boardCount('Castles')).toHaveText('0')
  await untilItListens(invokeAi)
  const taking = invokeAi.engine.take()
  await api.client.queue.enqueue({ graph: generationGraph({ boardId }) })
  const run = await taking
  await run.start('canvas_output')
  await expect(gallery.sidebar.getByTitle('1 image being made')).toBeVisible()

  await run.complete()

  await expect(gallery.boardCount('Castles')).toHaveText('1', IMAGE_TIMEOUT)
  await expect(gallery.tiles).toHaveCount(0)
})

test('keeps a failure with its reason for a retry, and cancels in the page @long', async ({
  api,
  gallery,
  invokeAi,
}) => {
  await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await untilItListens(invokeAi)
  const taking = invokeAi.engine.take()
  await api.client.queue.enqueue(generate)
  const run = await taking
  await run.start('denoise')
  run.fail('OutOfMemoryError', 'CUDA out of memory')

  const failed = generations(gallery, /^Generation, failed/)
  await expect(failed).toContainText('CUDA out of memory')
  const takingAgain = invokeAi.engine.take()
  await failed.getByRole('button', { name: 'Retry' }).click()
  const again = await takingAgain
  const item = () => api.client.queue.item(again.itemId)
  expect(await item()).toMatchObject({ retried_from_item_id: run.itemId })
  await again.start('denoise')

  await expect(generations(gallery)).toHaveCount(1)
  await generations(gallery).hover()
  await generations(gallery).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(async () => (await item())?.status).toBe('canceled')
  await expect(generations(gallery)).toBeHidden()
})

test.describe('with version 6.13, which sends most events twice', () => {
  test.use({ invokeAiOptions: { version: '6.13.0' } })

  test('inserts and counts each image once @long', async ({ api, gallery, invokeAi }) => {
    const { boardId } = await api.createBoard('Castles')
    await gallery.open({ board: 'Castles' })
    await expect(gallery.boardCount('Castles')).toHaveText('0')

    await untilItListens(invokeAi)
    const taking = invokeAi.engine.take()
    await api.client.queue.enqueue({ graph: generationGraph({ boardId }) })
    const run = await taking
    await run.start('canvas_output')
    await run.progress({ percentage: 0.5, withImage: true })
    await expect(generations(gallery)).toHaveCount(1)
    await run.complete()

    await expect(pictures(gallery)).toHaveCount(1, IMAGE_TIMEOUT)
    await expect(gallery.boardCount('Castles')).toHaveText('1')
    await expect(generations(gallery)).toBeHidden()
  })
})
