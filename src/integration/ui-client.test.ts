import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { NodeOutput } from '#contract/queue/graph.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { EventPeer } from './event-peer.ts'
import { type Api, openApi } from './open-api.ts'

// Requests of InvokeAI's own page in their order.

let api: Api
let cat: ImageRecord
let boardId: string
beforeAll(async () => {
  api = await openApi()
  boardId = (await api.makeBoard('Portraits')).board_id ?? ''
  cat = await api.makeImage('cat.png', { image_category: 'general' })
})
afterAll(() => api.close())

const call = async <T>(method: string, path: string, json?: unknown): Promise<T> => {
  const answer = await api.send(method, `/api/v1/${path}`, json === undefined ? {} : { json })
  expect([method, path, answer.status]).toEqual([method, path, expect.toBeOneOf([200, 201, 202])])
  return answer.body as T
}
const get = <T>(path: string) => call<T>('GET', path)

const IMAGES = 'categories=general&is_intermediate=false'
const ASSETS =
  'categories=control&categories=mask&categories=user&categories=other&is_intermediate=false'
const namesOf = (board: string, path = 'gallery/item_names') =>
  get<Record<string, unknown>>(
    `${path}?board_id=${board}&${IMAGES}&order_dir=DESC&search_term=&starred_first=true`,
  )

test('loads boards, the counts of Uncategorized, names and records at the start', async () => {
  const order = 'all=true&order_by=created_at&direction=DESC'
  expect(await get(`boards/?${order}`)).toMatchObject([{ board_id: boardId }])
  expect(await get(`boards/?${order}&include_archived=true`)).toHaveLength(1)
  const none = 'board_id=none&limit=0&offset=0'
  expect(await get(`images/?${none}&${IMAGES}`)).toMatchObject({ total: 1, items: [] })
  expect(await get(`images/?${none}&${ASSETS}`)).toMatchObject({ total: 0, items: [] })
  expect(await get(`videos/?${none}&is_intermediate=false`)).toMatchObject({ total: 0 })

  const image_names = [cat.image_name]
  expect(await namesOf('none')).toMatchObject({ item_names: image_names, total_count: 1 })
  expect(await namesOf('none', 'images/names')).toMatchObject({ image_names })
  const records = await call('POST', 'images/images_by_names', { image_names })
  expect(records).toMatchObject([{ image_name: cat.image_name, thumbnail_url: expect.any(String) }])
})

test('loads the record, thumbnail, full image and metadata of the selected image', async () => {
  const record = await get<ImageRecord>(`images/i/${cat.image_name}`)

  for (const url of [record.thumbnail_url, record.image_url]) {
    const answer = await api.send('GET', `/${url}`)
    expect(answer.headers.get('content-type')).toMatch(/^image\//)
  }
  expect(await get(`images/i/${cat.image_name}/metadata`)).not.toBeUndefined()
  expect(await get(`images/i/${cat.image_name}/workflow`)).toHaveProperty('workflow')
})

test('drags to a board and back, stars, and uploads to the open board', async () => {
  const image_names = [cat.image_name]
  await call('POST', 'board_images/batch', { image_names, board_id: boardId })
  expect(await get(`boards/${boardId}/image_names`)).toEqual(image_names)
  await call('POST', 'board_images/batch/delete', { image_names })
  expect(await get(`boards/${boardId}/image_names`)).toEqual([])

  await call('POST', 'images/star', { image_names })
  expect(await get(`images/i/${cat.image_name}`)).toMatchObject({ starred: true })
  await call('POST', 'images/unstar', { image_names })
  const file = await drawFile('dropped.png')
  const { status, body } = await api.upload(file, { image_category: 'user', board_id: boardId })
  expect([status, body]).toMatchObject([201, { image_category: 'user', board_id: boardId }])
})

test('finds a generated image by its event, counts it, and lists it first', async () => {
  const peer = await EventPeer.open(api.url, { client_id: 'ui' })
  const blank = { type: 'blank_image', width: 8, height: 8, use_cache: false }
  const graph = graphOf({ blank: { ...blank, board: { board_id: boardId } } })
  const batch = { graph, runs: 1, origin: 'generation', destination: 'gallery' }
  await call('POST', 'queue/default/enqueue_batch', { batch, prepend: false })

  const complete = await peer.first('invocation_complete')
  const { image } = complete.data.result as NodeOutput & { image: { image_name: string } }
  const { image_name } = image
  expect(await get(`images/i/${image_name}`)).toMatchObject({ board_id: boardId })
  expect(await namesOf(boardId, 'images/names')).toMatchObject({ image_names: [image_name] })
  expect(await get('queue/default/status')).toMatchObject({ queue: { queue_id: 'default' } })
  peer.socket.close()
})

test('requests a download, waits for its event, and fetches it', async () => {
  const peer = await EventPeer.open(api.url, { client_id: 'ui' })
  await call('POST', 'images/download', { image_names: [cat.image_name] })

  const complete = await peer.first('bulk_download_complete')
  const name = complete.data.bulk_download_item_name
  const answer = await api.send('GET', `/api/v1/images/download/${name}`)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  peer.socket.close()
})

test('renames, archives and deletes boards after listing their images', async () => {
  for (const change of [{ board_name: 'Faces' }, { archived: true }, { archived: false }]) {
    expect(await call('PATCH', `boards/${boardId}`, change)).toMatchObject(change)
  }
  const names = await get<string[]>(`boards/${boardId}/image_names`)
  expect(names).toHaveLength(2)
  const deleted = await call('DELETE', `boards/${boardId}?include_images=true`)
  expect(deleted).toMatchObject({
    board_id: boardId,
    deleted_images: expect.arrayContaining(names),
  })

  await call('POST', 'images/delete', { image_names: [cat.image_name] })
  await get('boards/none/image_names')
  expect(await call('DELETE', 'images/uncategorized')).toMatchObject({ deleted_images: [] })
})
