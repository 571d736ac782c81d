import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#client/connect.ts'
import type { ImageView } from '#client/index.ts'
import type { Board } from '#contract/board.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { BatchUploadLine } from '#contract/uploads/upload-operations.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import { drawClip, drawClipWithoutFrames } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
let clip: Buffer<ArrayBuffer>
beforeAll(async () => {
  api = await openApi()
  clip = await drawClip()
})
afterAll(() => api.close())

const send = (method: string, path: string, json?: unknown) =>
  api.send(method, `/api/v1/videos/${path}`, json === undefined ? {} : { json })

const upload = (
  bytes: Buffer<ArrayBuffer>,
  query: Record<string, string> = {},
  parts: Record<string, string> = {},
) => {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: 'application/octet-stream' }), 'boat.mp4')
  for (const [name, text] of Object.entries(parts)) form.append(name, text)
  const all = new URLSearchParams({ video_category: 'user', is_intermediate: 'false', ...query })
  return api.send('POST', `/api/v1/videos/upload?${all}`, { body: form })
}

const makeVideo = async (query?: Record<string, string>, parts?: Record<string, string>) => {
  const { status, body } = await upload(clip, query, parts)
  expect(status, JSON.stringify(body)).toBe(201)
  api.clock.advance(1_000)
  return body as VideoRecord
}

const boardOf = async (boardId: string) =>
  (await api.send('GET', `/api/v1/boards/${boardId}`)).body as Board

test('stores a video and serves its record, bytes and poster', async () => {
  const answer = await upload(clip)
  const video = answer.body as VideoRecord

  expect(answer.status).toBe(201)
  expect(answer.headers.get('location')).toBe(`api/v1/videos/i/${video.video_name}/full`)
  expect(video).toMatchObject({
    ...{ width: 64, height: 48, duration: 1, fps: 10, codec: 'h264', has_sound: false },
    ...{ file_name: 'boat.mp4', file_size: clip.length, media_type: 'video/mp4' },
    ...{ video_category: 'user', starred: false, board_id: null, has_workflow: false },
  })
  expect(video.video_name).toMatch(/^[0-9a-f-]{36}\.mp4$/)
  expect((await send('GET', `i/${video.video_name}`)).body).toEqual(video)
  const full = await fetch(`${api.url}/${video.video_url}`)
  expect(Buffer.from(await full.arrayBuffer())).toEqual(clip)
  expect(full.headers.get('content-type')).toBe('video/mp4')
  const poster = await fetch(`${api.url}/${video.thumbnail_url}`)
  expect(poster.headers.get('content-type')).toBe('image/webp')
  const urls = { video_name: video.video_name, video_url: video.video_url }
  expect((await send('GET', `i/${video.video_name}/urls`)).body).toMatchObject(urls)
})

test('answers ranges of a video, and refuses those outside it', async () => {
  const { video_url } = await makeVideo()
  const get = (range: string, method = 'GET') =>
    fetch(`${api.url}/${video_url}`, { method, headers: { range } })

  const first = await get('bytes=0-99')
  expect(first.status).toBe(206)
  expect(first.headers.get('content-range')).toBe(`bytes 0-99/${clip.length}`)
  expect(Buffer.from(await first.arrayBuffer())).toEqual(clip.subarray(0, 100))
  const last = await get('bytes=-100')
  expect(Buffer.from(await last.arrayBuffer())).toEqual(clip.subarray(-100))
  for (const range of ['bytes=9999999-', 'bytes=0-1,5-6']) {
    const refused = await get(range)
    expect(refused.status).toBe(416)
    expect(refused.headers.get('content-range')).toBe(`bytes */${clip.length}`)
  }
  const head = await fetch(`${api.url}/${video_url}`, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(clip.length))
  expect(head.headers.get('accept-ranges')).toBe('bytes')
})

test('keeps the metadata of an upload', async () => {
  const metadata = '{"positive_prompt":"a boat","seed":9007199254740993}'
  const { video_name } = await makeVideo({}, { metadata })

  expect(await (await fetch(`${api.url}/api/v1/videos/i/${video_name}/metadata`)).text()).toBe(
    metadata,
  )
  expect((await send('GET', `i/${video_name}/workflow`)).body).toEqual({
    workflow: null,
    graph: null,
  })
  const found = await send('GET', '?search_term=a%20boat')
  expect(found.body).toMatchObject({ total: 1, items: [{ video_name }] })
})

