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

test('nothing in an image can run, and it is cached for good', async () => {
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
])('an original that is %s is refused, until it is put back', async (_, damage) => {
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

test('HEAD tells of the full image without sending it', async () => {
  const answer = await get(image.image_url, {}, 'HEAD')

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(await answer.text()).toBe('')
  expect((await get('api/v1/images/i/nothing.png/full', {}, 'HEAD')).status).toBe(404)
})

test('the tag is the hash of the content, and who has it gets no bytes', async () => {
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
])('the range %s is answered with %d', async (range, status, start, end) => {
  const answer = await get(image.image_url, { range })

  expect(answer.status).toBe(status)
  expect(Buffer.compare(await answer.bytes(), bytes.slice(start, end))).toBe(0)
})

test('a range is whole where the tag is another', async () => {
  const range = 'bytes=0-9'
  const status = async (headers: Record<string, string>) =>
    (await get(image.image_url, headers)).status

  expect(await status({ range, 'if-range': `"${image.content_hash}"` })).toBe(206)
  expect(await status({ range, 'if-range': '"other"' })).toBe(200)
})

test('a range behind the end is refused with the length of the file, and that is not cached', async () => {
  const answer = await get(image.image_url, { range: 'bytes=99999999-' })

  expect(answer.status).toBe(416)
  expect(await answer.json()).toEqual({ detail: 'The requested range is outside the file.' })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-range': `bytes */${bytes.length}`,
    'x-refusal-code': 'range_not_satisfiable',
    'cache-control': 'no-store',
  })
})

test('a download has the name that the file came with', async () => {
  const disposition = async (query: string) =>
    (await get(`${image.image_url}${query}`)).headers.get('content-disposition')

  expect(await disposition('')).toBe(`inline; filename="${image.image_name}"`)
  expect(await disposition('?download=true')).toBe(
    `attachment; filename="Gr__e.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.png`,
  )
})

test('a file that somebody took away is missing, and that is not cached', async () => {
  const { image_name, image_url } = await api.makeImage('taken.png')
  const files = await readdir(api.dataFolder, { recursive: true })
  const file = files.find((path) => path.endsWith(image_name)) ?? ''
  await rm(join(api.dataFolder, file))

  const { status, headers } = await get(image_url)
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect(headers.get('etag')).toBeNull()
})

test('a deleted image is gone at once', async () => {
  const { image_url, thumbnail_url, image_name } = await api.makeImage('going.png')
  await api.send('DELETE', `/api/v1/images/i/${image_name}`)

  expect((await get(image_url)).status).toBe(404)
  await expect.poll(async () => (await get(thumbnail_url)).status).toBe(404)
})

test('a link in the place of an original is not followed', async () => {
  const other = (await api.upload(await drawFile('other.png'))).body as ImageRecord
  const root = join(api.dataFolder, 'images')
  const paths = await readdir(root, { recursive: true })
  const path = join(root, paths.find((each) => each.endsWith(other.image_name)) ?? '')
  await rename(path, join(api.dataFolder, 'elsewhere'))
  await symlink(join(api.dataFolder, 'elsewhere'), path)

  expect((await get(other.image_url)).status).toBe(404)
})

test('an upload is taken after its folder for new files was removed', async () => {
  await rm(join(api.dataFolder, 'incoming'), { recursive: true })

  expect((await api.upload(await drawFile('again.png'))).status).toBe(201)
})
