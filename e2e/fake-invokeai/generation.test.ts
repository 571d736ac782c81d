import type { Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { graphOf } from '#testing/graph-of.ts'
import { type FakeInvokeAi, type FakeOptions, startFakeInvokeAi } from './fake-invokeai.ts'
import { listenTo } from './listen-to.ts'

let fake: FakeInvokeAi
let sockets: Socket[] = []

const begin = async (options: FakeOptions = {}) => {
  await fake.close()
  fake = await startFakeInvokeAi(options)
}

beforeEach(async () => {
  fake = await startFakeInvokeAi()
})

afterEach(async () => {
  for (const socket of sockets) socket.disconnect()
  sockets = []
  await fake.close()
})

const listen = async (options?: Parameters<typeof listenTo>[1]) => {
  const listening = await listenTo(fake.url, options)
  sockets.push(listening.socket)
  return listening
}

const queue = async (method: string, path: string, json?: unknown) => {
  const answer = await fetch(`${fake.url}/api/v1/queue/default/${path}`, {
    method,
    ...(json !== undefined && {
      body: JSON.stringify(json),
      headers: { 'content-type': 'application/json' },
    }),
  })
  return answer.json()
}

const generation = graphOf(
  {
    noise: { type: 'noise', width: 96, height: 64 },
    denoise: { type: 'denoise_latents' },
    canvas_output: { type: 'l2i', board: { board_id: 'gone' } },
  },
  ['noise.noise -> denoise.noise', 'denoise.latents -> canvas_output.latents'],
)

const enqueue = (graph: unknown = generation, runs = 1) =>
  queue('POST', 'enqueue_batch', { batch: { graph, runs, origin: 'generate' } })

describe('a single item', () => {
  test("emits its events in InvokeAI's order", async () => {
    const { lines, heard } = await listen()

    const { item_ids } = await enqueue()

    await expect.poll(() => lines().at(-1)).toBe('queue_item_status_changed completed')
    expect(lines()).toEqual([
      'batch_enqueued',
      'queue_item_status_changed in_progress',
      ...['invocation_started', 'invocation_complete'],
      ...['invocation_started', 'invocation_complete'],
      ...['invocation_started', 'invocation_progress', 'invocation_progress'],
      'invocation_complete',
      'queue_item_status_changed completed',
    ])
    expect(heard.at(-1)?.[1]).toMatchObject({
      ...{ item_id: item_ids[0], origin: 'generate', user_id: 'system', status_sequence: 2 },
      queue_status: { completed: 1, total: 1 },
      batch_status: { completed: 1 },
      timestamp: expect.any(Number),
    })
  })

  test('emits a preview with the final size and saves without a board', async () => {
    const { heard } = await listen()

    await enqueue()

    await expect.poll(() => fake.library.images.size).toBe(1)
    const [, preview] = heard.find(([, { image }]) => image) ?? []
    expect(preview).toMatchObject({
      percentage: 0.5,
      image: { width: 96, height: 64, dataURL: expect.stringMatching(/^data:image\/jpeg;/) },
    })
    const [image] = fake.library.images.values()
    expect(image).toMatchObject({ board_id: null, image_origin: 'internal', width: 96 })
  })

  test('advances under the control of a test', async () => {
    const { lines } = await listen()
    const taking = fake.engine.take()
    await enqueue()

    const run = await taking
    run.start('canvas_output')
    run.fail('OutOfMemoryError', 'CUDA out of memory')

    await expect
      .poll(lines)
      .toEqual([
        'batch_enqueued',
        'queue_item_status_changed in_progress',
        'invocation_started',
        'queue_item_status_changed failed',
        'invocation_error',
      ])
    expect(await queue('GET', `i/${run.item.item_id}`)).toMatchObject({
      error_message: 'CUDA out of memory',
    })
  })

  test('emits nothing after its cancellation', async () => {
    const { lines } = await listen()
    const taking = fake.engine.take()
    const { item_ids } = await enqueue()
    const run = await taking
    run.start('canvas_output')

    await queue('PUT', `i/${item_ids[0]}/cancel`)
    await run.save()
    run.finish()

    await expect.poll(lines).toHaveLength(4)
    expect(lines().at(-1)).toBe('queue_item_status_changed canceled')
    expect(fake.library.images.size).toBe(0)
  })
})

describe('the queue', () => {
  test('retries failed items, prunes ended ones and clears all', async () => {
    const { lines } = await listen()
    const failing = graphOf({ save: { type: 'save_image' } })
    const { item_ids } = await enqueue(failing)
    await expect.poll(() => queue('GET', 'status')).toMatchObject({ queue: { failed: 1 } })

    expect(await queue('PUT', 'retry_items_by_id', [...item_ids, 99])).toEqual({
      queue_id: 'default',
      retried_item_ids: item_ids,
    })
    await expect.poll(() => queue('GET', 'status')).toMatchObject({ queue: { failed: 2 } })
    expect(await queue('PUT', 'prune')).toEqual({ deleted: 2 })
    expect(await queue('PUT', 'clear')).toEqual({ deleted: 0 })
    await expect.poll(lines).toEqual(expect.arrayContaining(['queue_items_retried']))
    await expect.poll(() => lines().at(-1)).toBe('queue_cleared')
  })

  test('cancels pending items with one event and keeps the running one', async () => {
    const { lines } = await listen()
    const taking = fake.engine.take()
    await enqueue(generation, 3)
    await taking

    expect(await queue('PUT', 'cancel_all_except_current')).toEqual({ canceled: 2 })

    await expect.poll(() => lines().at(-1)).toBe('queue_items_canceled')
    expect(await queue('GET', 'status')).toMatchObject({
      queue: { in_progress: 1, pending: 0, canceled: 2 },
    })
  })

  test('starts nothing while paused', async () => {
    await queue('PUT', 'processor/pause')
    await enqueue()

    expect(await queue('GET', 'status')).toMatchObject({
      queue: { pending: 1, in_progress: 0 },
      processor: { is_started: false },
    })
    await queue('PUT', 'processor/resume')
    await expect.poll(() => queue('GET', 'status')).toMatchObject({ queue: { completed: 1 } })
  })

  test('writes values into a copy of the graph for each item', async () => {
    fake.engine.byHand()
    const items = [{ image_name: 'a.png' }, { image_name: 'b.png' }]
    const data = [[{ node_path: 'save', field_name: 'image', items }]]
    const graph = graphOf({ save: { type: 'save_image' } })
    const { item_ids } = await queue('POST', 'enqueue_batch', { batch: { graph, data } })

    const [newest] = await queue('POST', 'items_by_ids', { item_ids })

    expect(item_ids).toEqual([2, 1])
    expect(newest).toMatchObject({
      field_values: [{ node_path: 'save', value: items[1] }],
      session: { graph: { nodes: { save: { image: items[1] } } } },
    })
  })

  test('rejects an unknown node type', async () => {
    expect(await enqueue(graphOf({ enlarge: { type: 'onnx_image' } }))).toMatchObject({
      detail: [{ type: 'union_tag_invalid', loc: ['body', 'batch', 'graph', 'nodes', 'enlarge'] }],
    })
  })

  test('cancels the running item on shutdown and keeps pending ones', async () => {
    const taking = fake.engine.take()
    await enqueue(generation, 2)
    await taking

    await fake.restart()

    // The first request may use a connection that has just been cut.
    await expect
      .poll(() => queue('GET', 'status'))
      .toMatchObject({ queue: { canceled: 1, pending: 1, in_progress: 0 } })
  })
})

describe('rooms', () => {
  test('send all events before the subscription to the single user of 6.14', async () => {
    const { lines } = await listen({ subscribes: false })
    await enqueue()
    await expect.poll(lines).toContain('queue_item_status_changed completed')
  })

  test('send most events twice to a subscriber of 6.13', async () => {
    await begin({ version: '6.13.0' })
    const { lines } = await listen()
    await enqueue()
    const ends = () => lines().filter((line) => line === 'queue_item_status_changed completed')
    await expect.poll(ends).toHaveLength(2)
  })

  test("send events only to the queue's room in 6.11", async () => {
    await begin({ version: '6.11.0' })
    const [outside, inside] = [await listen({ subscribes: false }), await listen()]
    await enqueue()
    await expect.poll(inside.lines).toContain('queue_item_status_changed completed')
    expect(outside.lines()).toEqual([])
  })

  test('send nothing without a token if there are accounts', async () => {
    await begin({ accounts: [{ email: 'ada@example.com', password: 'engine' }] })
    await expect(listen({ token: 'none' })).rejects.toThrow('Authentication required')
  })
})
