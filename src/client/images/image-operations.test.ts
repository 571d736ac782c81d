import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, imageAnswer, json, pageOf, type Routes } from '#testing/fake-fetch.ts'

const connectTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  return { server, client: connect({ baseUrl: 'http://gallery.test', fetch: server.fetch }) }
}

const names = ['cat.png', 'dog.png']

describe('page', () => {
  it('reads a window by position', async () => {
    const { client, server } = connectTo({ 'GET /api/v1/images/': () => pageOf(imageAnswer()) })
    const view = {
      boardId: 'b1',
      categories: ['user', 'general'],
      isIntermediate: false,
      starredFirst: true,
      query: '"a cat"',
    } as const

    const page = await client.images.page(view, { offset: 200, limit: 100 })

    expect(page).toMatchObject({ total: 1, items: [{ image_name: 'cat.png', thumbhash: null }] })
    expect(server.requests[0]?.query.toString()).toBe(
      'board_id=b1&categories=user&categories=general&is_intermediate=false&starred_first=true' +
        '&query=%22a+cat%22&limit=100&offset=200',
    )
  })

  it('reads a window after an image', async () => {
    const { client, server } = connectTo({ 'GET /api/v1/images/': () => pageOf() })

    await client.images.page({}, { after: 'cat.png', limit: 10 })

    expect(server.lines).toEqual(['GET /api/v1/images/?limit=10&after=cat.png'])
  })
})

describe('copy', () => {
  const answer = (names: readonly string[], failed_images: string[] = []) =>
    json({
      affected_boards: ['b1'],
      copied_images: names.map((copy_of) => ({ image_name: `copy of ${copy_of}`, copy_of })),
      failed_images,
    })

  it('sends the board and the image names', async () => {
    const { client, server } = connectTo({
      'POST /api/v1/images/copy': () => answer(['cat.png'], ['dog.png']),
    })

    const result = await client.images.copy(names, 'b1')

    expect(server.requests[0]?.body).toEqual({ board_id: 'b1', image_names: names })
    expect(result).toEqual({
      affected_boards: ['b1'],
      copied_images: [{ image_name: 'copy of cat.png', copy_of: 'cat.png' }],
      failed_images: ['dog.png'],
    })
  })

  it('merges the results of several requests', async () => {
    const { client, server } = connectTo({
      'POST /api/v1/images/copy': ({ body }) =>
        answer((body as { image_names: string[] }).image_names),
    })
    const many = Array.from({ length: 50_001 }, (_, at) => `${at}.png`)

    const { copied_images, affected_boards } = await client.images.copy(many, 'b1')

    expect(server.requests).toHaveLength(2)
    expect(copied_images.map(({ copy_of }) => copy_of)).toEqual(many)
    expect(affected_boards).toEqual(['b1'])
  })
})

