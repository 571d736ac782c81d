import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageNamesResult, ImageRecord, ImagesPage } from '#contract/image.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let boardId: string
/** Image names by a label that names the property under test. */
const nameOf: Record<string, string> = {}

beforeAll(async () => {
  api = await openApi()
  boardId = (await api.makeBoard('Holidays')).board_id
  const add = async (key: string, fileName: string, taken_at: string, query = {}) => {
    const file = await drawFile(fileName)
    const { body } = await api.upload(file, { board_id: boardId, ...query }, { taken_at })
    nameOf[key] = (body as ImageRecord).image_name
  }
  // Just before and after midnight in Berlin, in the night when daylight saving time starts.
  await add('late', 'pic 10.png', '2026-03-28 22:59:59.999')
  await add('night', 'Pic 9.png', '2026-03-28 23:00:00.000')
  await add('morning', 'pic 2.png', '2026-03-29 21:59:59.999', { image_category: 'mask' })
  await add('next', 'älter.png', '2026-03-29 22:00:00.000')
  await api.send('POST', '/api/v1/images/star', { json: { image_names: [nameOf.next] } })
})
afterAll(() => api.close())

test.each([
  ['', ['late', 'night', 'morning', 'next']],
  ['categories=mask', ['morning']],
  ['categories=control', []],
])('returns the total size of the view with a page: %j', async (query, keys) => {
  const path = `/api/v1/images/?board_id=${boardId}&limit=0&${query}`
  const { body } = await api.send('GET', path)
  const sizes = await Promise.all(
    keys.map(async (key) => {
      const { body: image } = await api.send('GET', `/api/v1/images/i/${nameOf[key]}`)
      return (image as ImageRecord).file_size ?? 0
    }),
  )

  const total_bytes = sizes.reduce((sum, size) => sum + size, 0)
  expect(body).toMatchObject({ total: keys.length, total_bytes })
})

test('returns no total size with a search', async () => {
  const { body } = await api.send('GET', `/api/v1/images/?board_id=${boardId}&query=pic`)

  expect((body as ImagesPage).total_bytes).toBeNull()
})

const days = (query: string) => api.send('GET', `/api/v1/images/days?board_id=${boardId}&${query}`)

test.each([
  ['order_by=taken_at&order_dir=ASC', ['late', 'night', 'morning', 'next']],
  ['order_by=taken_at', ['next', 'morning', 'night', 'late']],
  ['order_by=name&order_dir=ASC', ['next', 'morning', 'night', 'late']],
  ['order_by=name&starred_first=true', ['next', 'late', 'night', 'morning']],
  ['order_by=taken_at&order_dir=ASC&starred_first=true', ['next', 'late', 'night', 'morning']],
  ['order_by=name&categories=user', ['late', 'night', 'next']],
  ['order_by=taken_at&categories=mask&categories=control', ['morning']],
])(
  'returns for the view %j the images %j by page, names, next image and position',
  async (query, keys) => {
    const view = `board_id=${boardId}&${query.includes('starred') ? '' : 'starred_first=false&'}${query}`
    const names = keys.map((key) => nameOf[key])
    const page = async (window: string) =>
      ((await api.send('GET', `/api/v1/images/?${view}&${window}`)).body as ImagesPage).items.map(
        ({ image_name }) => image_name,
      )

    expect(await page('limit=-1')).toEqual(names)
    const listed = (await api.send('GET', `/api/v1/images/names?${view}`)).body
    expect((listed as ImageNamesResult).image_names).toEqual(names)
    expect(await page(`after=${names[0]}`)).toEqual(names.slice(1))
    for (const [position, name] of names.entries()) {
      const { body } = await api.send('GET', `/api/v1/images/i/${name}/position?${view}`)
      expect(body).toEqual({ position, total: names.length })
    }
  },
)

test('lists the names of a board by size', async () => {
  const { body } = await api.send('GET', `/api/v1/boards/${boardId}/image_names?order_by=size`)

  const sizes: (number | null)[] = []
  for (const name of body as string[])
    sizes.push(((await api.send('GET', `/api/v1/images/i/${name}`)).body as ImageRecord).file_size)
  expect(sizes).toHaveLength(4)
  expect(sizes).toEqual(sizes.toSorted((one, other) => Number(other) - Number(one)))
})

test.each([
  ['Europe/Berlin', ['2026-03-28', 1], ['2026-03-29', 2], ['2026-03-30', 1]],
  ['UTC', ['2026-03-28', 2], ['2026-03-29', 2]],
  ['Pacific/Kiritimati', ['2026-03-29', 2], ['2026-03-30', 2]],
])('counts days in %s', async (timeZone, ...expected) => {
  const { body } = await days(
    `order_by=taken_at&order_dir=ASC&starred_first=false&time_zone=${encodeURIComponent(timeZone)}`,
  )

  expect(body).toEqual({
    starred_count: 0,
    days: expected.map(([day, count]) => ({ day, count })),
  })
})

test('counts days after starred images, in UTC by default, with all filters', async () => {
  expect((await days('order_by=taken_at&starred_first=true')).body).toEqual({
    starred_count: 1,
    days: [
      { day: '2026-03-29', count: 1 },
      { day: '2026-03-28', count: 2 },
    ],
  })
  const filtered = await days('order_by=taken_at&categories=mask&starred_first=false')
  expect(filtered.body).toMatchObject({ days: [{ day: '2026-03-29', count: 1 }] })
  expect((await days('query=nothing')).body).toEqual({ starred_count: 0, days: [] })
  expect((await days('board_id=unknown')).status).toBe(200)
})

test('rejects days of an unknown date type or time zone', async () => {
  expect((await days('order_by=name')).status).toBe(422)
  expect((await days('order_by=taken')).status).toBe(422)
  const refused = await days('time_zone=Mars/Base')
  expect(refused).toMatchObject({
    status: 400,
    body: { detail: 'There is no time zone named "Mars/Base".' },
  })
})
