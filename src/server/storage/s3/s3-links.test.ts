import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer
let image: ImageRecord
let file: File
beforeAll(async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'))
  const files = emptyStore(inject('s3Url'))
  server = await startServer({ databaseUrl, files, filesRedirect: true })
  file = await drawFile('Übung.png')
  image = await server.client.uploads.upload({ bytes: file, fileName: 'Übung.png' })
})
afterAll(() => server?.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/${path}`, { redirect: 'manual', headers })

const asImage = { 'sec-fetch-dest': 'image' }

const follow = async (answer: Response) => {
  expect(answer.status).toBe(302)
  return fetch(answer.headers.get('location') ?? '')
}

test('redirects an image of a page to its object, with its type and its name', async () => {
  const answer = await get(image.image_url, asImage)

  const object = await follow(answer)
  expect(answer.headers.get('cache-control')).toBe('private, max-age=240')
  expect(answer.headers.get('vary')).toContain('Sec-Fetch-Dest')
  expect(object.headers.get('content-type')).toBe('image/png')
  expect(object.headers.get('content-disposition')).toContain(
    `inline; filename="${image.image_name}"`,
  )
  expect(Buffer.from(await object.arrayBuffer())).toEqual(Buffer.from(await file.arrayBuffer()))
})

test('redirects a download with the name of the uploaded file', async () => {
  const document = { 'sec-fetch-dest': 'document' }

  const object = await follow(await get(`${image.image_url}?download=true`, document))

  const disposition = object.headers.get('content-disposition')
  expect(disposition).toContain('attachment')
  expect(disposition).toContain("filename*=UTF-8''%C3%9Cbung.png")
  await object.arrayBuffer()
})

test('redirects a thumbnail, and sends one that it has to make', async () => {
  const stored = await follow(await get(image.thumbnail_url, asImage))
  expect(stored.headers.get('content-type')).toBe('image/webp')
  await stored.arrayBuffer()

  const path = `${image.thumbnail_url}?size=768`
  const made = await get(path, asImage)
  await made.arrayBuffer()

  expect(made.status).toBe(200)
  await (await follow(await get(path, asImage))).arrayBuffer()
})

test.each([
  ['fetch', { 'sec-fetch-dest': 'empty' }],
  ['a program', {}],
  ['a range', { ...asImage, range: 'bytes=0-9' }],
])('sends the bytes for %s itself', async (_case, headers) => {
  const answer = await get(image.image_url, headers as Record<string, string>)
  await answer.arrayBuffer()

  expect([200, 206]).toContain(answer.status)
  expect(answer.headers.get('vary')).toContain('Sec-Fetch-Dest')
})

test('answers 304 for an image that a browser has', async () => {
  const etag = (await get(image.image_url, asImage)).headers.get('etag') ?? ''

  expect((await get(image.image_url, { ...asImage, 'if-none-match': etag })).status).toBe(304)
})

test('does not redirect to an image that does not exist', async () => {
  const unknown = image.image_url.replace(image.image_name, 'no-such-image.png')

  expect((await get(unknown, asImage)).status).toBe(404)
})

test('lets the page show images of the store', async () => {
  const policy = (await get('')).headers.get('content-security-policy')

  const { searchParams } = new URL(inject('s3Url'))
  expect(policy).toContain(`img-src 'self' blob: data: ${searchParams.get('endpoint')};`)
})
