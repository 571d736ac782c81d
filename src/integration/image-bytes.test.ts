import { readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let image: ImageRecord
let bytes: Uint8Array
beforeAll(async () => {
  api = await openApi()
  const file = await drawFile('Größe.png')
  bytes = await file.bytes()
  image = (await api.upload(file)).body as ImageRecord
})
afterAll(() => api.close())

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${api.url}/${url}`, { method, headers })

test('prevents active content in images and caches them permanently', async () => {
  for (const url of [image.image_url, image.thumbnail_url]) {
    const { headers } = await get(url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': expect.stringMatching(/max-age=31536000, immutable/),
      'accept-ranges': 'bytes',
    })
    expect(headers.get('content-encoding')).toBeNull()
  }
})

test.each<[string, (whole: Buffer) => Uint8Array]>([
  ['cut off', (whole) => whole.subarray(0, 100)],
  ['empty', () => new Uint8Array()],
  ['zeroed', (whole) => Buffer.alloc(whole.length)],
  [
    'changed by one bit',
    (whole) => Buffer.from(whole.map((byte, at) => (at === 90 ? byte ^ 4 : byte))),
  ],
])('refuses an original that is %s until it is restored', async (_, damage) => {
  const file = await drawFile('damaged.png')
  const whole = Buffer.from(await file.bytes())
  const { image_name, image_url } = (await api.upload(file)).body as ImageRecord
  const path = imagePath(join(api.dataFolder, 'images'), image_name)
  expect((await get(image_url)).status).toBe(200)

  await writeFile(path, damage(whole))
  await utimes(path, new Date(), new Date(Date.now() + 1000))
  const refused = await get(image_url)
  expect(refused.status).toBe(500)
  expect(refused.headers.get('x-refusal-code')).toBe('original_damaged')
  expect(refused.headers.get('cache-control')).toBe('no-store')

  await writeFile(path, whole)
  expect(Buffer.from(await (await get(image_url)).bytes())).toEqual(whole)
})

test('answers HEAD with the headers of the full image', async () => {
  const answer = await get(image.image_url, {}, 'HEAD')

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(await answer.text()).toBe('')
  expect((await get('api/v1/images/i/nothing.png/full', {}, 'HEAD')).status).toBe(404)
})

test('uses the content hash as the ETag and answers 304', async () => {
  const tag = `"${image.content_hash}"`
  expect((await get(image.image_url)).headers.get('etag')).toBe(tag)

  for (const known of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
    expect((await get(image.image_url, { 'if-none-match': known })).status).toBe(304)
  }
  expect((await get(image.image_url, { 'if-none-match': '"other"' })).status).toBe(200)
})

test.each([
  ['bytes=0-9', 206, 0, 10],
  ['bytes=100-', 206, 100, undefined],
  ['bytes=-5', 206, -5, undefined],
  ['nonsense', 200, 0, undefined],
])('answers the range %s with %d', async (range, status, start, end) => {
  const answer = await get(image.image_url, { range })

  expect(answer.status).toBe(status)
  expect(Buffer.compare(await answer.bytes(), bytes.slice(start, end))).toBe(0)
})

test('sends the whole file if If-Range does not match the ETag', async () => {
  const range = 'bytes=0-9'
  const status = async (headers: Record<string, string>) =>
    (await get(image.image_url, headers)).status

  expect(await status({ range, 'if-range': `"${image.content_hash}"` })).toBe(206)
  expect(await status({ range, 'if-range': '"other"' })).toBe(200)
})

test('refuses a range beyond the end with the file length, uncached', async () => {
  const answer = await get(image.image_url, { range: 'bytes=99999999-' })

  expect(answer.status).toBe(416)
  expect(await answer.json()).toEqual({ detail: 'The requested range is outside the file.' })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-range': `bytes */${bytes.length}`,
    'x-refusal-code': 'range_not_satisfiable',
    'cache-control': 'no-store',
  })
})

test('offers a download under the original file name', async () => {
  const disposition = async (query: string) =>
    (await get(`${image.image_url}${query}`)).headers.get('content-disposition')

  expect(await disposition('')).toBe(`inline; filename="${image.image_name}"`)
  expect(await disposition('?download=true')).toBe(
    `attachment; filename="Gr__e.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.png`,
  )
})

test('answers 404 without caching for a file that was removed', async () => {
  const { image_name, image_url } = await api.makeImage('taken.png')
  const files = await readdir(api.dataFolder, { recursive: true })
  const file = files.find((path) => path.endsWith(image_name)) ?? ''
  await rm(join(api.dataFolder, file))

  const { status, headers } = await get(image_url)
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect(headers.get('etag')).toBeNull()
})

test('serves no deleted image', async () => {
  const { image_url, thumbnail_url, image_name } = await api.makeImage('going.png')
  await api.send('DELETE', `/api/v1/images/i/${image_name}`)

  expect((await get(image_url)).status).toBe(404)
  await expect.poll(async () => (await get(thumbnail_url)).status).toBe(404)
})

test('does not follow a link in the place of an original', async () => {
  const other = (await api.upload(await drawFile('other.png'))).body as ImageRecord
  const root = join(api.dataFolder, 'images')
  const paths = await readdir(root, { recursive: true })
  const path = join(root, paths.find((each) => each.endsWith(other.image_name)) ?? '')
  await rename(path, join(api.dataFolder, 'elsewhere'))
  await symlink(join(api.dataFolder, 'elsewhere'), path)

  expect((await get(other.image_url)).status).toBe(404)
})

test('accepts an upload after the folder for new files was removed', async () => {
  await rm(join(api.dataFolder, 'incoming'), { recursive: true })

  expect((await api.upload(await drawFile('again.png'))).status).toBe(201)
})