test.each<[string, () => Promise<Buffer<ArrayBuffer>>, number, string]>([
  ['an image', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 415, 'Not a supported'],
  ['a file that was cut off', async () => clip.subarray(0, clip.length / 2), 415, 'Failed to read'],
  ['an empty file', async () => Buffer.alloc(0), 415, 'The file is empty'],
])('refuses %s and stores nothing', async (_name, bytes, status, detail) => {
  const before = await api.storedFiles()

  const refused = await upload(await bytes())

  expect(refused.status).toBe(status)
  expect(JSON.stringify(refused.body)).toContain(detail)
  expect(await api.storedFiles()).toEqual(before)
})

test('refuses metadata that is no object, an unknown board, and a video as an image', async () => {
  expect((await upload(clip, {}, { metadata: '[1]' })).status).toBe(422)
  expect((await upload(clip, { board_id: 'unknown' })).status).toBe(404)
  expect((await api.upload(new File([clip], 'boat.mp4'))).status).toBe(415)
})

test('keeps videos out of the routes of images', async () => {
  const { video_name } = await makeVideo()
  const { image_name } = await api.makeImage('still.png')
  const image = (path: string) => api.send('GET', `/api/v1/images/${path}`)

  expect((await image('names')).body).toMatchObject({ image_names: [image_name], total_count: 1 })
  expect((await image('')).body).toMatchObject({ total: 1 })
  for (const path of ['', '/full', '/thumbnail', '/metadata', '/workflow'])
    expect((await image(`i/${video_name}${path}`)).status, path).toBe(404)
  const json = { image_names: [video_name] }
  const named = await api.send('POST', '/api/v1/images/images_by_names', { json })
  expect(named.body).toEqual([])
  await api.send('POST', '/api/v1/images/delete', { json })
  expect((await send('GET', `i/${video_name}`)).status).toBe(200)
  await api.send('DELETE', `/api/v1/images/i/${image_name}`)
})

test('lists videos by board, star and category', async () => {
  const { board_id } = await api.makeBoard('Clips')
  const first = await makeVideo({ board_id })
  const second = await makeVideo({ board_id, video_category: 'general' })
  const names = async (query: string) =>
    (await send('GET', `names?board_id=${board_id}&${query}`)).body

  expect(await names('')).toEqual({
    ...{ video_names: [second.video_name, first.video_name], starred_count: 0, total_count: 2 },
  })
  const star = await send('POST', 'star', { video_names: [first.video_name, 'unknown.mp4'] })
  expect(star.body).toEqual({
    ...{ affected_boards: [board_id], starred_videos: [first.video_name], failed_videos: [] },
  })
  expect(await names('')).toMatchObject({
    video_names: [first.video_name, second.video_name],
    starred_count: 1,
  })
  expect(await names('categories=general')).toMatchObject({ video_names: [second.video_name] })
  const unstar = await send('POST', 'unstar', { video_names: [first.video_name] })
  expect(unstar.body).toMatchObject({ unstarred_videos: [first.video_name] })
  const page = await send('GET', `?board_id=${board_id}&limit=1&order_dir=ASC`)
  expect(page.body).toMatchObject({
    limit: 1,
    offset: 0,
    total: 2,
    items: [{ video_name: first.video_name }],
  })
})

test('changes a video', async () => {
  const { video_name } = await makeVideo()

  const changes = { video_category: 'general', is_intermediate: true, session_id: 's' }
  const changed = await send('PATCH', `i/${video_name}`, changes)

  expect(changed.body).toMatchObject({ video_name, ...changes })
  expect((await send('GET', 'names?is_intermediate=true')).body).toMatchObject({ total_count: 1 })
  const unknown = await send('PATCH', 'i/unknown.mp4', { starred: true })
  expect(unknown).toMatchObject({ status: 400, body: { detail: 'Failed to update video' } })
})

test('makes a video the cover of its board, in place of an image', async () => {
  const { board_id } = await api.makeBoard('Covered')
  const { video_name } = await makeVideo()
  await send('POST', 'board', { board_id, video_name })
  const { image_name } = await api.makeImage('cover.png', { board_id })
  const patch = (json: unknown) => api.send('PATCH', `/api/v1/boards/${board_id}`, { json })
  const video = { cover_image_name: null, cover_video_name: video_name }
  const image = { cover_image_name: image_name, cover_video_name: null }

  const chosen = await patch({ cover_video_name: video_name })
  expect(chosen.body).toMatchObject({ ...video, chosen_cover_image_name: video_name })
  expect(await boardOf(board_id)).toMatchObject(video)
  for (const wrong of [{ cover_image_name: video_name }, { cover_video_name: image_name }])
    expect((await patch(wrong)).status).toBe(404)
  expect((await patch({ cover_video_name: 'unknown.mp4' })).status).toBe(404)

  await send('POST', 'delete', { video_names: [video_name] })
  expect(await boardOf(board_id)).toMatchObject(image)
  expect((await patch({ cover_video_name: '' })).body).toMatchObject({
    ...image,
    chosen_cover_image_name: null,
  })
})

