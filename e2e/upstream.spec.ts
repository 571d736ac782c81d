import type { Locator } from '@playwright/test'
import { generations, LANDING, pictures } from './fixtures/being-made.ts'
import { generationGraph } from './fixtures/generation-graph.ts'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

const generate = { graph: generationGraph(), origin: 'generate', destination: 'generate' }

/** Whether a tile shows how far its picture is. */
const hasPreview = (tile: Locator) =>
  tile.evaluate((tile) =>
    [tile, ...tile.querySelectorAll('*')].some((part) =>
      getComputedStyle(part).backgroundImage.startsWith('url("data:image/jpeg'),
    ),
  )

test('a generation made elsewhere becomes its picture in the place of its tile', async ({
  api,
  gallery,
  invokeAi,
}) => {
  await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(1)

  const taking = invokeAi.engine.take()
  await api.client.queue.enqueue(generate)
  const run = await taking
  run.start('denoise')
  await run.progress({ percentage: 0.4, withImage: true })
  await expect(generations(gallery)).toBeVisible()
  await expect(generations(gallery).getByRole('progressbar')).toBeVisible()
  await expect.poll(() => hasPreview(generations(gallery))).toBe(true)
  const cell = await generations(gallery).boundingBox()
  run.complete()
  run.start('canvas_output')
  await run.save()
  run.finish()

  await expect(generations(gallery)).toBeHidden(LANDING)
  await expect(pictures(gallery)).toHaveCount(2)
  expect(await pictures(gallery).first().boundingBox()).toEqual(cell)
})
