import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Archive, BulkDownload } from '#contract/downloads/download-operations.ts'
import type { ImageRecord } from '#contract/image.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let image: ImageRecord
let board_id: string
beforeAll(async () => {
  api = await openApi()
  board_id = (await api.makeBoard('Käse & Brot')).board_id
  image = await api.makeImage('one.png', { board_id })
  await api.makeImage('two.png')
})
afterAll(() => api.close())

const post = (path: string, json: object) => api.send('POST', `/api/v1/images/${path}`, { json })

/** The file names in the directory of a zip. */
const entriesOf = (zip: Uint8Array): string[] => {
  const bytes = Buffer.from(zip)
  const names: string[] = []
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)))
  }
  return names
}

test('prepares a bulk download that can be fetched once', async () => {
  const { status, body } = await post('download', { board_id })
  const { bulk_download_item_name: name } = body as BulkDownload
  expect([status, name]).toEqual([202, expect.stringMatching(/^Käse {2}Brot_[\w-]{36}\.zip$/)])
  const url = `${api.url}/api/v1/images/download/${encodeURIComponent(name)}`

  let zip = await fetch(url)
  await expect
    .poll(async () => {
      if (zip.status === 404) zip = await fetch(url)
      return zip.status
    })
    .toBe(200)
  expect(zip.headers.get('content-type')).toBe('application/zip')
  expect(entriesOf(await zip.bytes())).toEqual([`user/${image.image_name}`])
  expect((await fetch(url)).status).toBe(404)
})

test('streams an archive with the original file names', async () => {
  const { status, body } = await post('archives', {
    image_names: [image.image_name, 'nothing.png'],
  })
  const archive = body as Archive
  expect(status).toBe(201)
  expect(archive).toMatchObject({ image_count: 1, total_bytes: image.file_size })

  const zip = await fetch(`${api.url}/${archive.archive_url}`)
  expect(zip.headers.get('content-disposition')).toMatch(/^attachment; filename="Images .*\.zip"$/)
  expect(entriesOf(await zip.bytes())).toEqual(['one.png'])
})

test.each(['download', 'archives'])(
  'rejects %s without images or with an unknown board',
  async (path) => {
    expect(await post(path, {})).toMatchObject({
      status: 400,
      body: { detail: 'No images or board id specified.' },
    })
    expect(await api.send('POST', `/api/v1/images/${path}`)).toMatchObject({ status: 400 })
    expect(await post(path, { board_id: 'unknown' })).toMatchObject({ status: 404 })
  },
)

test.each(['download/x.zip', 'download/..%2F..%2Ftessera.db', 'download/%00', 'archives/x'])(
  'answers 404 for %s',
  async (path) => {
    expect(await api.send('GET', `/api/v1/images/${path}`)).toMatchObject({
      status: 404,
      body: { detail: 'Not Found' },
    })
  },
)
