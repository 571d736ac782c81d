import { once } from 'node:events'
import { connect } from 'node:net'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { type FakeInvokeAi, startFakeInvokeAi } from './fake-invokeai.ts'
import { listenTo } from './listen-to.ts'

let fake: FakeInvokeAi

beforeEach(async () => {
  fake = await startFakeInvokeAi()
})

afterEach(() => fake.close())

const call = (method: string, path: string, json?: unknown) =>
  fetch(`${fake.url}/api/v1/${path}`, {
    method,
    ...(json === undefined
      ? {}
      : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
  })

const upload = async (query = 'image_category=user&is_intermediate=false', type = 'image/png') => {
  const { bytes } = await drawPicture({ seed: 1, kind: 'invokeai', widthPx: 400, heightPx: 200 })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'cat.png')
  return fetch(`${fake.url}/api/v1/images/upload?${query}`, { method: 'POST', body: form })
}

const createBoard = async (name: string): Promise<{ board_id: string }> =>
  (await call('POST', `boards/?board_name=${name}`)).json()

describe('general behavior', () => {
  test.each(['anywhere', 'boards', 'health', 'app/capabilities', 'boards/a/b/c'])(
    'answers GET /api/v1/%s with the page and status 200',
    async (path) => {
      const answer = await call('GET', path)

      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain('text/html')
    },
  )

  test.each([
    ['POST', 'anywhere'],
    ['PUT', 'boards/'],
    ['DELETE', 'images/'],
    ['POST', 'trash/images'],
    ['POST', 'images/upload/batch'],
  ])('answers %s /api/v1/%s with 405', async (method, path) => {
    const answer = await call(method, path, {})

    expect(answer.status).toBe(405)
    expect(await answer.json()).toEqual({ detail: 'Method Not Allowed' })
  })

  test('answers HEAD of a record with the page, and HEAD of the bytes with the image', async () => {
    const { image_name } = await (await upload()).json()

    const ofRecord = await call('HEAD', `images/i/${image_name}`)
    const ofBytes = await call('HEAD', `images/i/${image_name}/full`)

    expect(ofRecord.headers.get('content-type')).toContain('text/html')
    expect(ofBytes.headers.get('content-type')).toBe('image/png')
  })

  test('sends no ETag and no rate limit headers', async () => {
    const answer = await call('GET', 'boards/?all=true')

    expect(answer.headers.get('etag')).toBeNull()
    expect([...answer.headers.keys()].filter((name) => name.includes('limit'))).toEqual([])
  })

  test('treats a JSON body with another content type as missing', async () => {
    const answer = await fetch(`${fake.url}/api/v1/images/star`, { method: 'POST', body: '{}' })

    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ detail: [{ type: 'missing', loc: ['body'] }] })
  })

  test("rejects an invalid boolean with FastAPI's message", async () => {
    const answer = await call('GET', 'boards/?all=maybe')

    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      detail: [{ type: 'bool_parsing', loc: ['query', 'all'], input: 'maybe' }],
    })
  })
})

