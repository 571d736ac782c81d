import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { TrashPage } from '#contract/trash-operations.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const post = (path: string, json: object) => api.send('POST', `/api/v1/trash/${path}`, { json })
const trash = async () => (await api.send('GET', '/api/v1/trash/')).body as TrashPage

test('moves images to the trash and restores them', async () => {
  const { image_name } = await api.makeImage('a.png')

  expect(await post('images', { image_names: [image_name, 'nothing.png'] })).toMatchObject({
    status: 200,
    body: {
      trashed_images: [image_name],
      failed_images: ['nothing.png'],
      affected_boards: ['none'],
    },
  })
  expect((await api.send('GET', '/api/v1/images/?limit=0')).body).toMatchObject({ total: 0 })
  expect(await trash()).toMatchObject({ total: 1, items: [{ image_name }], boards: [] })
  expect(await post('restore', { image_names: [image_name] })).toMatchObject({
    status: 200,
    body: { restored_images: [image_name] },
  })
  expect((await api.send('GET', '/api/v1/images/?limit=0')).body).toMatchObject({ total: 1 })
})

test.each([true, false])(
  'trashes a board (with its images: %s) and restores it',
  async (include_images) => {
    const { board_id } = await api.makeBoard('Going')
    const { image_name } = await api.makeImage('b.png', { board_id })

    expect(await post('boards', { board_id, include_images })).toMatchObject({
      status: 200,
      body: { trashed_boards: [board_id], trashed_images: include_images ? [image_name] : [] },
    })
    expect((await api.send('GET', `/api/v1/boards/${board_id}`)).status).toBe(404)
    expect((await trash()).boards).toMatchObject([{ board_id }])
    await post('restore', { board_ids: [board_id] })
    expect((await api.send('GET', `/api/v1/images/i/${image_name}`)).body).toMatchObject({
      board_id,
    })
  },
)

test.each(['none', 'unknown'])('refuses to trash the board %j', async (board_id) => {
  expect(await post('boards', { board_id })).toMatchObject({
    status: 404,
    body: { detail: 'Board not found' },
  })
})

test('deletes images permanently when emptied', async () => {
  const { image_name } = await api.makeImage('c.png')
  await post('images', { image_names: [image_name] })

  expect(await api.send('DELETE', '/api/v1/trash/')).toMatchObject({
    status: 200,
    body: { deleted_images: 1 },
  })
  await expect.poll(() => api.storedFiles()).not.toContain(image_name)
  expect((await api.send('GET', `/api/v1/images/i/${image_name}`)).status).toBe(404)
})

test('accepts an empty list of images to restore', async () => {
  expect(await post('restore', {})).toMatchObject({ status: 200, body: { restored_images: [] } })
})

test('lists the trash in the requested order', async () => {
  const names = ['b.png', 'a.png', 'c.png']
  for (const name of names) {
    const { image_name } = await api.makeImage(name)
    await post('images', { image_names: [image_name] })
  }
  const listed = async (query: string) => {
    const { body } = await api.send('GET', `/api/v1/trash/?${query}`)
    return (body as TrashPage).items.map(({ file_name }) => file_name)
  }

  expect(await listed('')).toEqual(names.toReversed())
  expect(await listed('order_by=name&order_dir=ASC')).toEqual(names.toSorted())
  expect((await api.send('GET', '/api/v1/trash/?order_by=colour')).status).toBe(422)
})

test('restores images to a board, and returns them to theirs in the trash', async () => {
  const { board_id } = await api.makeBoard('Target')
  const { image_name } = await api.makeImage('d.png')
  const image_names = [image_name]
  const boardOf = async () =>
    ((await api.send('GET', `/api/v1/images/i/${image_name}`)).body as ImageRecord).board_id
  await post('images', { image_names })

  expect(await post('restore', { image_names, to_board_id: 'unknown' })).toMatchObject({
    status: 404,
    body: { detail: 'Board not found' },
  })
  expect(await post('restore', { image_names, to_board_id: board_id })).toMatchObject({
    status: 200,
    body: { affected_boards: [board_id], restored_images: image_names },
  })
  expect(await boardOf()).toBe(board_id)
  await post('images', { image_names, undoes_restore: true })
  expect(await boardOf()).toBeNull()
})

test('lists the size of the trash on request', async () => {
  const { image_name, file_size } = await api.makeImage('e.png')
  await api.send('DELETE', '/api/v1/trash/')
  await post('images', { image_names: [image_name] })

  const { body } = await api.send('GET', '/api/v1/trash/?limit=0&include_size=true')

  expect(body).toMatchObject({ total: 1, total_bytes: file_size })
})
