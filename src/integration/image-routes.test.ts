import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord, ImagesPage } from '#contract/image.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let images: ImageRecord[]
let boardId: string
beforeAll(async () => {
  api = await openApi()
  boardId = (await api.makeBoard('Castles')).board_id
  images = [
    await api.makeImage('one.png', { board_id: boardId, image_category: 'general' }),
    await api.makeImage('two.jpg'),
    await api.makeImage('three.webp', { is_intermediate: 'true' }),
  ]
})
afterAll(() => api.close())

const nameOf = (index: number) => images[index]?.image_name ?? ''
const namesIn = (body: unknown) => (body as ImagesPage).items.map(({ image_name }) => image_name)
const list = (query: string) => api.send('GET', `/api/v1/images/?${query}`)

test('returns a page of records with the total', async () => {
  const { body, status } = await list('limit=2&is_intermediate=False')

  expect(status).toBe(200)
  expect(body).toMatchObject({ limit: 2, offset: 0, total: 2 })
  expect(namesIn(body)).toEqual([nameOf(1), nameOf(0)])
})

test.each([
  ['', [2, 1, 0]],
  ['offset=1', [1, 0]],
  ['limit=0', []],
  ['limit=-1', [2, 1, 0]],
  ['order_dir=ASC', [0, 1, 2]],
  ['categories=general', [0]],
  ['categories=general&categories=user', [2, 1, 0]],
  ['categories=mask', []],
  ['image_origin=internal', []],
  ['is_intermediate=yes', [2]],
  ['board_id=none', [2, 1]],
  ['board_id=unknown', []],
])('returns for the view %j the images %j', async (query, expected) => {
  const { body } = await list(query)

  expect(namesIn(body)).toEqual(expected.map(nameOf))
})

test('returns a view by names, by following image and by position', async () => {
  expect((await api.send('GET', '/api/v1/images/names?order_dir=ASC')).body).toEqual({
    image_names: [nameOf(0), nameOf(1), nameOf(2)],
    starred_count: 0,
    total_count: 3,
  })
  expect(namesIn((await list(`after=${nameOf(2)}&limit=1`)).body)).toEqual([nameOf(1)])
  expect(await list('after=nothing.png')).toMatchObject({ status: 404 })
  const place = (name: string) => api.send('GET', `/api/v1/images/i/${name}/position`)
  expect((await place(nameOf(1))).body).toEqual({ position: 1, total: 3 })
  expect(await place('nothing.png')).toMatchObject({ status: 404 })
})

test('returns records by name in the requested order', async () => {
  const json = { image_names: [nameOf(1), 'nothing.png', nameOf(0), nameOf(1)] }
  const { body } = await api.send('POST', '/api/v1/images/images_by_names', { json })

  expect((body as ImageRecord[]).map(({ image_name }) => image_name)).toEqual([
    nameOf(1),
    nameOf(0),
    nameOf(1),
  ])
})

test('returns the metadata of several images without the raw text', async () => {
  const image_names = [nameOf(0), 'nowhere.png', nameOf(2)]
  const { body } = await api.send('POST', '/api/v1/images/metadata_by_names', {
    json: { image_names },
  })
  const one = await api.send('GET', `/api/v1/images/i/${nameOf(0)}/metadata?form=normal`)

  const expected = { ...(one.body as object), raw: {} }
  expect(body).toHaveLength(2)
  expect(body).toContainEqual({ image_name: nameOf(0), metadata: expected })
  expect(body).toContainEqual({ image_name: nameOf(2), metadata: null })
})

test('rejects more than a hundred names for metadata', async () => {
  const image_names = Array.from({ length: 101 }, () => nameOf(0))
  const answer = await api.send('POST', '/api/v1/images/metadata_by_names', {
    json: { image_names },
  })
  expect(answer.status).toBe(422)
})

test('returns the record, metadata, workflow and URLs of an image', async () => {
  const path = `/api/v1/images/i/${nameOf(0)}`

  expect((await api.send('GET', path)).body).toMatchObject({
    board_id: boardId,
    file_name: 'one.png',
  })
  expect((await api.send('GET', `${path}/metadata`)).body).toHaveProperty('positive_prompt')
  expect((await api.send('GET', `${path}/metadata?form=normal`)).body).toMatchObject({
    generator: 'invokeai',
    raw: expect.anything(),
  })
  expect((await api.send('GET', `${path}/workflow`)).body).toEqual({
    workflow: expect.any(String),
    graph: expect.any(String),
  })
  const plain = await api.send('GET', `/api/v1/images/i/${nameOf(2)}/metadata`)
  expect(plain).toMatchObject({ status: 200, body: null })
  expect((await api.send('GET', '/api/v1/images/i/nothing.png/urls')).body).toEqual({
    image_name: 'nothing.png',
    image_url: 'api/v1/images/i/nothing.png/full',
    thumbnail_url: 'api/v1/images/i/nothing.png/thumbnail',
  })
})

const strange = [
  'nothing.png',
  '..%2F..%2Fserver.lock',
  'a%00.png',
  'x'.repeat(10_000),
  '%E2%80%AEgnp.x',
]