describe('boards', () => {
  test('require `all`, or both `offset` and `limit`, for a list', async () => {
    expect((await call('GET', 'boards/')).status).toBe(400)
    expect((await call('GET', 'boards/?all=false')).status).toBe(400)
    expect((await call('GET', 'boards/?all=True')).status).toBe(200)
  })

  test('return the length of the page as its total', async () => {
    for (const name of ['a', 'b', 'c']) await createBoard(name)

    const page = await (await call('GET', 'boards/?offset=0&limit=2')).json()

    expect(page).toMatchObject({ total: 2, limit: 2, offset: 0 })
  })

  test('have no description, star or is_private field', async () => {
    const board = await createBoard('Portraits')

    for (const key of ['description', 'starred', 'is_private'])
      expect(board).not.toHaveProperty(key)
    expect(board).toMatchObject({ board_visibility: 'private', user_id: 'system' })
  })

  test('count only general images in image_count', async () => {
    const { board_id } = await createBoard('Portraits')
    await upload(`image_category=general&is_intermediate=false&board_id=${board_id}`)
    await upload(`image_category=user&is_intermediate=false&board_id=${board_id}`)

    const board = await (await call('GET', `boards/${board_id}`)).json()

    expect(board).toMatchObject({ image_count: 1, asset_count: 1 })
  })

  test('reject unknown keys in changes and answer 201 for known ones', async () => {
    const { board_id } = await createBoard('Portraits')

    const refused = await call('PATCH', `boards/${board_id}`, { is_private: true })
    const changed = await call('PATCH', `boards/${board_id}`, { board_name: 'Faces' })

    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ detail: [{ type: 'extra_forbidden' }] })
    expect(changed.status).toBe(201)
  })

  test('answer 404 for the board `none`, but list its image names', async () => {
    expect((await call('GET', 'boards/none')).status).toBe(404)
    expect((await call('DELETE', 'boards/none')).status).toBe(404)
    expect(await (await call('GET', 'boards/none/image_names')).json()).toEqual([])
  })

  test('keep their images when deleted, unless requested otherwise', async () => {
    const { board_id } = await createBoard('Portraits')
    const image = await (
      await upload(`image_category=user&is_intermediate=false&board_id=${board_id}`)
    ).json()

    const result = await (await call('DELETE', `boards/${board_id}`)).json()

    expect(result).toMatchObject({ deleted_board_images: [image.image_name], deleted_images: [] })
    expect(await (await call('GET', 'boards/none/image_names')).json()).toEqual([image.image_name])
  })
})

describe('images', () => {
  test('are stored as PNG with a thumbnail of 256 px', async () => {
    const answer = await upload('image_category=user&is_intermediate=false', 'image/jpeg')
    const image = await answer.json()
    const thumbnail = await (await call('GET', `images/i/${image.image_name}/thumbnail`)).bytes()

    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(image.image_url)
    expect(image).toMatchObject({ width: 400, height: 200, board_id: null, starred: false })
    expect(image.image_name).toMatch(/^[0-9a-f-]{36}\.png$/)
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 256 })
  })

  test('keep the metadata that InvokeAI embeds', async () => {
    const { image_name, has_workflow } = await (await upload()).json()

    const metadata = await (await call('GET', `images/i/${image_name}/metadata`)).json()

    expect(has_workflow).toBe(true)
    expect(metadata).toHaveProperty('positive_prompt')
  })

  test.each([
    ['none', 404],
    ['', 404],
    ['unknown', 404],
  ])('uploaded to board_id "%s" are answered with %i', async (boardId, status) => {
    const answer = await upload(`image_category=user&is_intermediate=false&board_id=${boardId}`)

    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ detail: 'Board not found' })
  })

  test('are rejected with 415 if not decodable and with 422 without a category', async () => {
    expect((await upload('image_category=user&is_intermediate=false', 'text/plain')).status).toBe(
      415,
    )
    expect((await upload('is_intermediate=false')).status).toBe(422)
  })

  test('are listed in pages with a total; limit 0 returns only the total', async () => {
    await upload()
    await upload()

    const page = await (await call('GET', 'images/?limit=1&offset=1')).json()
    const count = await (await call('GET', 'images/?limit=0')).json()

    expect(page).toMatchObject({ total: 2, limit: 1, offset: 1, items: [{}] })
    expect(count).toMatchObject({ total: 2, items: [] })
  })

  test('are sorted starred first by default', async () => {
    const first = await (await upload()).json()
    const second = await (await upload()).json()
    await call('POST', 'images/star', { image_names: [first.image_name, 'unknown.png'] })

    const names = await (await call('GET', 'images/names')).json()

    expect(names).toEqual({
      image_names: [first.image_name, second.image_name],
      starred_count: 1,
      total_count: 2,
    })
  })

  test('answer 404 for one deleted unknown name and omit it in a bulk delete', async () => {
    const one = await call('DELETE', 'images/i/unknown.png')
    const many = await call('POST', 'images/delete', { image_names: ['unknown.png'] })

    expect(one.status).toBe(404)
    expect(await one.json()).toEqual({ detail: 'Image not found' })
    expect(await many.json()).toEqual({
      affected_boards: [],
      deleted_images: [],
      failed_images: [],
    })
  })

  test.each([
    'images/star',
    'images/unstar',
    'images/delete',
    'images/download',
    'images/images_by_names',
    'board_images/batch',
    'board_images/batch/delete',
  ])('limit %s to 1,000 names of at most 255 characters', async (path) => {
    const { board_id } = await createBoard('Portraits')
    const many = { board_id: 'none', image_names: Array(1001).fill('a.png') }
    const long = { board_id, image_names: ['a'.repeat(256)] }

    const tooMany = await call('POST', path, many)
    const tooLong = await call('POST', path, long)

    expect(tooMany.status).toBe(422)
    expect(await tooMany.json()).toMatchObject({ detail: [{ type: 'too_long' }] })
    expect(tooLong.status).toBe(422)
    expect(await tooLong.json()).toMatchObject({ detail: [{ type: 'string_too_long' }] })
  })

  test.each([
    ['limit=-1', 'greater_than_equal'],
    ['limit=1001', 'less_than_equal'],
    ['offset=-1', 'greater_than_equal'],
  ])('reject a page with %s by 422', async (query, type) => {
    const answer = await call('GET', `images/?${query}`)

    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ detail: [{ type }] })
  })

  test('answer 400 for a zip without images', async () => {
    const answer = await call('POST', 'images/download', { image_names: [] })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ detail: 'No images or board id specified.' })
  })

  test('answer 400 for changes of an unknown image and ignore other keys', async () => {
    const { image_name } = await (await upload()).json()

    const unknown = await call('PATCH', 'images/i/unknown.png', { starred: true })
    const changed = await call('PATCH', `images/i/${image_name}`, { starred: true, board_id: 'x' })

    expect(unknown.status).toBe(400)
    expect(await changed.json()).toMatchObject({ starred: true, board_id: null })
  })

  test('are packed into a zip that is announced and fetched once', async () => {
    const { image_name } = await (await upload()).json()
    const { socket, lines } = await listenTo(fake.url)
    socket.emit('subscribe_bulk_download', { bulk_download_id: 'default' })
    await expect.poll(() => fake.subscriberCount()).toBe(1)
    const answer = await call('POST', 'images/download', { image_names: [image_name] })
    const { bulk_download_item_name: item } = await answer.json()

    expect(answer.status).toBe(202)
    await expect.poll(lines).toEqual(['bulk_download_started', 'bulk_download_complete'])
    await call('POST', 'images/download', { image_names: ['none.png'] })
    await expect.poll(lines).toContain('bulk_download_error')
    socket.disconnect()
    expect((await call('GET', `images/download/${item}`)).status).toBe(200)
    expect((await call('GET', `images/download/${item}`)).status).toBe(404)
  })
})

