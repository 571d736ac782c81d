import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { subPixelOnnx } from '#testing/models/onnx-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { processImages } from './process-images.ts'
import { chainReasonOf } from './process-request.ts'
import type { Step } from './process-steps.ts'
import type { WorkEvent } from './work-events.ts'

const api = testGalleryApi()

const fetchOfNode = globalThis.fetch
const blur: Step = { kind: 'blur', shape: 'gaussian', radiusPx: 2 }
let server: RunningServer
let modelsFolder: string
let imageNames: string[]
let news: WorkEvent[]

beforeAll(async () => {
  modelsFolder = await createTemporaryFolder()
  server = await startServer({ modelsFolder })
  globalThis.fetch = (url, init) => fetchOfNode(new URL(String(url), server.url), init)
  api.workEvents.add((one) => news.push(one))
})

afterAll(async () => {
  globalThis.fetch = fetchOfNode
  await server.close()
  await removeFolder(modelsFolder)
})

beforeEach(async () => {
  news = []
  await api.client.queue.clear()
  await api.client.queue.pause()
  imageNames = []
  for (const fileName of ['a.png', 'b.png', 'c.png']) {
    const upload = { bytes: await drawFile(fileName), fileName }
    const { image_name } = await api.client.uploads.upload(upload, {
      boardId: UNCATEGORIZED_BOARD_ID,
    })
    imageNames.push(image_name)
  }
})

const waiting = async () => (await api.client.queue.status()).queue.pending

test('skips and reports images that are deleted or in the trash', async () => {
  const [first = '', second = ''] = imageNames
  await api.client.images.delete([first])
  await api.client.trash.trashImages([second])

  await processImages(api, [blur], imageNames, UNCATEGORIZED_BOARD_ID)

  expect(news).toMatchObject([{ kind: 'taken', action: { count: 1, missing: 2 } }])
  expect(await waiting()).toBe(1)
})

test('enqueues nothing if no image exists any more', async () => {
  await api.client.images.delete(imageNames)

  const run = processImages(api, [blur], imageNames, UNCATEGORIZED_BOARD_ID)

  await expect(run).rejects.toThrow('These images no longer exist.')
  expect(await waiting()).toBe(0)
})

test('refuses a board that no longer exists', async () => {
  const { boardId } = await api.client.boards.createBoard('Castles')
  await api.client.boards.deleteBoard(boardId)

  const run = processImages(api, [blur], imageNames, boardId)

  await expect(run).rejects.toThrow('no longer exists. Choose another one.')
  expect(await waiting()).toBe(0)
})

test('refuses a missing model before it enqueues anything', async () => {
  const file = join(modelsFolder, 'up.onnx')
  await writeFile(file, subPixelOnnx())
  const models = () => api.client.models.list({ modelName: 'up' })
  await expect.poll(async () => (await models()).length, { timeout: 20_000 }).toBe(1)
  const [model] = await models()
  const upscale: Step = { kind: 'upscale', modelKey: model?.key ?? '' }
  await processImages(api, [upscale], imageNames, UNCATEGORIZED_BOARD_ID)
  await rm(file)
  await expect.poll(models, { timeout: 20_000 }).toEqual([])

  const run = processImages(api, [upscale], imageNames, UNCATEGORIZED_BOARD_ID)

  await expect(run).rejects.toThrow('A model of these steps no longer exists.')
  expect(await waiting()).toBe(3)
})

test('reports a full queue and enqueues nothing', async () => {
  const integer = graphOf({ n: { type: 'integer', value: 1 } })
  await api.client.queue.enqueue({ graph: integer, runs: MAX_PENDING_ITEMS })

  const run = processImages(api, [blur], imageNames, UNCATEGORIZED_BOARD_ID)

  await expect(run).rejects.toThrow('The queue is full (10,000 items).')
  expect(news).toEqual([])
})

test('names the refused step in the reason', async () => {
  const grey: Step = { kind: 'mask', by: 'brightness', color: '', tolerance: 9, isInverted: false }
  const steps: Step[] = [blur, grey, { ...grey, by: 'color', color: 'teal' }]

  const error = await processImages(api, steps, imageNames, UNCATEGORIZED_BOARD_ID).catch(
    (refused: unknown) => refused,
  )

  expect(error).toMatchObject({ code: 'invalid_request', status: 422 })
  expect(chainReasonOf(error, steps)).toBe(
    'The server rejected step 3 (color.g: Input should be a valid integer). Change or remove it.',
  )
  expect(await waiting()).toBe(0)
})
