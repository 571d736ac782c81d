import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const boards = '/api/v1/boards/'
const unknown = '00000000-0000-4000-8000-000000000000'

test('creates, reads, updates and deletes a board', async () => {
  const created = await api.send('POST', `${boards}?board_name=Portr%C3%A4ts`)
  expect(created).toMatchObject({
    status: 201,
    body: { board_name: 'Porträts', user_id: 'system', board_visibility: 'shared', image_count: 0 },
  })
  const path = `${boards}${(created.body as { board_id: string }).board_id}`

  expect(await api.send('GET', path)).toMatchObject({ status: 200, body: { is_private: false } })
  const changes = { board_name: 'New', is_private: true, description: 'Faces', starred: true }
  expect(await api.send('PATCH', path, { json: changes })).toMatchObject({
    status: 201,
    body: { ...changes, board_visibility: 'private' },
  })
  expect(await api.send('PATCH', path, { json: {} })).toMatchObject({ status: 201 })
  expect(await api.send('DELETE', path)).toMatchObject({
    status: 200,
    body: { deleted_images: [], deleted_board_images: [], failed_images: [] },
  })
  expect(await api.send('GET', path)).toMatchObject({
    status: 404,
    body: { detail: 'Board not found' },
  })
})

test.each(['a', 'a00', 'ä0', ' a0', `a0${'V'.repeat(300)}`])(
  'refuses the position %j, from which no client could compute others',
  async (position) => {
    const { board_id } = await api.makeBoard('Moved')

    const answer = await api.send('PATCH', `${boards}${board_id}`, { json: { position } })

    expect(answer.status).toBe(422)
    const board = await api.send('GET', `${boards}${board_id}`)
    expect(board.body).toMatchObject({ position: null })
    await api.send('DELETE', `${boards}${board_id}`)
  },
)

test('returns all boards as an array, or a page with the correct total', async () => {
  for (const name of ['b', 'A', 'c']) await api.makeBoard(name)

  const all = await api.send('GET', `${boards}?all=True&order_by=board_name&direction=ASC`)
  expect(all.body).toMatchObject([{ board_name: 'A' }, { board_name: 'b' }, { board_name: 'c' }])
  const page = await api.send('GET', `${boards}?offset=1&limit=1&order_by=board_name&direction=ASC`)
  expect(page.body).toMatchObject({ offset: 1, limit: 1, total: 3, items: [{ board_name: 'b' }] })
  const withoutAll = await api.send('GET', `${boards}?order_by=board_name&direction=ASC`)
  expect(withoutAll.body).toEqual(all.body)
})

test.each(['?all=false', '?offset=1', '?limit=1'])('rejects the list query %j', async (query) => {
  expect(await api.send('GET', `${boards}${query}`)).toMatchObject({
    status: 400,
    body: { detail: "Invalid request: Must provide either 'all' or both 'offset' and 'limit'" },
  })
})

test('returns the names of images on a board and on no board', async () => {
  const { board_id } = await api.makeBoard('Names')
  const on = await api.makeImage('on.png', { board_id })
  const newer = await api.makeImage('newer.png', { board_id })
  const off = await api.makeImage('off.png')

  const names = (id: string, query = '') => api.send('GET', `${boards}${id}/image_names${query}`)
  expect((await names(board_id)).body).toEqual([newer.image_name, on.image_name])
  expect((await names(board_id, '?offset=1&limit=1')).body).toEqual([on.image_name])
  expect((await names(board_id, '?order_dir=ASC')).body).toEqual([on.image_name, newer.image_name])
  expect((await names(board_id, '?categories=general')).body).toEqual([])
  expect((await names('none')).body).toEqual([off.image_name])
  expect(await names(unknown)).toMatchObject({ status: 404 })
})

test('deletes a board with or without its images', async () => {
  for (const include_images of [false, true]) {
    const { board_id } = await api.makeBoard('Going')
    const { image_name } = await api.makeImage('kept.png', { board_id })

    const path = `${boards}${board_id}?include_images=${include_images}`
    const { body } = await api.send('DELETE', path)
    expect(body).toMatchObject({
      board_id,
      deleted_board_images: include_images ? [] : [image_name],
      deleted_images: include_images ? [image_name] : [],
    })
    const image = await api.send('GET', `/api/v1/images/i/${image_name}`)
    expect(image).toMatchObject(include_images ? { status: 404 } : { body: { board_id: null } })
  }
})

test.each(['none', unknown, '..%2F..%2Fetc', '%00', 'x'.repeat(10_000), '%E2%80%AEabc'])(
  'answers 404 for the board %j',
  async (id) => {
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      const init = method === 'PATCH' ? { json: { board_name: 'x' } } : {}
      expect(await api.send(method, `${boards}${id}`, init)).toMatchObject({
        status: 404,
        body: { detail: 'Board not found' },
      })
    }
  },
)

test('rejects a cover that is not an image and changes nothing', async () => {
  const { board_id } = await api.makeBoard('Covered')

  const json = { board_name: 'Changed', cover_image_name: 'nothing.png' }
  expect(await api.send('PATCH', `${boards}${board_id}`, { json })).toMatchObject({ status: 404 })
  expect((await api.send('GET', `${boards}${board_id}`)).body).toMatchObject({
    board_name: 'Covered',
  })
})

test('accepts routes with and without the trailing slash', async () => {
  const { board_id } = await api.makeBoard('Slashes')

  for (const path of ['/api/v1/boards', boards, `${boards}${board_id}`, `${boards}${board_id}/`]) {
    expect((await api.send('GET', `${path}?all=1`)).status).toBe(200)
  }
})
