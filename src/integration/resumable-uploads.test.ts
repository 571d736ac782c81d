import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { MAX_UNFINISHED_UPLOADS, UNFINISHED_UPLOAD_HOURS } from '#contract/limits.ts'
import { REFUSAL_CODE_HEADER } from '#contract/refusal.ts'
import { TUS_BYTES } from '#contract/uploads/resumable-upload-operations.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { sha256 } from './library-consistency.ts'
import { tusRequests, uploadMetadata } from './tus-requests.ts'

const HOUR_MS = 3_600_000
const SIZE = 3_000_000

const getServer = reuseServer()

let clip: Buffer<ArrayBuffer>
let picture: Buffer<ArrayBuffer>
beforeAll(async () => {
  clip = await paddedClip(SIZE)
  picture = Buffer.from(await (await drawFile('cat.png')).arrayBuffer())
})

const placeOf = (answer: Response): string => answer.headers.get('location') ?? ''

const codeOf = (answer: Response) => [answer.status, answer.headers.get(REFUSAL_CODE_HEADER)]

const recordOf = async (answer: Response): Promise<ImageRecord> => {
  expect(answer.status).toBe(200)
  return (await answer.json()) as ImageRecord
}

const unfinishedIn = (dataFolder: string): Promise<string[]> =>
  readdir(join(dataFolder, 'uploads')).catch(() => [])

const bytesIn = async (dataFolder: string): Promise<number> => {
  const names = (await unfinishedIn(dataFolder)).filter((name) => !name.endsWith('.json'))
  const stats = await Promise.all(names.map((name) => stat(join(dataFolder, 'uploads', name))))
  return stats.reduce((sum, { size }) => sum + size, 0)
}

const open = async () => {
  const server = await getServer()
  await rm(join(server.dataFolder, 'uploads'), { recursive: true, force: true })
  const bytesOf = async ({ image_name }: Pick<ImageRecord, 'image_name'>) =>
    Buffer.from(
      await (await fetch(`${server.url}/api/v1/videos/i/${image_name}/full`)).arrayBuffer(),
    )
  return { ...server, tus: tusRequests(server.url), bytesOf }
}

test('stores a file in several requests', async () => {
  const { tus, client, dataFolder, bytesOf } = await open()
  const board = await client.boards.createBoard('Clips')
  const created = await tus.create(SIZE, {
    filename: 'Élan vital.mp4',
    board_id: board.boardId,
    upload_id: 'several-requests',
    filetype: 'video/mp4',
  })
  expect(created.status).toBe(201)
  expect(created.headers.get('tus-resumable')).toBe('1.0.0')
  expect(created.headers.get('upload-expires')).toMatch(/GMT$/)
  const place = placeOf(created)

  const first = await tus.patch(place, 0, clip.subarray(0, 1_000_000))
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000000'])
  expect(await tus.offsetOf(place)).toBe(1_000_000)
  const last = await tus.patch(place, 1_000_000, clip.subarray(1_000_000))

  expect(last.headers.get('upload-offset')).toBe(String(SIZE))
  const record = await recordOf(last)
  expect(record).toMatchObject({
    board_id: board.boardId,
    file_name: 'Élan vital.mp4',
    file_size: SIZE,
    content_hash: sha256(clip),
  })
  expect(sha256(await bytesOf(record))).toBe(sha256(clip))
  expect(await unfinishedIn(dataFolder)).toEqual([])
  expect(await tus.offsetOf(place)).toBe(404)
})

test('goes on after a break at 90 %, and after a restart', async () => {
  const { tus, bytesOf, restart } = await open()
  const place = placeOf(await tus.create(SIZE, { filename: 'a.mp4' }))
  const request = await tus.breakOff(place, 0, clip, 2_700_000)
  await request.cut()

  const arrived = await tus.offsetOf(place)
  expect(arrived).toBeGreaterThan(0)
  expect(arrived).toBeLessThanOrEqual(2_700_000)
  await restart()
  expect(await tus.offsetOf(place)).toBe(arrived)
  const record = await recordOf(await tus.patch(place, arrived, clip.subarray(arrived)))

  expect(sha256(await bytesOf(record))).toBe(sha256(clip))
})

test('takes the bytes of a creation, and an image', async () => {
  const { tus } = await open()
  const created = await tus.send(
    'POST',
    'uploads',
    {
      'upload-length': String(picture.length),
      'upload-metadata': uploadMetadata({ taken_at: '2020-02-03 04:05:06.000' }),
      'content-type': TUS_BYTES,
    },
    picture,
  )
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({
    content_hash: sha256(picture),
    taken_at: '2020-02-03 04:05:06.000',
  })
})

