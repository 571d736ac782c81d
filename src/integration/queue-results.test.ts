import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Batch } from '#contract/queue/queue.ts'
import type { PictureKind } from '#demo/describe-picture.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { openQueue, type QueueServer } from './queue-server.ts'

let server: QueueServer
beforeAll(async () => {
  server = await openQueue()
})
afterAll(() => server.close())

/** Runs one item and returns the names of the images that its nodes output. */
const run = async (batch: Pick<Batch, 'graph'> & Partial<Batch>): Promise<string[]> => {
  const [itemId = 0] = await server.enqueue(batch)
  await server.event('session_complete', ({ item_id }) => item_id === itemId)
  const item = await server.client.queue.item(itemId)
  expect(item).toMatchObject({ status: 'completed' })
  return Object.values(item?.session.results ?? {}).flatMap(({ image }) => {
    const { image_name } = (image ?? {}) as { image_name?: string }
    return image_name ?? []
  })
}

const blank = (width: number) => graphOf({ blank: { type: 'blank_image', width, height: 8 } })

test('stores metadata, workflow and graph with a result', async () => {
  const workflow = {
    ...{ name: 'w', author: '', description: '', version: '1', contact: '', tags: '', notes: '' },
    ...{ exposedFields: [], meta: { version: '3.0.0' }, nodes: [], edges: [] },
  }
  const graph = graphOf(
    {
      about: { type: 'core_metadata', positive_prompt: 'a red cat', seed: 5 },
      blank: { type: 'blank_image', width: 8, height: 8 },
    },
    ['about.metadata -> blank.metadata'],
  )

  const [imageName = ''] = await run({ graph, workflow })

  const { images } = server.client
  const embedded = await images.workflow(imageName)
  expect(JSON.parse(embedded?.workflow ?? '')).toEqual(workflow)
  expect(JSON.parse(embedded?.graph ?? '')).toMatchObject({ nodes: { blank: { width: 8 } } })
  const metadata = await fetch(`${server.url}/api/v1/images/i/${imageName}/metadata`)
  expect(await metadata.json()).toMatchObject({ positive_prompt: 'a red cat', seed: 5 })
  expect((await images.names({ query: 'red cat' })).image_names).toEqual([imageName])
})

test.each([
  ['deleted', (names: string[]) => server.client.images.delete(names)],
  ['in the trash', (names: string[]) => server.client.trash.trashImages(names)],
  ['deleted with all of its board', () => server.client.images.deleteUncategorized()],
])('recreates an image that is %s instead of using the cache', async (_what, remove) => {
  const first = await run({ graph: blank(16) })
  expect(await run({ graph: blank(16) })).toEqual(first)

  await remove(first)

  const [again = ''] = await run({ graph: blank(16) })
  expect([again]).not.toEqual(first)
  expect(await server.client.images.get(again)).toMatchObject({ width: 16, deleted_at: null })
})

test('writes batch values into the graph, including an image and a list', async () => {
  const [source = ''] = await run({ graph: blank(24) })
  const data = [
    [{ node_path: 'copy', field_name: 'image', items: [{ image_name: source }] }],
    [{ node_path: 'list', field_name: 'collection', items: [[1, 2], [3]] }],
  ]
  const graph = graphOf({
    copy: { type: 'save_image' },
    list: { type: 'integer_collection', collection: [] },
  })

  const itemIds = await server.enqueue({ graph, data })
  await server.event('session_complete', ({ item_id }) => item_id === itemIds[1])

  const items = await server.client.queue.items(itemIds)
  expect(items.map(({ field_values }) => field_values?.map(({ value }) => value))).toEqual([
    [{ image_name: source }, [1, 2]],
    [{ image_name: source }, [3]],
  ])
  for (const { session, field_values } of items) {
    expect(session.graph.nodes.list).toMatchObject({ collection: field_values?.[1]?.value })
    expect(Object.values(session.results)).toContainEqual({
      type: 'integer_collection_output',
      collection: field_values?.[1]?.value,
      output_meta: null,
    })
  }
})

test.each<[PictureKind, string, string]>([
  ['a1111', 'a1111 castle.png', 'a1111 castle (processed).png'],
  ['comfyui', 'comfyui castle (processed).png', 'comfyui castle (processed).png'],
  ['invokeai', 'invokeai castle.v2.png', 'invokeai castle.v2 (processed).png'],
  ['photo', 'castle.jpg', 'castle (processed).png'],
])(
  'keeps the prompt, settings, date and name of a processed %s image',
  async (kind, fileName, name) => {
    const { images, uploads } = server.client
    const takenAt = '2020-05-06T07:08:09.000Z'
    const bytes = await drawFile(fileName, { kind })
    const original = await uploads.upload({ bytes, fileName, takenAt })
    const image = { image_name: original.image_name }
    const graph = graphOf(
      {
        about: { type: 'metadata_from_image', image },
        half: { type: 'img_scale', image, scale_factor: 0.5 },
      },
      ['about.metadata -> half.metadata'],
    )

    const [imageName = ''] = await run({ graph })

    expect(await images.get(imageName)).toMatchObject({
      file_name: name,
      taken_at: original.taken_at,
      width: original.width / 2,
    })
    const before = await images.metadata(original.image_name)
    const after = await images.metadata(imageName)
    for (const field of KEPT) expect(after?.[field] ?? null, field).toEqual(before?.[field] ?? null)
    if (before?.seed == null) return
    const found = await images.names({ query: String(before.seed) })
    expect(found.image_names).toEqual(expect.arrayContaining([imageName, original.image_name]))
  },
)

const KEPT = [
  'prompt',
  'negative_prompt',
  'model',
  'seed',
  'steps',
  'cfg_scale',
  'sampler',
  'scheduler',
  'loras',
] as const