describe('order and days', () => {
  it('sends the order and the time zone of a view', async () => {
    const { client, server } = connectTo({
      'GET /api/v1/images/names': () =>
        json({ image_names: names, starred_count: 0, total_count: 2 }),
      'GET /api/v1/images/days': () => json({ starred_count: 0, days }),
    })
    const days = [{ day: '2026-11-21', count: 2 }]

    await client.images.names({ orderBy: 'name', orderDir: 'ASC' })
    const view = { orderBy: 'taken_at', categories: ['user'] } as const
    const answer = await client.images.days(view, { timeZone: 'Europe/Berlin' })

    expect(answer).toEqual({ starred_count: 0, days })
    expect(server.lines).toEqual([
      'GET /api/v1/images/names?order_by=name&order_dir=ASC',
      'GET /api/v1/images/days?categories=user&order_by=taken_at&time_zone=Europe/Berlin',
    ])
  })

  it('rejects an order without days before sending a request', async () => {
    const { client, server } = connectTo({})

    await expect(client.images.days({ orderBy: 'size' })).rejects.toThrow(RangeError)
    expect(server.lines).toEqual([])
  })

  it('throws not_found for days on an InvokeAI', async () => {
    const { client } = connectTo({
      'GET /api/v1/images/days': () =>
        new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    })

    await expect(client.images.days({})).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('bulk changes', () => {
  const result = { affected_boards: ['b1', 'none'] }

  it('moves images to a board', async () => {
    const { client, server } = connectTo({
      'POST /api/v1/board_images/batch': () => json({ ...result, added_images: names }, 201),
    })

    expect(await client.images.move(names, 'b1')).toEqual({ ...result, moved_images: names })
    expect(server.lines).toEqual([
      'POST /api/v1/board_images/batch {"board_id":"b1","image_names":["cat.png","dog.png"]}',
    ])
  })

  it('makes images uncategorized for the board none', async () => {
    const { client, server } = connectTo({
      'POST /api/v1/board_images/batch/delete': () =>
        json({ ...result, removed_images: names }, 201),
    })

    expect(await client.images.move(names, 'none')).toEqual({ ...result, moved_images: names })
    expect(server.lines).toEqual([
      'POST /api/v1/board_images/batch/delete {"image_names":["cat.png","dog.png"]}',
    ])
  })

  it('stars and unstars images', async () => {
    const { client } = connectTo({
      'POST /api/v1/images/star': () => ({ ...result, starred_images: names }),
      'POST /api/v1/images/unstar': () => ({ ...result, unstarred_images: names }),
    })

    expect(await client.images.star(names)).toEqual({
      ...result,
      starred_images: names,
      failed_images: [],
    })
    expect(await client.images.unstar(names)).toEqual({
      ...result,
      unstarred_images: names,
      failed_images: [],
    })
  })

  it('returns deleted images and affected boards', async () => {
    const { client } = connectTo({
      'POST /api/v1/images/delete': () => ({ ...result, deleted_images: names, failed_images: [] }),
    })

    expect(await client.images.delete(names)).toMatchObject({
      deleted_images: names,
      affected_boards: ['b1', 'none'],
    })
  })

  it('deletes all uncategorized images', async () => {
    const { client, server } = connectTo({
      'DELETE /api/v1/images/uncategorized': () => ({ ...result, deleted_images: names }),
    })

    expect((await client.images.deleteUncategorized()).deleted_images).toEqual(names)
    expect(server.lines).toEqual(['DELETE /api/v1/images/uncategorized'])
  })
})

describe('image URLs', () => {
  const { image_url, thumbnail_url } = imageAnswer()

  it('are below the base URL', () => {
    const { client } = connectTo({})

    expect(client.images.fullUrl({ image_url })).toBe(
      'http://gallery.test/api/v1/images/i/cat.png/full',
    )
    expect(client.images.downloadUrl('a b.png')).toBe(
      'http://gallery.test/api/v1/images/i/a%20b.png/full?download=true',
    )
  })

  test.each([
    [0, ''],
    [384, ''],
    [385, '?size=768'],
    [1000, '?size=1536'],
    [4000, '?size=1536'],
  ])('select the smallest thumbnail that reaches %i px', async (sizePx, query) => {
    const { client } = connectTo({
      'GET /api/v1/app/capabilities': () => ({
        extensions: [],
        thumbnail_sizes: [384, 768, 1536],
        limits: {},
      }),
    })
    await client.server.capabilities()

    expect(client.images.thumbnailUrl({ thumbnail_url }, sizePx)).toBe(
      `http://gallery.test/api/v1/images/i/cat.png/thumbnail${query}`,
    )
  })

  it('omit the size for a server with a single size', () => {
    const { client } = connectTo({})

    expect(client.images.thumbnailUrl({ thumbnail_url }, 1000)).toBe(
      'http://gallery.test/api/v1/images/i/cat.png/thumbnail',
    )
  })
})

it('returns null for an unknown image', async () => {
  const { client } = connectTo({})

  expect(await client.images.get('gone.png')).toBeNull()
})

it('splits names by the limit of the server and merges the responses', async () => {
  const many = Array.from({ length: 120_000 }, (_, index) => `${index}.png`)
  const { client, server } = connectTo({
    'GET /api/v1/app/capabilities': () => ({
      server: 'tessera',
      limits: {
        requests_per_minute: null,
        batch_requests_per_minute: null,
        max_names_per_request: 50_000,
      },
    }),
    'POST /api/v1/images/star': ({ body }) => ({
      affected_boards: ['b1'],
      starred_images: (body as { image_names: string[] }).image_names,
    }),
  })

  const result = await client.images.star(many)

  expect(result).toEqual({ affected_boards: ['b1'], starred_images: many, failed_images: [] })
  const sizes = server.requests
    .slice(1)
    .map(({ body }) => (body as { image_names: [] }).image_names.length)
  expect(sizes).toEqual([50_000, 50_000, 20_000])
})
