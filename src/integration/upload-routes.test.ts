import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { BatchUploadLine } from '#contract/uploads/upload-operations.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { writeBmp } from '#testing/library/write-bmp.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const bmpFile = (name: string): File => {
  const bytes = writeBmp({ width: 9, height: 6 }, (x, y) => [x * 20, y * 20, 99, 255])
  return new File([new Uint8Array(bytes)], name, { type: 'image/bmp' })
}

const bytesOf = async (path: string) => (await fetch(`${api.url}/${path}`)).bytes()

const batch = async (form: FormData, query = ''): Promise<BatchUploadLine[]> => {
  const { status, headers, body } = await api.send('POST', `/api/v1/images/upload/batch${query}`, {
    body: form,
  })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const lines = String(body).split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line) as BatchUploadLine)
    .toSorted((one, other) => one.index - other.index)
}

test.each([
  ['a.png', 'image/png'],
  ['b.jpg', 'image/jpeg'],
  ['c.webp', 'image/webp'],
  ['d.gif', 'image/gif'],
  ['e.avif', 'image/avif'],
  ['f.tiff', 'image/tiff'],
  ['g.bmp', 'image/bmp'],
])('stores %s byte for byte and serves it as %s', async (fileName, mediaType) => {
  const file = fileName.endsWith('.bmp') ? bmpFile(fileName) : await drawFile(fileName)

  const { status, headers, body } = await api.upload(file, { session_id: 's' })
  const image = body as ImageRecord
  expect(status).toBe(201)
  expect(image).toMatchObject({ file_name: fileName, media_type: mediaType, session_id: 's' })
  expect(headers.get('location')).toBe(image.image_url)
  const full = await fetch(`${api.url}/${image.image_url}`)
  expect(full.headers.get('content-type')).toBe(mediaType)
  expect(Buffer.compare(await full.bytes(), await file.bytes())).toBe(0)
})

test('accepts the fields of a form in any order, also after the file', async () => {
  const resize_to = '{"width": 20, "height": 10}'
  const parts = { resize_to, metadata: '{"positive_prompt": "a fox"}', unknown: 'ignored' }

  const { body } = await api.upload(await drawFile('behind.png'), {}, parts)
  expect(body).toMatchObject({ width: 20, height: 10, media_type: 'image/png' })
  const { image_name } = body as ImageRecord
  expect((await api.send('GET', `/api/v1/images/i/${image_name}/metadata`)).body).toEqual({
    positive_prompt: 'a fox',
  })
})

test('ignores metadata that is not an object', async () => {
  const { status } = await api.upload(await drawFile('list.png'), {}, { metadata: '[1, 2]' })

  expect(status).toBe(201)
})

test('returns the existing record for a repeated upload', async () => {
  const file = await drawFile('again.png')
  const [first, second] = [
    await api.upload(file, { upload_id: 'one' }),
    await api.upload(file, { upload_id: 'one' }),
  ]

  expect(second).toMatchObject({ status: 201, body: first.body as ImageRecord })
})

test('returns one line per file of a batch: a record, a refusal or a repeat', async () => {
  const { board_id } = await api.makeBoard('Batch')
  const form = new FormData()
  form.append('upload', JSON.stringify({ upload_id: 'u0', taken_at: '2020-02-02 02:02:02.000' }))
  form.append('file', await drawFile('zero.png'))
  form.append('file', new Blob(['text'], { type: 'image/png' }), 'text.png')
  form.append('upload', JSON.stringify({ upload_id: 'u2' }))
  form.append('file', await drawFile('two.webp'))
  form.append('upload', 'nonsense')
  form.append('file', await drawFile('three.png'))
  form.append('file', new Blob(['<html>'], { type: 'text/html' }), 'four.html')

  const query = `?board_id=${board_id}&image_category=general`
  const lines = await batch(form, query)
  const refused = (code: string, status: number) => ({
    image: null,
    refusal: { code, status, detail: expect.any(String) },
  })
  expect(lines).toMatchObject([
    {
      index: 0,
      upload_id: 'u0',
      file_name: 'zero.png',
      is_repeat: false,
      refusal: null,
      image: { board_id, image_category: 'general', taken_at: '2020-02-02 02:02:02.000' },
    },
    { index: 1, upload_id: null, file_name: 'text.png', ...refused('not_an_image', 415) },
    { index: 2, upload_id: 'u2', refusal: null, image: { file_name: 'two.webp' } },
    { index: 3, ...refused('invalid_multipart', 400) },
    { index: 4, ...refused('not_an_image', 415) },
  ])

  const repeat = await batch(form, query)
  expect(repeat.map(({ is_repeat }) => is_repeat)).toEqual([true, false, true, false, false])
  expect(repeat[2]?.image).toEqual(lines[2]?.image)
})

test('rejects a batch for an unknown board as a whole', async () => {
  const form = new FormData()
  form.append('file', await drawFile('a.png'))
  for (const id of ['none', '', 'unknown']) {
    const answer = await api.send('POST', `/api/v1/images/upload/batch?board_id=${id}`, {
      body: form,
    })
    expect(answer).toMatchObject({ status: 404, body: { detail: 'Board not found' } })
  }
})

test('refuses bytes that the library already has and names the image', async () => {
  const file = await drawFile('known.png')
  const { body } = await api.upload(file)
  const form = new FormData()
  form.append('upload', JSON.stringify({ known_bytes: 'refuse' }))
  form.append('file', file)

  const [line] = await batch(form)

  expect(line?.refusal).toMatchObject({ code: 'already_here', same_image: body })
})

test('answers a large batch completely if the client reads only at the end', async () => {
  const form = new FormData()
  for (let index = 0; index < 60; index++) form.append('file', await drawFile(`many-${index}.png`))

  const lines = await batch(form)
  expect(lines.filter(({ image }) => image !== null)).toHaveLength(60)
  expect(new Set(lines.map(({ image }) => image?.image_name)).size).toBe(60)
})

test('cleans names with folders, direction marks or 10,000 letters', async () => {
  const form = new FormData()
  const names = [
    '../../etc/passwd.png',
    'a\u202Egnp.png',
    `${'x'.repeat(10_000)}.png`,
    'Käse 木.png',
  ]
  for (const name of names) form.append('file', await drawFile('name.png'), name)

  const fileNames = (await batch(form)).map(({ image }) => image?.file_name)
  expect(fileNames).toEqual([
    'passwd.png',
    'agnp.png',
    expect.stringMatching(/^x{251}\.png$/),
    'Käse 木.png',
  ])
})

test('creates larger thumbnails on first use', async () => {
  const big = await drawFile('big.png', { widthPx: 1000, heightPx: 500 })
  const { image_name } = (await api.upload(big)).body as ImageRecord
  const widthAt = async (query: string) => {
    const bytes = await bytesOf(`api/v1/images/i/${image_name}/thumbnail${query}`)
    return Buffer.from(bytes).readUIntLE(26, 2) & 0x3fff // from the header of a lossy WebP
  }

  expect(await widthAt('')).toBe(384)
  expect(await widthAt('?size=768')).toBe(768)
})