test('moves a video between boards, which count it', async () => {
  const { board_id } = await api.makeBoard('Moved')
  const { video_name } = await makeVideo()

  const added = await send('POST', 'board', { board_id, video_name })
  expect(added).toMatchObject({
    status: 200,
    body: { affected_boards: [board_id, 'none'], added_videos: [video_name] },
  })
  expect(await boardOf(board_id)).toMatchObject({
    ...{ video_count: 1, image_count: 0, cover_video_name: video_name, cover_image_name: null },
  })
  const image = await api.makeImage('cover.png', { board_id })
  expect(await boardOf(board_id)).toMatchObject({
    ...{ video_count: 1, image_count: 1, cover_video_name: null },
    cover_image_name: image.image_name,
  })
  const removed = await send('DELETE', 'board', { video_name })
  expect(removed.body).toEqual({
    affected_boards: ['none', board_id],
    removed_videos: [video_name],
  })
  const again = await send('DELETE', 'board', { video_name })
  expect(again.body).toEqual({ affected_boards: ['none'], removed_videos: [video_name] })
  expect((await send('POST', 'board', { board_id: 'x', video_name })).status).toBe(404)
  expect((await send('POST', 'board', { board_id, video_name: 'x.mp4' })).status).toBe(500)
})

test('deletes videos with their files', async () => {
  const { video_name } = await makeVideo()
  const other = await makeVideo()

  expect((await send('DELETE', `i/${video_name}`)).body).toEqual({
    ...{ affected_boards: ['none'], deleted_videos: [video_name], failed_videos: [] },
  })
  expect((await send('DELETE', `i/${video_name}`)).body).toEqual({ detail: 'Video not found' })
  expect((await send('GET', `i/${video_name}/full`)).status).toBe(404)
  const named = await send('POST', 'delete', { video_names: [other.video_name, 'unknown.mp4'] })
  expect(named.body).toMatchObject({ deleted_videos: [other.video_name] })
  const still = await api.makeImage('still.png')
  const { deleted_videos } = (await send('DELETE', 'uncategorized')).body as {
    deleted_videos: string[]
  }
  expect(deleted_videos.length).toBeGreaterThan(0)
  expect((await api.send('GET', `/api/v1/images/i/${still.image_name}`)).status).toBe(200)
  await expect.poll(() => api.storedFiles()).not.toContain(video_name)
})

test.each([
  ['true', 'deleted_videos', 404],
  ['false', 'deleted_board_videos', 200],
])('tells the videos of a board deleted with include_images=%s', async (flag, key, status) => {
  const { board_id } = await api.makeBoard('Deleted')
  const { video_name } = await makeVideo({ board_id })

  const path = `/api/v1/boards/${board_id}?include_images=${flag}`
  const { body } = await api.send('DELETE', path)

  expect(body).toMatchObject({ deleted_images: [], deleted_board_images: [], [key]: [video_name] })
  expect((await send('GET', `i/${video_name}`)).status).toBe(status)
})

test('lists images and videos together in the gallery', async () => {
  const { board_id } = await api.makeBoard('Both')
  const image = await api.makeImage('still.png', { board_id })
  const video = await makeVideo({ board_id })
  const gallery = async (path: string) =>
    (await api.send('GET', `/api/v1/gallery/${path}?board_id=${board_id}`)).body

  const names = [video.video_name, image.image_name]
  expect(await gallery('item_names')).toMatchObject({ item_names: names, total_count: 2 })
  expect(await gallery('items/names')).toMatchObject({
    items: [
      { kind: 'video', name: names[0] },
      { kind: 'image', name: names[1] },
    ],
  })
  expect(await gallery('items/')).toMatchObject({
    total: 2,
    items: [
      { kind: 'video', name: names[0], full_url: video.video_url, duration: 1, fps: 10 },
      { kind: 'image', name: names[1], duration: null, fps: null },
    ],
  })
})

