import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Board } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'
import type { EnqueueBatchResult, QueueItem } from '#contract/queue/queue.ts'
import { type Api, openApi } from './open-api.ts'

// Requests as invokeai-py-client sends them: booleans as `True`, and the content type JSON on every request.

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const call = async <T>(method: string, path: string, body?: unknown): Promise<[number, T]> => {
  const answer = await api.send(method, `/api/v1${path}`, {
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { json: body }),
  })
  return [answer.status, answer.body as T]
}

const get = async <T>(path: string): Promise<T> => {
  const [status, body] = await call<T>('GET', path)
  expect([path, status]).toEqual([path, 200])
  return body
}

/** Polls every half second until the condition is met, as the client does. */
const polled = async <T>(path: string, isDone: (answer: T) => boolean): Promise<T> => {
  let last: T | undefined
  await expect
    .poll(
      async () => {
        last = await get<T>(path)
        return isDone(last)
      },
      { interval: 500, timeout: 30_000 },
    )
    .toBe(true)
  return last as T
}

const imageNameOf = (output: NodeOutput | undefined): string => {
  const { image_name } = (output?.image ?? {}) as Partial<ImageRecord>
  return image_name ?? ''
}

const boardNamed = async (name: string): Promise<string> => {
  const boards = await get<Board[]>('/boards/?all=True')
  const there = boards.find(({ board_name }) => board_name === name)?.board_id
  if (there) return there
  const [status, board] = await call<Board>('POST', `/boards/?board_name=${name}&is_private=False`)
  expect(status).toBe(201)
  expect(await get(`/boards/${board.board_id}`)).toMatchObject({
    board_name: name,
    archived: false,
  })
  return board.board_id ?? ''
}

test('test_board_delete', async () => {
  await boardNamed('delete-test')

  const boards = await get<Board[]>('/boards/?all=True')
  const [board] = boards.filter(({ board_name }) => board_name === 'delete-test')
  const [status] = await call('DELETE', `/boards/${board?.board_id}?include_images=True`)

  expect(status).toBe(200)
  expect((await call('GET', `/boards/${board?.board_id}`))[0]).toBe(404)
})

test('test_delete_image_by_name', async () => {
  const { image_name } = await api.makeImage('gone.png')
  const [stem = ''] = image_name.split('.')

  await get('/boards/none/image_names')
  await get(`/images/i/${image_name}`)
  expect((await call('GET', `/images/i/${stem}`))[0]).toBe(404)
  const names = await get<string[]>('/boards/none/image_names')
  expect(names.filter((name) => name.startsWith(stem))).toEqual([image_name])
  const [status, deleted] = await call('DELETE', `/images/i/${image_name}`)
  const [again, nothing] = await call('DELETE', `/images/i/${image_name}`)

  expect([status, deleted]).toMatchObject([200, { deleted_images: [image_name] }])
  expect([again, nothing]).toMatchObject([404, { detail: 'Image not found' }])
})

test('test_move_image_to_board', async () => {
  const { image_name } = await api.makeImage('moved.png')

  const boardId = await boardNamed('mytest')
  await get(`/images/i/${image_name}`)
  await get(`/images/i/${image_name}`)
  await get('/boards/none/image_names')
  const [status] = await call('POST', '/board_images/', { image_name, board_id: boardId })

  expect(status).toBe(201)
  expect(await get(`/boards/${boardId}`)).toMatchObject({ image_count: 1 })
  expect(await get(`/boards/${boardId}/image_names`)).toEqual([image_name])
})

test('test_quick_copy_image_to_board', async () => {
  const source = await api.makeImage('copied.png')

  const boardId = await boardNamed('quickcopy-assets')
  await get('/boards/none/image_names')
  const [src] = await get<string[]>('/boards/none/image_names')
  await get(`/boards/${boardId}`)
  const before = await get<ImageRecord>(`/images/i/${src}`)
  const [status, enqueued] = await call<EnqueueBatchResult>(
    'POST',
    '/queue/default/enqueue_batch',
    {
      prepend: false,
      batch: {
        graph: {
          id: 'workflow',
          nodes: {
            'node-save': {
              id: 'node-save',
              type: 'save_image',
              is_intermediate: false,
              use_cache: false,
              image: { image_name: src },
              board: { board_id: boardId },
            },
          },
          edges: [],
        },
        runs: 1,
      },
    },
  )
  expect([status, src]).toEqual([200, source.image_name])
  expect(enqueued.batch.batch_id).toBeTruthy()
  const item = `/queue/default/i/${enqueued.item_ids[0]}`
  const { session_id } = await get<QueueItem>(item)
  const { session } = await polled<QueueItem>(item, ({ status }) => status === 'completed')

  const [prepared = ''] = Object.keys(session.prepared_source_mapping)
  expect(session).toMatchObject({
    id: session_id,
    prepared_source_mapping: { [prepared]: 'node-save' },
    graph: { nodes: { 'node-save': { type: 'save_image', board: { board_id: boardId } } } },
  })
  const image_name = imageNameOf(session.results[prepared])
  expect(image_name).not.toBe(src)
  expect(await get(`/images/i/${image_name}`)).toMatchObject({
    board_id: boardId,
    image_category: 'general',
    image_origin: 'internal',
    session_id,
    node_id: prepared,
    has_workflow: true,
    width: source.width,
    height: source.height,
  })
  expect(await get(`/boards/${boardId}`)).toMatchObject({ image_count: 1 })
  expect(await get(`/boards/${boardId}/image_names`)).toEqual([image_name])
  expect(await get(`/images/i/${src}`)).toEqual(before)
})

test("answers the client's other queue requests", async () => {
  expect(await get('/queue/default/status')).toMatchObject({ queue: { completed: 1 } })
  const [item] = await get<QueueItem[]>('/queue/default/list_all')
  expect(await get('/queue/default/current')).toBeNull()
  expect(await call('POST', '/queue/default/items_by_ids', { item_ids: [item?.item_id] })).toEqual([
    200,
    [item],
  ])
  expect(await call('PUT', '/queue/default/cancel_all_except_current')).toEqual([
    200,
    { canceled: 0 },
  ])
  expect((await call('PUT', `/queue/default/i/${item?.item_id}/cancel`))[1]).toEqual(item)
  expect(await call('PUT', '/queue/default/prune')).toEqual([200, { deleted: 1 }])
  expect(await call('PUT', '/queue/default/clear')).toEqual([200, { deleted: 0 }])
})
