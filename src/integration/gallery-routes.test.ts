import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GalleryItemNames } from '#contract/gallery-operations.ts'
import type { ImageRecord } from '#contract/image.ts'
import { type Api, openApi } from './open-api.ts'

const DAY_MS = 24 * 3600 * 1000

let api: Api
let images: Awaited<ReturnType<typeof makeThree>>
beforeAll(async () => {
  api = await openApi()
  images = await makeThree()
})
afterAll(() => api.close())

const get = async (path: string) => api.send('GET', `/api/v1/gallery/${path}`)
const names = async (query: string) =>
  ((await get(`item_names?${query}`)).body as GalleryItemNames).item_names

/** Makes two images of one day, the older one starred, and one of the next day. */
const makeThree = async (): Promise<[ImageRecord, ImageRecord, ImageRecord]> => {
  const first = await api.makeImage('first.png')
  api.clock.advance(1_000)
  const second = await api.makeImage('second.png')
  api.clock.advance(DAY_MS)
  const third = await api.makeImage('third.png')
  const json = { image_names: [first.image_name] }
  await api.send('POST', '/api/v1/images/star', { json })
  return [first, second, third]
}

test("returns the names of the gallery's images", async () => {
  const queries = [
    'board_id=none&categories=user&is_intermediate=false&order_dir=DESC&search_term=&starred_first=true',
    'order_dir=ASC&starred_first=false',
    'board_id=unknown',
    'categories=general',
  ]

  for (const query of queries) {
    const { body } = await api.send('GET', `/api/v1/images/names?${query}`)
    const { image_names, ...counts } = body as { image_names: string[] }
    expect(await get(`item_names?${query}`)).toMatchObject({
      status: 200,
      body: { item_names: image_names, ...counts },
    })
    const old = await get(`items/names?${query}`)
    const items = image_names.map((name) => ({ kind: 'image', name }))
    expect(old.body).toEqual({ items, ...counts })
  }
})

test('filters by origin', async () => {
  const [first, second, third] = images

  expect(await names('origin=external')).toEqual(
    [first, third, second].map(({ image_name }) => image_name),
  )
  expect(await names('origin=internal')).toEqual([])
})

test('describes an item by fields that also fit videos', async () => {
  const [, , third] = images

  const { body } = await get('items/?starred_first=false&limit=1')

  expect(body).toEqual({
    limit: 1,
    offset: 0,
    total: 3,
    items: [
      {
        kind: 'image',
        name: third.image_name,
        full_url: third.image_url,
        thumbnail_url: third.thumbnail_url,
        width: third.width,
        height: third.height,
        category: 'user',
        starred: false,
        is_intermediate: false,
        board_id: null,
        created_at: third.created_at,
        duration: null,
        fps: null,
      },
    ],
  })
})

test('accepts page sizes from zero to a thousand', async () => {
  const pages = ['limit=0', 'limit=1000', 'limit=1001', 'limit=-1', 'offset=-1']

  const statuses = await Promise.all(
    pages.map(async (query) => [query, (await get(`items/?${query}`)).status]),
  )

  expect(statuses).toEqual(pages.map((query, at) => [query, at < 2 ? 200 : 422]))
  expect((await get('items')).status).toBe(200) // without the slash
})

describe('images of a day', () => {
  test('returns only images of that day, starred first on request', async () => {
    const [first, second, third] = images.map(({ image_name }) => image_name)

    expect((await get('item_names?created_date=2026-01-01')).body).toEqual({
      item_names: [first, second],
      starred_count: 1,
      total_count: 2,
    })
    expect((await get('item_names?created_date=2026-01-01&starred_first=false')).body).toEqual({
      item_names: [second, first],
      starred_count: 0,
      total_count: 2,
    })
    expect(await names('created_date=2026-01-02')).toEqual([third])
  })

  test('returns the names of the day of a virtual board, starred first by default', async () => {
    const [first, second] = images.map(({ image_name }) => image_name)
    const path = '/api/v1/virtual_boards/by_date/2026-01-01/item_names'

    expect(await api.send('GET', path)).toMatchObject({
      status: 200,
      body: { item_names: [first, second], starred_count: 1, total_count: 2 },
    })
    const { body } = await api.send('GET', `${path}?starred_first=false&order_dir=ASC`)
    expect(body).toMatchObject({ item_names: [first, second], starred_count: 0 })
    expect((await api.send('GET', `${path}?categories=mask`)).body).toMatchObject({
      total_count: 0,
    })
  })

  test('returns the total of the day with a page', async () => {
    const [first] = images

    const { body } = await get(
      'items/?created_date=2026-01-01&order_dir=ASC&starred_first=false&limit=1',
    )

    expect(body).toMatchObject({ total: 2, items: [{ name: first.image_name }] })
  })

  test('returns nothing for a day without images or an invalid day', async () => {
    for (const day of ['2026-01-03', '01.01.2026', '']) {
      expect(await names(`created_date=${day}`)).toEqual([])
    }
  })
})