test('serves videos among images to requests that ask for both', async () => {
  const { board_id } = await api.makeBoard('Items')
  const { image_name } = await api.makeImage('still.png', { board_id })
  const { video_name, video_url, thumbnail_url } = await makeVideo({ board_id })
  const client = connect({ baseUrl: api.url })
  const view = { boardId: board_id, kind: 'all' } as const
  const both = [video_name, image_name]

  const { items, total, video_total } = await client.images.page(view, { offset: 0, limit: 10 })
  expect([total, video_total]).toEqual([2, 1])
  const images = await client.images.page({ boardId: board_id }, { offset: 0, limit: 0 })
  expect(images).not.toHaveProperty('video_total')
  expect([total, items.map((item) => item.image_name)]).toEqual([2, both])
  expect(items[0]).toMatchObject({
    ...{ image_url: video_url, thumbnail_url, media_type: 'video/mp4' },
    video: { duration: 1, fps: 10, codec: 'h264', has_sound: false },
  })
  expect((await client.images.names({ ...view, kind: 'video' })).image_names).toEqual([video_name])
  expect((await client.images.names({ boardId: board_id })).image_names).toEqual([image_name])
  expect((await client.images.days(view)).days).toMatchObject([{ count: 2 }])
  expect((await client.images.ratios(view)).groups).toMatchObject([{ count: 2 }])
  const { facets } = await client.images.facets(
    { ...view, query: 'kind:video' },
    { facets: ['kind', 'type'], timeZone: 'Europe/Berlin' },
  )
  expect(facets).toEqual([
    {
      ...{ key: 'kind', total: 2 },
      values: [
        { value: 'image', count: 1 },
        { value: 'video', count: 1 },
      ],
    },
    { key: 'type', values: [{ value: 'mp4', count: 1 }], total: 1 },
  ])
  await expect(
    client.images.facets(view, { facets: ['month'], timeZone: 'Mars/Base' }),
  ).rejects.toMatchObject({ code: 'unknown_time_zone' })
  expect(await client.images.position(view, image_name)).toEqual({ position: 1, total: 2 })
  expect(await client.images.getMany(both)).toEqual(items)
  expect(await client.images.get(video_name)).toEqual(items[0])
  expect((await client.images.star(both)).starred_images.toSorted()).toEqual(both.toSorted())
  expect((await client.images.update(video_name, { starred: false })).starred).toBe(false)
  expect((await client.images.move(both, 'none')).moved_images).toHaveLength(2)
  expect((await client.images.move(both, board_id)).moved_images).toHaveLength(2)
  const { copied_images } = await client.images.copy([video_name], board_id)
  const [copy] = await client.images.getMany(copied_images.map((image) => image.image_name))
  expect(copy?.video).toEqual(items[0]?.video)
  const saved = await fetch(client.images.downloadUrl(video_name))
  expect(saved.headers.get('content-disposition')).toContain('attachment; filename="boat.mp4"')
  expect((await fetch(`${api.url}/${thumbnail_url}&size=${THUMBNAIL_SIZES[1]}`)).status).toBe(200)

  const { new_state } = await client.changes.list()
  await client.trash.trashImages([video_name])
  const changes = await client.changes.list({ since: new_state })
  expect(changes.images.updated).toEqual([video_name])
  expect((await client.trash.list({ offset: 0, limit: 9 })).total).toBe(0)
  const trash = await client.trash.list({ offset: 0, limit: 9, kind: 'all' })
  expect(trash).toMatchObject({ total: 1, video_total: 1 })
  expect(trash.items).toMatchObject([{ image_name: video_name, video: { duration: 1 } }])
  expect((await client.images.delete(both)).deleted_images).toHaveLength(2)
})

