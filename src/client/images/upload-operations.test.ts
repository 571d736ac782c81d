import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { collect } from '#testing/collect.ts'
import { FakeFetch, imageAnswer, json, type Routes } from '#testing/fake-fetch.ts'

const uploadsTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  return {
    server,
    uploads: connect({ baseUrl: 'http://gallery.test', fetch: server.fetch }).uploads,
  }
}

const single: Routes = { 'POST /api/v1/images/upload': () => json(imageAnswer(), 201) }

const png = new Blob(['png'], { type: 'image/png' })

describe('upload', () => {
  it('sends the fields before the bytes of the file', async () => {
    const { uploads, server } = uploadsTo(single)

    await uploads.upload(
      {
        bytes: png,
        fileName: 'cat.png',
        uploadId: 'u1',
        takenAt: '2026-01-02 03:04:05.000',
        metadata: { prompt: 'a cat' },
      },
      { boardId: 'b1' },
    )

    expect(server.requests[0]?.query.get('upload_id')).toBe('u1')
    expect([...(server.requests[0]?.parts?.keys() ?? [])]).toEqual(['metadata', 'taken_at', 'file'])
  })

  test.each([undefined, null, 'none'])('omits the board for %s', async (boardId) => {
    const { uploads, server } = uploadsTo(single)

    await uploads.upload({ bytes: png }, { boardId })

    expect(server.requests[0]?.query.has('board_id')).toBe(false)
  })

  test.each([
    ['cat.png', 'image/png'],
    ['cat.JPEG', 'image/jpeg'],
    ['cat.webp', 'image/webp'],
    ['cat.tif', 'image/tiff'],
    ['cat.txt', 'application/octet-stream'],
    ['cat', 'image/png'],
  ])('derives the media type of untyped bytes from the name: %s is %s', async (fileName, type) => {
    const { uploads, server } = uploadsTo(single)

    await uploads.upload({ bytes: new Blob(['x']), fileName })

    expect(server.requests[0]?.parts?.get('file')).toMatchObject({ name: fileName, type })
  })

  it('sends the name and type of a File', async () => {
    const { uploads, server } = uploadsTo(single)

    await uploads.upload({ bytes: new File(['x'], 'dog.gif', { type: 'image/gif' }) })

    const file = server.requests[0]?.parts?.get('file')
    expect(file).toMatchObject({ name: 'dog.gif', type: 'image/gif' })
  })
})

describe('uploadBatch', () => {
  it('sends the id before each file and yields one line per file', async () => {
    const lines = [
      { index: 1, upload_id: 'u2', image: imageAnswer(), refusal: null },
      { index: 0, upload_id: 'u1', image: null, refusal: { code: 'damaged_image' } },
    ]
    const { uploads, server } = uploadsTo({
      'POST /api/v1/images/upload/batch': () =>
        new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
          headers: { 'content-type': 'application/x-ndjson' },
        }),
    })

    const files = [
      { bytes: png, fileName: 'a.png', uploadId: 'u1' },
      { bytes: png, fileName: 'b.png', uploadId: 'u2' },
    ]
    const answered = await collect(uploads.uploadBatch(files, { boardId: 'none' }))

    expect(answered).toEqual(lines)
    expect([...(server.requests[0]?.parts?.keys() ?? [])]).toEqual([
      'upload',
      'file',
      'upload',
      'file',
    ])
    expect(server.requests[0]?.parts?.getAll('upload')).toEqual([
      '{"upload_id":"u1"}',
      '{"upload_id":"u2"}',
    ])
    expect(server.requests[0]?.query.toString()).toBe('image_category=user&is_intermediate=false')
  })
})