test('a later request takes over from one that hangs', async () => {
  const { tus, bytesOf, dataFolder } = await open()
  const place = placeOf(await tus.create(SIZE))
  const hanging = await tus.breakOff(place, 0, clip, 1_000_000)
  await vi.waitFor(async () => expect(await bytesIn(dataFolder)).toBeGreaterThan(0))

  const arrived = await tus.offsetOf(place)
  expect(arrived).toBeGreaterThan(0)
  const record = await recordOf(await tus.patch(place, arrived, clip.subarray(arrived)))

  await hanging.cut()
  expect(sha256(await bytesOf(record))).toBe(sha256(clip))
})

test('an upload with the same ID goes on, and is stored once', async () => {
  const { tus } = await open()
  const values = { filename: 'a.mp4', upload_id: 'the-same-id' }
  const place = placeOf(await tus.create(SIZE, values))
  await tus.patch(place, 0, clip.subarray(0, 1_000))

  const again = await tus.create(SIZE, values)
  expect([again.status, placeOf(again)]).toEqual([201, place])
  expect(again.headers.get('upload-offset')).toBe('1000')
  expect(codeOf(await tus.create(SIZE + 1, values))).toEqual([409, 'upload_id_taken'])
  const record = await recordOf(await tus.patch(place, 1_000, clip.subarray(1_000)))

  const repeated = await tus.create(SIZE, values)
  expect((await recordOf(repeated)).image_name).toBe(record.image_name)
  expect(codeOf(await tus.create(SIZE - 1, values))).toEqual([409, 'upload_id_taken'])
})

test('a complete file is taken in by a request without bytes', async () => {
  const { tus, client } = await open()
  const board = await client.boards.createBoard('Short-lived')
  const values = { board_id: board.boardId, upload_id: 'complete-file' }
  const place = placeOf(await tus.create(SIZE, values))
  await client.boards.deleteBoard(board.boardId)
  expect(codeOf(await tus.patch(place, 0, clip))).toEqual([404, 'board_not_found'])

  expect(await tus.offsetOf(place)).toBe(SIZE)
  await tus.create(SIZE, { upload_id: 'complete-file' })
  const answers = await Promise.all([1, 2].map(() => tus.patch(place, SIZE, Buffer.alloc(0))))
  const [one, other] = await Promise.all(
    answers.map(async (answer) => (answer.status === 200 ? recordOf(answer) : null)),
  )
  const names = new Set([one, other].flatMap((record) => record?.image_name ?? []))
  expect(names.size).toBe(1)
})

test('a duplicate waits until its sender decides', async () => {
  const { tus, client } = await open()
  const first = await client.uploads.upload({ bytes: new Blob([picture]) })
  const values = { known_bytes: 'refuse', upload_id: 'a-duplicate', filename: 'a.png' }
  const place = placeOf(await tus.create(picture.length, values))
  const refused = await tus.patch(place, 0, picture)
  expect(codeOf(refused)).toEqual([409, 'already_here'])
  expect(await refused.json()).toMatchObject({ same_image: { image_name: first.image_name } })

  await tus.create(picture.length, { ...values, known_bytes: 'keep' })
  const second = await recordOf(await tus.patch(place, picture.length, Buffer.alloc(0)))
  expect(second.image_name).not.toBe(first.image_name)
})

test('refuses a wrong offset and bytes beyond the length', async () => {
  const { tus } = await open()
  const place = placeOf(await tus.create(1_000))
  expect(codeOf(await tus.patch(place, 1, clip.subarray(0, 10)))).toEqual([409, 'wrong_offset'])
  const more = await tus.patch(place, 0, clip.subarray(0, 1_001))
  expect(codeOf(more)).toEqual([413, 'file_too_large'])
  expect(await tus.offsetOf(place)).toBe(0)
})

test('refuses a file that is not what its name says, and deletes it', async () => {
  const { tus, dataFolder } = await open()
  const place = placeOf(await tus.create(1_000, { filename: 'a.mp4' }))
  const answer = await tus.patch(place, 0, Buffer.alloc(1_000, 'x'))
  expect(answer.status).toBe(415)
  expect(await unfinishedIn(dataFolder)).toEqual([])
  expect(await readdir(join(dataFolder, 'incoming'))).toEqual([])
})

test('deletes an upload that its sender discards', async () => {
  const { tus, dataFolder } = await open()
  const place = placeOf(await tus.create(1_000))
  expect((await tus.send('DELETE', place)).status).toBe(204)
  expect(codeOf(await tus.send('DELETE', place))).toEqual([404, 'upload_not_found'])
  expect(await unfinishedIn(dataFolder)).toEqual([])
})