test('orders and filters by duration, and refuses bad bounds', async () => {
  const { board_id } = await api.makeBoard('Lengths')
  const { image_name } = await api.makeImage('still.png', { board_id })
  const long = await upload(await drawClip({ frames: 20 }), { board_id })
  const { video_name: longName } = long.body as VideoRecord
  const { video_name } = await makeVideo({ board_id })
  const client = connect({ baseUrl: api.url })
  const namesOf = async (own: ImageView) =>
    (await client.images.names({ boardId: board_id, kind: 'all', ...own })).image_names

  expect(await namesOf({ orderBy: 'duration' })).toEqual([longName, video_name, image_name])
  expect(await namesOf({ orderBy: 'duration', orderDir: 'ASC' })).toEqual([
    ...[image_name, video_name, longName],
  ])
  expect(await namesOf({ orderBy: 'duration', kind: 'image' })).toEqual([image_name])
  expect(await namesOf({ minDurationMs: 1_001 })).toEqual([longName])
  expect(await namesOf({ minDurationMs: 1_000, maxDurationMs: 2_000 })).toEqual([video_name])
  expect(await namesOf({ minDurationMs: 0, kind: 'image' })).toEqual([])
  expect(await namesOf({ minDurationMs: 2_000, maxDurationMs: 1_000 })).toEqual([])
  const { items, total } = await client.images.page(
    { boardId: board_id, kind: 'all', maxDurationMs: 2_000 },
    { offset: 0, limit: 9 },
  )
  expect([total, items.map((item) => item.image_name)]).toEqual([1, [video_name]])
  const lengthy = `board_id=${board_id}&kind=all&min_duration=1500`
  const gallery = await api.send('GET', `/api/v1/gallery/items/?${lengthy}`)
  expect(gallery.body).toMatchObject({ total: 1, items: [{ name: longName }] })
  expect((await client.server.capabilities()).extensions).toContain('video_durations')
  await expect(() => client.images.days({ orderBy: 'duration' })).rejects.toThrow(RangeError)
  for (const query of [
    'min_duration=-1',
    'max_duration=long',
    'min_duration=1.5',
    'order_by=length',
  ])
    expect((await api.send('GET', `/api/v1/images/?${query}`)).status).toBe(422)
  expect((await api.send('GET', '/api/v1/images/days?order_by=duration')).status).toBe(422)
  expect((await api.send('GET', '/api/v1/trash/?order_by=duration')).status).toBe(422)
})

const linesOf = async (batch: AsyncIterable<BatchUploadLine>): Promise<BatchUploadLine[]> => {
  const lines: BatchUploadLine[] = []
  for await (const line of batch) lines.push(line)
  return lines
}

test('takes images and videos in one batch, and lets their bytes decide', async () => {
  const client = connect({ baseUrl: api.url })
  const png = await drawFile('still.png')
  const files = [
    { bytes: new Blob([clip]), fileName: 'boat.mp4', uploadId: 'batch-1' },
    { bytes: new Blob([clip]), fileName: 'wrong.png', uploadId: 'batch-2' },
    { bytes: png, fileName: 'still.mp4', uploadId: 'batch-3' },
    { bytes: new Blob([clip.subarray(0, 400)]), fileName: 'cut.mp4', uploadId: 'batch-4' },
    { bytes: new Blob([clip]), fileName: 'boat.mp4', uploadId: 'batch-1' },
  ]
  const lines = await linesOf(client.uploads.uploadBatch(files))

  const byId = Map.groupBy(lines, ({ upload_id }) => upload_id)
  const [first, repeat] = byId.get('batch-1') ?? []
  expect(first?.image).toMatchObject({ file_name: 'boat.mp4', video: { duration: 1 } })
  expect(repeat?.image?.image_name).toBe(first?.image?.image_name)
  expect(byId.get('batch-2')?.[0]?.image).toMatchObject({ media_type: 'video/mp4' })
  expect(byId.get('batch-3')?.[0]?.image).toMatchObject({ media_type: 'image/png', video: null })
  expect(byId.get('batch-4')?.[0]?.refusal).toMatchObject({ code: 'damaged_video' })
  const bytes = new Blob([clip])
  const known = [{ bytes, fileName: 'boat.mp4', knownBytes: 'refuse' as const }]
  const [refused] = await linesOf(client.uploads.uploadBatch(known))
  expect(refused?.refusal).toMatchObject({ code: 'already_here' })
})

test('serves a strip of frames, which goes with its video', async () => {
  const { video_name } = await makeVideo()
  const client = connect({ baseUrl: api.url })
  const url = client.videos.stripUrl({ video_name })
  const storedStrips = async () => {
    const names = await readdir(join(api.dataFolder, 'thumbnails', '160'), { recursive: true })
    return names.filter((name) => name.includes(video_name))
  }

  const answers = await Promise.all([1, 2, 3].map(() => fetch(url)))

  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  }
  const etag = answers[0]?.headers.get('etag') ?? ''
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect(await storedStrips()).toHaveLength(1)
  await client.videos.delete([video_name])
  await expect.poll(storedStrips).toEqual([])
  expect((await fetch(url)).status).toBe(404)
})

test('says why there is no strip', async () => {
  const { body } = await upload(await drawClipWithoutFrames())
  const { image_name } = await api.makeImage('still.png')
  const ask = async (name: string) => {
    const { status, headers } = await send('GET', `i/${name}/strip`)
    return [status, headers.get('x-refusal-code')]
  }

  expect(await ask((body as VideoRecord).video_name)).toEqual([404, 'no_strip'])
  for (const name of [image_name, 'unknown.mp4', '..%2Fx.mp4'])
    expect(await ask(name)).toEqual([404, 'video_not_found'])
})
