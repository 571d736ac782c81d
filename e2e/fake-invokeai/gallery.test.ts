import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type FakeInvokeAi, startFakeInvokeAi } from './fake-invokeai.ts'

let fake: FakeInvokeAi

beforeEach(async () => {
  fake = await startFakeInvokeAi()
})

afterEach(() => fake.close())

const ask = async (path: string) => {
  const answer = await fetch(`${fake.url}/api/v1/${path}`)
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: isJson ? await answer.json() : await answer.text() }
}

const upload = async () => {
  const bytes = await drawFile('cat.png')
  return connect({ baseUrl: fake.url }).uploads.upload({ bytes, fileName: 'cat.png' })
}

test('lists images and videos together, newest first', async () => {
  const { image_name } = await upload()
  const { name } = fake.library.addVideo(null)

  const { body } = await ask('gallery/item_names?board_id=none&starred_first=false')
  const page = await ask('gallery/items/?limit=1&order_dir=ASC')

  expect([...body.item_names].sort()).toEqual([image_name, name].sort())
  expect(body).toMatchObject({ starred_count: 0, total_count: 2 })
  expect(page.body).toMatchObject({ total: 2, limit: 1, items: [{ kind: 'image', fps: null }] })
  expect((await ask('gallery/items/?limit=1001')).status).toBe(422)
})

test('counts the videos of a board and deletes them with its images', async () => {
  const { boardId } = await connect({ baseUrl: fake.url }).boards.createBoard('Films')
  const { name } = fake.library.addVideo(boardId)

  expect((await ask(`boards/${boardId}`)).body).toMatchObject({ video_count: 1, image_count: 0 })
  expect((await ask('videos/?board_id=none&limit=0')).body).toMatchObject({ total: 0, items: [] })
  const url = `${fake.url}/api/v1/boards/${boardId}?include_images=true`
  const deleted = await (await fetch(url, { method: 'DELETE' })).json()
  expect(deleted).toMatchObject({ deleted_videos: [name] })
  expect(fake.library.videos.size).toBe(0)
})

test('answers with the page before 6.14, which has no such list', async () => {
  await fake.close()
  fake = await startFakeInvokeAi({ version: '6.13.0' })

  const { status, body } = await ask('gallery/item_names')

  expect([status, body]).toEqual([200, expect.stringContaining('<!doctype html>')])
})
