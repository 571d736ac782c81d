import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { roundsOf } from '#testing/rounds.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { sha256 } from './library-consistency.ts'
import { tusRequests } from './tus-requests.ts'

const MB = 1_000_000
const SIZE = 90 * MB
/** Bytes between two flushes of the server. */
const FLUSHED = 32 * 1024 * 1024

let server: ServerProcess
beforeAll(async () => {
  server = await ServerProcess.start()
})
afterAll(() => server.close())

const bytesOnDisk = async (): Promise<number> => {
  const folder = join(server.dataFolder, 'uploads')
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.json'))
  const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  return stats.reduce((sum, found) => sum + (found?.size ?? 0), 0)
}

const ROUNDS = roundsOf({ usual: 1, all: 6 })

test(`goes on after kills within a request (rounds: ${ROUNDS})`, async () => {
  const clip = await paddedClip(SIZE)
  const tus = tusRequests(server.url)
  const created = await tus.create(SIZE, { filename: 'a.mp4', upload_id: 'killed-upload' })
  const place = created.headers.get('location') ?? ''
  let offset = 0

  for (let round = 1; round <= ROUNDS; round++) {
    const end = Math.round((SIZE * round * 0.9) / ROUNDS)
    const request = await tus.breakOff(place, offset, clip, end - offset)
    await vi.waitFor(async () => expect(await bytesOnDisk()).toBeGreaterThan(end - MB), 30_000)
    await server.kill()
    await request.cut()
    await server.startAgain()

    const found = Number(await tus.offsetOf(place))
    expect(found).toBeGreaterThan(end - MB - FLUSHED)
    expect(found).toBeLessThanOrEqual(end)
    offset = found
  }
  const answer = await tus.patch(place, offset, clip.subarray(offset))

  expect(answer.status).toBe(200)
  const record = (await answer.json()) as ImageRecord
  expect(record.content_hash).toBe(sha256(clip))
  const bytes = await fetch(`${server.url}/api/v1/videos/i/${record.image_name}/full`)
  expect(sha256(Buffer.from(await bytes.arrayBuffer()))).toBe(sha256(clip))
}, 120_000)

test('stores a file once if the server is killed after the last byte', async () => {
  const clip = await paddedClip(3 * MB, { frames: 40 })
  const tus = tusRequests(server.url)
  const values = { filename: 'b.mp4', upload_id: 'killed-at-the-end' }
  const place = (await tus.create(clip.length, values)).headers.get('location') ?? ''
  const answer = tus.patch(place, 0, clip).catch(() => null)
  const arrives = vi.waitFor(async () => expect(await bytesOnDisk()).toBeGreaterThan(0), 30_000)
  await Promise.race([answer, arrives])
  await server.kill()
  await answer
  await server.startAgain()

  const again = await tus.create(clip.length, values)
  const offset = Number(again.headers.get('upload-offset') ?? clip.length)
  const last = again.status === 200 ? again : await tus.patch(place, offset, clip.subarray(offset))
  expect(last.status).toBe(200)
  const list = await fetch(`${server.url}/api/v1/images/?kind=all&board_id=none`)
  const { items } = (await list.json()) as { items: ImageRecord[] }
  expect(items.filter(({ file_name }) => file_name === 'b.mp4')).toHaveLength(1)
})
