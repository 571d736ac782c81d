import { connect } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { type Api, openApi } from './open-api.ts'

const MAX_UPLOAD_BYTES = 200_000

let api: Api
beforeAll(async () => {
  api = await openApi({ maxUploadBytes: MAX_UPLOAD_BYTES })
})
afterAll(() => api.close())

afterEach(async () => {
  // A refused upload leaves no file and no record, and the server continues to work.
  await expect.poll(() => api.storedFiles()).toEqual([])
  const images = await api.send('GET', '/api/v1/images/?limit=0')
  expect(images).toMatchObject({ status: 200, body: { total: 0 } })
})

const path = '/api/v1/images/upload?image_category=user&is_intermediate=false'

const image = (bytes: string | Uint8Array, type = 'image/png', name = 'picture.png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

const cut = async (name: string, share: number) => {
  const file = await drawFile(name, { widthPx: 300, heightPx: 300 })
  return image((await file.bytes()).slice(0, file.size * share), file.type)
}

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Returns a PNG that declares a size of 60,000 by 60,000 pixels and contains almost no data. */
const vastPng = (): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(60_000, 0)
  header.writeUInt32BE(60_000, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a TIFF with ten thousand pages of one pixel each. */
const manyPages = (): Promise<Buffer> =>
  sharp(Buffer.alloc(10_000), { raw: { width: 1, height: 10_000, channels: 1, pageHeight: 1 } })
    .tiff({ compression: 'none' })
    .toBuffer()

const html = '<!doctype html><script>alert(1)</script>'
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

test.each<[string, () => File | Promise<File>, number, string]>([
  ['an empty file', () => image(''), 415, 'empty_file'],
  ['text named .png', () => image('hello'), 415, 'not_an_image'],
  ['HTML named .png', () => image(html), 415, 'not_an_image'],
  ['SVG named .png', () => image(svg), 415, 'unsupported_format'],
  ['SVG', () => image(svg, 'image/svg+xml', 'a.svg'), 415, 'unsupported_format'],
  ['a part that says text', () => image('hello', 'text/plain', 'a.txt'), 415, 'not_an_image'],
  ['a PNG cut in half', () => cut('a.png', 0.5), 415, 'damaged_image'],
  ['a PNG cut at nine tenths', () => cut('a.png', 0.9), 415, 'damaged_image'],
  ['a JPEG cut in half', () => cut('a.jpg', 0.5), 415, 'damaged_image'],
  ['a JPEG cut in its header', () => cut('a.jpg', 0.01), 415, 'damaged_image'],
  ['60,000 x 60,000 pixels', () => image(vastPng()), 415, 'too_many_pixels'],
  ['a file over the limit', () => image(Buffer.alloc(MAX_UPLOAD_BYTES + 1)), 413, 'file_too_large'],
])('rejects %s', async (_what, file, status, code) => {
  const answer = await api.upload(await file())

  expect([answer.status, answer.headers.get('x-refusal-code')]).toEqual([status, code])
  expect(answer.body).toEqual({ detail: expect.stringMatching(/^[A-Z].{8,}/) })
})

test.each(['', 'application/octet-stream', 'text/plain'])(
  'takes an image that was sent as %j, because the bytes decide',
  async (type) => {
    const bytes = await (await drawFile('a.webp')).bytes()

    const { status, body } = await api.upload(image(bytes, type, 'x.webp'))

    expect({ status, body }).toMatchObject({ status: 201, body: { media_type: 'image/webp' } })
    await api.send('DELETE', '/api/v1/images/uncategorized')
  },
)

test('rejects a TIFF with ten thousand pages @long', async () => {
  const roomy = await openApi()
  try {
    const answer = await roomy.upload(image(await manyPages(), 'image/tiff', 'book.tiff'))
    expect([answer.status, answer.headers.get('x-refusal-code')]).toEqual([415, 'too_many_pages'])
    expect(await roomy.storedFiles()).toEqual([])
  } finally {
    await roomy.close()
  }
})

test('accepts the other files of a batch when one exceeds the limit', async () => {
  const form = new FormData()
  form.append('file', image(Buffer.alloc(MAX_UPLOAD_BYTES * 3)))
  form.append('file', await drawFile('fine.png'))

  const { body } = await api.send('POST', '/api/v1/images/upload/batch', { body: form })
  const lines = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { index: 0, refusal: { code: 'file_too_large', status: 413 } },
    { index: 1, refusal: null },
  ])
  await api.send('DELETE', '/api/v1/images/uncategorized')
})

test.each(['none', '', 'unknown', '../x'])(
  'rejects an upload to the board %j',
  async (board_id) => {
    expect(await api.upload(await drawFile('a.png'), { board_id })).toMatchObject({
      status: 404,
      body: { detail: 'Board not found' },
    })
  },
)

test.each(['[8, 8]', '{"width": 0, "height": 8}', '{"width": 5000, "height": 5000}', 'nonsense'])(
  'rejects the size %s',
  async (resize_to) => {
    expect(await api.upload(await drawFile('a.png'), {}, { resize_to })).toMatchObject({
      status: 400,
      body: { detail: 'Invalid resize_to format or size' },
    })
  },
)

test('reports a missing file for a form without one and for other bodies', async () => {
  const form = new FormData()
  form.append('metadata', '{}')
  const text = new FormData()
  text.append('file', 'only text')

  for (const where of [path, '/api/v1/images/upload/batch']) {
    for (const init of [{ body: form }, { body: text }, { json: {} }, {}]) {
      expect(await api.send('POST', where, init)).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required' }] },
      })
    }
  }
})

test('reports missing query parameters', async () => {
  const form = new FormData()
  form.append('file', await drawFile('a.png'))

  expect(await api.send('POST', '/api/v1/images/upload', { body: form })).toMatchObject({
    status: 422,
    body: {
      detail: [
        { type: 'missing', loc: ['query', 'image_category'] },
        { type: 'missing', loc: ['query', 'is_intermediate'] },
      ],
    },
  })
})

const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
const partHead =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'

test.each([
  ['no boundary', { 'content-type': 'multipart/form-data' }, 'x'],
  ['no end', multipart, `${partHead}bytes`],
  ['no part', multipart, 'nonsense'],
  ['a bad part', multipart, `${partHead.replace('\r\n\r\n', '')}`],
])('rejects a form with %s', async (_what, headers, body) => {
  for (const where of [path, '/api/v1/images/upload/batch']) {
    const answer = await fetch(`${api.url}${where}`, { method: 'POST', headers, body }).catch(
      () => null,
    )
    await answer?.text().catch(() => null)
    if (where === path) expect([400, 422]).toContain(answer?.status)
  }
})

/** Sends the beginning of a request and hangs up when it has arrived. */
const hangUp = (where: string, beginning: string) =>
  new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname, () => {
      const head = [`POST ${where} HTTP/1.1`, `Host: ${hostname}`, 'Content-Length: 150000']
      const type = `Content-Type: ${multipart['content-type']}`
      socket.write([...head, type, '', beginning].join('\r\n'), () => socket.destroy())
    })
    socket.on('error', reject).on('close', () => resolve())
  })

test.each([
  ['in the middle of a file', `${partHead}${'x'.repeat(60_000)}`],
  ['between parts', `${partHead}xxx\r\n--b\r\n`],
  ['before any part', '--b'],
])('leaves nothing of an upload if the client hangs up %s', async (_where, beginning) => {
  for (const where of [path, '/api/v1/images/upload/batch']) {
    for (let times = 0; times < 5; times++) await hangUp(where, beginning)
  }
})
