import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type TesseraClient } from '#client/connect.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let client: TesseraClient
let images: string[]
beforeAll(async () => {
  api = await openApi()
  client = connect({ baseUrl: api.url })
  await api.makeImage('a.png')
  await api.makeImage('b.png')
  images = (await client.images.names({ orderBy: 'name', orderDir: 'ASC' })).image_names
})
afterAll(async () => {
  client.close()
  await api.close()
})

const post = (path: string, json: unknown) => api.send('POST', `/api/v1/${path}`, { json })
const record = async (at: number) => client.images.get(images[at] ?? '')

test('rates images, and gives back what they were rated', async () => {
  const rated = await client.images.rate([...images, 'unknown.png'], 4)
  expect(rated.rated_images.toSorted()).toEqual(images.toSorted())
  expect(rated.previous).toMatchObject([{ rating: 0 }])
  expect(await record(0)).toMatchObject({ rating: 4 })
  expect(await client.images.count({ query: 'rating>=4' })).toBe(2)
  for (const { rating, image_names } of rated.previous)
    await client.images.rate(image_names, rating)
  expect(await client.images.count({ query: 'rating:0' })).toBe(2)

  expect(await post('images/rate', { image_names: images, rating: 6 })).toMatchObject({
    status: 422,
  })
})

test('tags images, renames, colors and deletes tags, and undoes it', async () => {
  const { tags } = client
  const { added } = await client.images.tag(images, { add: ['people/anna', ' keep '] })
  expect(added.map(({ tag }) => tag)).toEqual(['people/anna', 'keep'])
  expect(await record(0)).toMatchObject({ tags: ['keep', 'people/anna'] })
  const renamed = await tags.update('people', { new_name: 'family' })
  expect(renamed).toMatchObject({ name: 'family', tags: 1, merged: 0 })
  await tags.update('keep', { color: 'green' })
  expect(await tags.list()).toMatchObject([
    { name: 'family/anna', count: 2, color: null },
    { name: 'keep', count: 2, color: 'green' },
  ])
  expect(await tags.restore(renamed.change_id)).toBe(true)
  expect(await tags.restore(renamed.change_id)).toBe(false)
  const deleted = await tags.delete('people')
  expect(await record(1)).toMatchObject({ tags: ['keep'] })
  expect(await tags.restore(deleted?.change_id ?? '')).toBe(true)
  expect(await record(1)).toMatchObject({ tags: ['keep', 'people/anna'] })
  expect(await tags.delete('unknown')).toBeNull()
  const removed = await client.images.tag(images, { remove: ['KEEP'] })
  expect(removed).toMatchObject({ added: [], removed: [{ tag: 'keep' }] })
})

test.each([
  ['a//b', 422, 'invalid_tag'],
  [' ', 422, 'invalid_tag'],
  ['a\nb', 422, 'invalid_tag'],
])('refuses the tag %j', async (tag, status, code) => {
  const answer = await post('images/tag', { image_names: images, add: [tag] })
  expect([answer.status, answer.headers.get('x-refusal-code')]).toEqual([status, code])
})

test('refuses unknown tags, unknown changes, and too many names for many tags', async () => {
  const json = { name: 'unknown', color: 'red' }
  expect(await api.send('PATCH', '/api/v1/tags', { json })).toMatchObject({ status: 404 })
  expect(await post('tags/restore', { change_id: 'none' })).toMatchObject({ status: 404 })
  const image_names = Array.from({ length: 10_001 }, (_, at) => `${at}.png`)
  const add = Array.from({ length: 50 }, (_, at) => `tag ${at}`)
  const answer = await post('images/tag', { image_names, add })
  expect([answer.status, answer.headers.get('x-refusal-code')]).toEqual([413, 'too_many_names'])
})

test('logs each change for other clients', async () => {
  const state = async () => (await client.changes.list()).new_state
  const before = await state()
  await client.images.rate(images.slice(0, 1), 2)
  await client.images.tag(images.slice(0, 1), { add: ['seen'] })
  const changes = await client.changes.list({ since: before })
  expect(changes.images.updated).toEqual(images.slice(0, 1))
  await client.tags.update('seen', { new_name: 'viewed' })
  const later = await client.changes.list({ since: changes.new_state })
  expect(later.is_everything_unlisted).toBe(true)
})