test.each(strange)('answers 404 for the image %j', async (name) => {
  for (const rest of ['', '/full', '/thumbnail', '/metadata', '/workflow']) {
    expect(await api.send('GET', `/api/v1/images/i/${name}${rest}`)).toMatchObject({
      status: 404,
      body: { detail: 'Not Found' },
    })
  }
  expect(await api.send('DELETE', `/api/v1/images/i/${name}`)).toMatchObject({
    status: 404,
    body: { detail: 'Image not found' },
  })
  expect(
    await api.send('PATCH', `/api/v1/images/i/${name}`, { json: { starred: true } }),
  ).toMatchObject({ status: 400, body: { detail: 'Failed to update image' } })
})

test('updates, stars and unstars an image', async () => {
  const path = `/api/v1/images/i/${nameOf(1)}`
  const json = { image_category: 'mask', session_id: 's', starred: null, board_id: 'ignored' }
  expect(await api.send('PATCH', path, { json })).toMatchObject({
    status: 200,
    body: { image_category: 'mask', session_id: 's', starred: false, board_id: null },
  })

  const both = { json: { image_names: [nameOf(1), nameOf(1), 'nothing.png'] } }
  expect((await api.send('POST', '/api/v1/images/star', both)).body).toEqual({
    affected_boards: ['none'],
    starred_images: [nameOf(1)],
    failed_images: [],
  })
  expect(namesIn((await list('limit=1')).body)).toEqual([nameOf(1)])
  expect((await api.send('POST', '/api/v1/images/unstar', both)).body).toEqual({
    affected_boards: ['none'],
    unstarred_images: [nameOf(1)],
    failed_images: [],
  })
})

test('adds images to boards and removes them', async () => {
  const one = { image_name: nameOf(1) }
  const several = { image_names: [nameOf(1), 'nothing.png'] }
  const sorted = (body: unknown) =>
    (body as { affected_boards: string[] }).affected_boards.toSorted()
  const both = [boardId, 'none'].toSorted()

  const added = await api.send('POST', '/api/v1/board_images/', {
    json: { ...one, board_id: boardId },
  })
  expect(added).toMatchObject({
    status: 201,
    body: { added_images: [nameOf(1)], failed_images: [] },
  })
  expect(sorted(added.body)).toEqual(both)
  const removed = await api.send('DELETE', '/api/v1/board_images/', { json: one })
  expect(removed).toMatchObject({
    status: 201,
    body: { removed_images: [nameOf(1)], failed_images: [] },
  })
  expect(sorted(removed.body)).toEqual(both)

  const batch = '/api/v1/board_images/batch'
  expect(await api.send('POST', batch, { json: { ...several, board_id: boardId } })).toMatchObject({
    status: 201,
    body: { added_images: [nameOf(1)], failed_images: [] },
  })
  expect(await api.send('POST', `${batch}/delete`, { json: several })).toMatchObject({
    status: 201,
    body: { removed_images: [nameOf(1)], failed_images: [] },
  })
})

test.each([
  ['POST', '/', { board_id: 'none', image_name: 'one' }, 'Board not found'],
  ['POST', '/', { board_id: 'unknown', image_name: 'one' }, 'Board not found'],
  ['POST', '/batch', { board_id: 'none', image_names: [] }, 'Board not found'],
  ['DELETE', '/', { image_name: 'nothing.png' }, 'Not Found'],
])('rejects %s board_images%s %j', async (method, path, json, detail) => {
  expect(await api.send(method, `/api/v1/board_images${path}`, { json })).toMatchObject({
    status: 404,
    body: { detail },
  })
})

test('deletes one image, several, all uncategorized, or all intermediates', async () => {
  const intermediates = '/api/v1/images/intermediates'
  expect((await api.send('GET', intermediates)).body).toBe(1)
  expect((await api.send('DELETE', intermediates)).body).toBe(1)

  const [first, second] = [await api.makeImage('a.png'), await api.makeImage('b.png')]
  expect((await api.send('DELETE', `/api/v1/images/i/${first.image_name}`)).body).toEqual({
    affected_boards: ['none'],
    deleted_images: [first.image_name],
    failed_images: [],
  })
  const json = { image_names: [second.image_name, 'nothing.png'] }
  expect((await api.send('POST', '/api/v1/images/delete', { json })).body).toEqual({
    affected_boards: ['none'],
    deleted_images: [second.image_name],
    failed_images: [],
  })
  expect((await api.send('DELETE', '/api/v1/images/uncategorized')).body).toMatchObject({
    affected_boards: ['none'],
    deleted_images: [nameOf(1)],
  })
  await expect.poll(() => api.storedFiles()).toEqual([nameOf(0), `${nameOf(0)}.webp`])
})

test('answers 501 for an entry without bytes', async () => {
  const json = { width: 1, height: 1 }
  expect(await api.send('POST', '/api/v1/images/', { json })).toMatchObject({
    status: 501,
    body: { detail: 'Not implemented' },
  })
})