test('deletes an upload a day after its last byte', async () => {
  const { tus, clock, dataFolder, restart } = await open()
  const place = placeOf(await tus.create(1_000))
  clock.advance((UNFINISHED_UPLOAD_HOURS - 1) * HOUR_MS)
  await tus.patch(place, 0, clip.subarray(0, 10))
  clock.advance((UNFINISHED_UPLOAD_HOURS - 1) * HOUR_MS)
  expect(await tus.offsetOf(place)).toBe(10)
  clock.advance(2 * HOUR_MS)
  expect(await tus.offsetOf(place)).toBe(404)
  expect(codeOf(await tus.patch(place, 10, clip.subarray(10, 20)))).toEqual([
    404,
    'upload_not_found',
  ])
  expect(await unfinishedIn(dataFolder)).toHaveLength(2)
  await restart()
  expect(await unfinishedIn(dataFolder)).toEqual([])
})

test('refuses what a file can never become, before a byte is sent', async () => {
  const server = await startServer({ maxUploadBytes: 1_000, maxVideoBytes: 2_000 })
  const tus = tusRequests(server.url)
  try {
    expect(codeOf(await tus.create(1_001, { filename: 'a.PNG' }))).toEqual([413, 'file_too_large'])
    expect((await tus.create(2_000, { filename: 'a.mp4' })).status).toBe(201)
    expect(codeOf(await tus.create(2_001, { filename: 'a.mp4' }))).toEqual([413, 'file_too_large'])
    const place = placeOf(await tus.create(2_000, { filename: 'really-an-image.mp4' }))
    const big = Buffer.concat([picture, Buffer.alloc(2_000)]).subarray(0, 2_000)
    expect((await tus.patch(place, 0, big)).status).toBeGreaterThanOrEqual(413)
  } finally {
    await server.close()
  }
})

test('refuses more than the disk holds, counting what other uploads still need', async () => {
  const server = await startServer({ maxVideoBytes: Number.MAX_SAFE_INTEGER })
  const tus = tusRequests(server.url)
  try {
    expect(codeOf(await tus.create(9e15))).toEqual([507, 'disk_full'])
    const { bavail, bsize } = await statfs(server.dataFolder)
    const most = Math.floor(bavail * bsize * 0.6)
    expect((await tus.create(most)).status).toBe(201)
    expect(codeOf(await tus.create(most))).toEqual([507, 'disk_full'])
  } finally {
    await server.close()
  }
})

test('@long limits the number of unfinished uploads; idle ones make room', async () => {
  const server = await startServer()
  const tus = tusRequests(server.url)
  try {
    const idle = placeOf(await tus.create(1_000))
    server.clock.advance(HOUR_MS / 2)
    for (let count = 1; count < MAX_UNFINISHED_UPLOADS; count++) await tus.create(1_000)
    expect(codeOf(await tus.create(1_000))).toEqual([507, 'uploads_full'])
    server.clock.advance(HOUR_MS / 2)
    expect((await tus.create(1_000)).status).toBe(201)
    expect(await tus.offsetOf(idle)).toBe(404)
  } finally {
    await server.close()
  }
})

test('limits the size of unfinished uploads together; idle ones make room', async () => {
  const server = await startServer({ maxUploadBytes: 1_000, maxVideoBytes: 2_000 })
  const tus = tusRequests(server.url)
  try {
    const idle = placeOf(await tus.create(2_000))
    expect((await tus.patch(idle, 0, clip.subarray(0, 500))).status).toBe(204)
    server.clock.advance(HOUR_MS / 2)
    const others = [2_000, 2_000, 2_000].map((bytes) => tus.create(bytes))
    const places = (await Promise.all(others)).map(placeOf)

    // Bytes that arrived count as much as those that are still to come.
    const refused = await tus.create(1)
    expect(codeOf(refused)).toEqual([507, 'uploads_full'])
    expect(await refused.text()).toContain('Finish or discard some')
    expect(await tus.offsetOf(idle)).toBe(500)
    expect((await tus.send('DELETE', places[0] ?? '')).status).toBe(204)
    expect((await tus.create(2_000)).status).toBe(201)

    server.clock.advance(HOUR_MS / 2)
    expect((await tus.create(1)).status).toBe(201)
    expect(await tus.offsetOf(idle)).toBe(404)
    expect(await tus.offsetOf(places[1] ?? '')).toBe(0)
  } finally {
    await server.close()
  }
})