describe('board_images', () => {
  test('moves added images, uncategorizes removed ones, and answers 201 for both', async () => {
    const { board_id } = await createBoard('Portraits')
    const { image_name } = await (await upload()).json()

    const added = await call('POST', 'board_images/', { board_id, image_name })
    const removed = await call('DELETE', 'board_images/', { image_name })

    expect(added.status).toBe(201)
    expect(await added.json()).toEqual({
      affected_boards: [board_id, 'none'],
      added_images: [image_name],
      failed_images: [],
    })
    expect(removed.status).toBe(201)
    expect(await removed.json()).toMatchObject({ removed_images: [image_name] })
  })

  test('rejects the board `none` and answers 500 for an unknown image', async () => {
    const { board_id } = await createBoard('Portraits')
    const { image_name } = await (await upload()).json()

    const toNone = await call('POST', 'board_images/', { board_id: 'none', image_name })
    const unknown = await call('POST', 'board_images/', { board_id, image_name: 'unknown.png' })

    expect(toNone.status).toBe(404)
    expect(unknown.status).toBe(500)
  })
})

test('keeps its address and all data after a restart', async () => {
  const { image_name } = await (await upload()).json()

  await fake.restart()

  // The first call may use a connection that the restart has closed.
  const status = () => call('GET', `images/i/${image_name}`).then((answer) => answer.status)
  await expect.poll(() => status().catch(() => 'no answer')).toBe(200)
})

test('closes idle connections at a restart', async () => {
  const spare = connect(Number(new URL(fake.url).port), '127.0.0.1')
  spare.on('error', () => {}) // it may be reset
  await once(spare, 'connect')
  const isCut = new Promise((resolve) => spare.once('close', () => resolve(true)))

  await fake.restart()

  expect(await isCut).toBe(true)
})
