import { describe, expect, it } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, htmlPage, type Routes, refusal } from '#testing/fake-fetch.ts'

/** Fakes an InvokeAI, whose paths differ from those of the specification or do not exist. */
const connectTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  return { server, client: connect({ baseUrl: 'http://invoke.test', fetch: server.fetch }) }
}

const model = { key: 'm1', name: 'FLUX', base: 'flux', type: 'main', format: 'checkpoint' }
const item = { item_id: 7, status: 'completed', session_id: 's1', queue_id: 'default' }
const batch = { graph: { id: 'copy', nodes: {}, edges: [] } }

describe('models', () => {
  it('are listed and read under v2', async () => {
    const { client, server } = connectTo({
      'GET /api/v2/models/': () => ({ models: [model] }),
      'GET /api/v2/models/i/m1': () => model,
    })

    expect(await client.models.list({ baseModels: ['flux', 'sdxl'] })).toEqual([model])
    expect(await client.models.get('m1')).toEqual(model)
    expect(server.lines[0]).toBe('GET /api/v2/models/?base_models=flux&base_models=sdxl')
  })

  it('are null if unknown, also after an HTML page with status 200', async () => {
    const { client } = connectTo({
      'GET /api/v2/models/i/gone': () => refusal(404, 'model not found'),
      'GET /api/v2/models/': htmlPage,
    })

    expect(await client.models.get('gone')).toBeNull()
    await expect(client.models.list()).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are loaded by a server that supports it', async () => {
    const { client, server } = connectTo({ 'POST /api/v1/models/load': () => model })

    expect(await client.models.load('m1')).toEqual(model)
    expect(server.lines).toEqual(['POST /api/v1/models/load {"key":"m1"}'])
  })

  it('cannot be loaded by InvokeAI', async () => {
    const { client } = connectTo({
      'POST /api/v1/models/load': () => refusal(405, 'Method Not Allowed'),
    })

    await expect(client.models.load('m1')).rejects.toMatchObject({ code: 'method_not_allowed' })
  })
})

describe('queue', () => {
  it('returns the first id, because the newest comes first', async () => {
    const { client, server } = connectTo({
      'POST /api/v1/queue/default/enqueue_batch': () => ({ item_ids: [9, 8] }),
    })

    expect(await client.queue.enqueueOne(batch)).toBe(9)
    expect(server.requests[0]?.body).toEqual({ batch, prepend: false })
  })

  it('throws if the queue accepts no item', async () => {
    const { client } = connectTo({
      'POST /api/v1/queue/default/enqueue_batch': () => ({ enqueued: 0, item_ids: [] }),
    })

    await expect(client.queue.enqueueOne(batch)).rejects.toThrow('full')
  })

  it('adds the omitted nulls of an item, and returns null for an unknown one', async () => {
    const { client } = connectTo({
      'GET /api/v1/queue/other/i/7': () => item,
      'GET /api/v1/queue/other/i/8': () =>
        refusal(404, 'Queue item with id 8 not found in queue other'),
    })

    const found = await client.queue.item(7, { queueId: 'other' })

    expect(found).toMatchObject({ ...item, error_type: null, started_at: null })
    expect(await client.queue.item(8, { queueId: 'other' })).toBeNull()
  })

  it('reads the item of a session with one request', async () => {
    const { client, server } = connectTo({ 'GET /api/v1/queue/default/session/s1': () => item })

    expect(await client.queue.session('s1')).toMatchObject(item)
    expect(server.lines).toHaveLength(1)
  })

  it('searches all items if the server lacks the path', async () => {
    const { client } = connectTo({
      'GET /api/v1/queue/default/session/s1': htmlPage,
      'GET /api/v1/queue/default/session/s2': htmlPage,
      'GET /api/v1/queue/default/list_all': () => [item],
    })

    expect(await client.queue.session('s1')).toMatchObject(item)
    expect(await client.queue.session('s2')).toBeNull()
  })

  it('counts the items by status', async () => {
    const status = { queue: { pending: 2 }, processor: { is_started: true } }
    const { client } = connectTo({ 'GET /api/v1/queue/default/status': () => status })

    expect(await client.queue.status()).toMatchObject(status)
  })
})