test.each<[string, Record<string, string>, (number | string)[]]>([
  ['no length', { 'upload-length': '' }, [400, 'invalid_tus_request']],
  ['a negative length', { 'upload-length': '-1' }, [400, 'invalid_tus_request']],
  ['a length in words', { 'upload-length': 'many' }, [400, 'invalid_tus_request']],
  ['bad Base64', { 'upload-metadata': 'filename @@@' }, [400, 'invalid_tus_request']],
  ['a repeated key', { 'upload-metadata': 'a eA==,a eA==' }, [400, 'invalid_tus_request']],
  [
    'a name that all objects have',
    { 'upload-metadata': '__proto__ eA==' },
    [400, 'invalid_tus_request'],
  ],
  ['an unknown board', { 'upload-metadata': 'board_id eA==' }, [404, 'board_not_found']],
  ['a wrong category', { 'upload-metadata': 'image_category eA==' }, [422, 'invalid_request']],
  ['a wrong choice', { 'upload-metadata': 'known_bytes eA==' }, [422, 'invalid_request']],
  ['another version', { 'tus-resumable': '0.2.2' }, [412, 'tus_version']],
  ['no version', { 'tus-resumable': '' }, [412, 'tus_version']],
  ['parts of a file', { 'upload-concat': 'partial' }, [400, 'invalid_tus_request']],
])('answers %s', async (_, headers, [status, code]) => {
  const { tus } = await open()
  const answer = await tus.create(1_000, { filename: 'a.mp4' }, headers)
  expect([answer.status, answer.headers.get(REFUSAL_CODE_HEADER) ?? '']).toEqual([status, code])
})

test.each(['../../etc/passwd', 'C:\\Windows\\a.mp4', `${'n'.repeat(10_000)}.mp4`, 'a\r\nb.mp4'])(
  'takes the name of a file as it is: %#',
  async (filename) => {
    const { tus, dataFolder } = await open()
    const created = await tus.create(picture.length, { filename, upload_id: '../../escape' })
    const record = await recordOf(await tus.patch(placeOf(created), 0, picture))
    expect(record.file_name?.length).toBeLessThanOrEqual(255)
    expect(record.file_name).not.toContain('/')
    expect(await unfinishedIn(dataFolder)).toEqual([])
  },
)

test.each(['..%2F..%2Ftessera.db', '%00', 'uploads', 'x'.repeat(5_000)])(
  'knows no upload of the name %#',
  async (name) => {
    const { tus } = await open()
    expect(await tus.offsetOf(`uploads/${name}`)).toBe(404)
  },
)

test('refuses bytes of another type', async () => {
  const { tus } = await open()
  const place = placeOf(await tus.create(10))
  const answer = await tus.send(
    'PATCH',
    place,
    { 'upload-offset': '0', 'content-type': 'application/json' },
    Buffer.from('{"a":"bc"}'),
  )
  expect(codeOf(answer)).toEqual([400, 'invalid_tus_request'])
  expect(await tus.offsetOf(place)).toBe(0)
})

test('tells what it supports', async () => {
  const { tus, client } = await open()
  const answer = await tus.send('OPTIONS', 'uploads')
  expect(answer.status).toBe(204)
  expect(answer.headers.get('tus-version')).toBe('1.0.0')
  expect(answer.headers.get('tus-extension')).toContain('creation-with-upload')
  expect(answer.headers.get('access-control-allow-methods')).toBeNull()
  expect((await client.server.capabilities()).extensions).toContain('resumable_uploads')
})

test('obeys the guards of all routes', async () => {
  const token = 'a-token-of-sixteen-letters'
  const server = await startServer({ token })
  const tus = tusRequests(server.url)
  try {
    expect(codeOf(await tus.create(1_000))).toEqual([401, 'unauthorized'])
    const authorized = { authorization: `Bearer ${token}` }
    const created = await tus.create(1_000, {}, authorized)
    expect(created.status).toBe(201)
    expect(codeOf(await tus.patch(placeOf(created), 0, picture))).toEqual([401, 'unauthorized'])
    const foreign = { ...authorized, origin: 'https://elsewhere.example' }
    expect(codeOf(await tus.create(1_000, {}, foreign))).toEqual([403, 'origin_not_allowed'])
    expect(created.headers.get('x-request-id')).toBeTruthy()
  } finally {
    await server.close()
  }
})

test('refuses uploads to a library that is read-only', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const writer = await startServer({ dataFolder })
  const place = placeOf(await tusRequests(writer.url).create(1_000))
  await writer.close()
  const reader = await startServer({ dataFolder, readOnly: true })
  const tus = tusRequests(reader.url)
  try {
    expect(codeOf(await tus.create(1_000))).toEqual([503, 'library_read_only'])
    expect(codeOf(await tus.patch(place, 0, clip.subarray(0, 10)))).toEqual([
      503,
      'library_read_only',
    ])
    expect(await tus.offsetOf(place)).toBe(0)
  } finally {
    await reader.close()
  }
})
