import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageNamesResult, ImageRecord, ImagesPage } from '#contract/image.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { newImage } from '#testing/ports/new-image.ts'
import { type Api, openApi } from './open-api.ts'

/** More than fits into one write. */
const COUNT = 5_500

let api: Api
beforeAll(async () => {
  api = await openApi({}, async (dataFolder) => {
    const records = await openRecords({ dataFolder })
    const images = Array.from({ length: COUNT }, (_, index) => newImage(`image-${index}.png`))
    await records.images.addMany(images)
    await records.close()
  })
})
afterAll(() => api.close())

const countOf = (names: readonly string[]) => [names.length, new Set(names).size]

test('sends long lists completely, with each encoding', async () => {
  const { image_names, ...counts } = (await api.send('GET', '/api/v1/images/names'))
    .body as ImageNamesResult
  expect([countOf(image_names), counts]).toEqual([
    [COUNT, COUNT],
    { starred_count: 0, total_count: COUNT },
  ])

  const page = (await api.send('GET', '/api/v1/images/?limit=-1')).body as ImagesPage
  expect(page).toMatchObject({ limit: -1, offset: 0, total: COUNT })
  expect(page.items.map(({ image_name }) => image_name)).toEqual(image_names)

  const onBoard = await api.send('GET', '/api/v1/boards/none/image_names')
  expect(onBoard.body).toEqual(image_names)

  const byNames = await api.send('POST', '/api/v1/images/images_by_names', {
    json: { image_names },
  })
  expect((byNames.body as ImageRecord[]).map(({ image_name }) => image_name)).toEqual(image_names)
})
