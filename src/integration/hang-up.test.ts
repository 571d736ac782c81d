import { readdir, readlink } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import type { Archive } from '#contract/downloads/download-operations.ts'
import type { ImageRecord } from '#contract/image.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
afterEach(() => api.close())

/** Draws an image of several megabytes, larger than the buffers between file and socket. */
const drawNoise = async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 1200, height: 1200, channels: 3, background: 'black', noise } as const
  return new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())], { type: 'image/png' })
}

/** Sends a request, waits for this many chunks of the answer, and hangs up. */
function hangUpAfter(pieces: number, method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${api.url}/${path}`, { method }, (answer: IncomingMessage) => {
      let text = ''
      let left = pieces
      answer.on('error', () => {}) // the break is expected
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        left -= 1
        if (left === 0) asked.destroy()
      })
      answer.on('close', () =>
        answer.complete ? reject(new Error('It ended before.')) : resolve(text),
      )
    })
    asked.on('error', (error) => (asked.destroyed ? undefined : reject(error)))
    asked.end()
  })
}

/** Returns the images that this process has open. */
async function openImages(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(
    descriptors.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(join(api.dataFolder, 'images')))
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns the number of bytes in buffers that are still referenced. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

const filesIn = async (folder: string) => {
  const path = join(api.dataFolder, folder)
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile())
}

const rowsOf = (table: string): number => {
  const database = new Sqlite(join(api.dataFolder, 'tessera.db'), { readonly: true })
  const count = database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  database.close()
  return Number(count)
}

test('leaves no open file or buffer if a client hangs up during a zip @long', async () => {
  api = await openApi()
  const picture = await drawNoise()
  for (let count = 0; count < 8; count++) expect((await api.upload(picture)).status).toBe(201)
  const json = { board_id: 'none' }
  const { body } = await api.send('POST', '/api/v1/images/archives', { json })
  const { archive_url } = body as Archive
  await hangUpAfter(1, 'GET', archive_url)
  await expect.poll(openImages).toEqual([])
  const [files, bytes] = [await api.storedFiles(), heldBytes()]

  for (let pieces = 1; pieces <= 40; pieces++) await hangUpAfter(pieces, 'GET', archive_url)

  await expect.poll(openImages).toEqual([])
  await expect.poll(heldBytes).toBeLessThan(bytes + 2_000_000)
  expect(await api.storedFiles()).toEqual(files)
  expect((await api.send('GET', '/api/v1/health')).status).toBe(200)
}, 60_000)

/** Asks for a path on a socket and closes it after this share of the body. */
const closeAfter = (share: number, path: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(api.url).port))
    let received = 0
    let wanted = Number.POSITIVE_INFINITY
    socket.on('data', (data: Buffer) => {
      const text = data.toString('latin1')
      const [, length] = /content-length: (\d+)/i.exec(text) ?? []
      if (length !== undefined) {
        wanted = Number(length) * share
        received = -(text.indexOf('\r\n\r\n') + 4)
      }
      received += data.length
      if (received >= wanted) socket.destroy()
    })
    socket.on('error', () => {}) // the break is expected
    socket.on('close', () => resolve())
    socket.write(`GET /${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  })

test('logs no fault if clients close after the last byte of an image, or halfway @long', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
  api = await openApi({ logger })
  const { image_url } = (await api.upload(await drawNoise())).body as ImageRecord

  for (let round = 0; round < 15; round += 1) {
    await closeAfter(1, image_url)
    await closeAfter(0.5, image_url)
  }

  expect((await api.send('GET', '/api/v1/health')).status).toBe(200)
  expect(lines).toEqual([])
})

test('stops creating a demo library if the client hangs up, with all images complete @long', async () => {
  api = await openApi()

  const said = await hangUpAfter(3, 'POST', 'api/v1/app/demo_library?image_count=500')
  const { done } = JSON.parse(said.trim().split('\n').at(-1) ?? '')

  // The image that is being stored is completed, and no other one starts.
  const rest = await api.send('POST', '/api/v1/app/demo_library?image_count=1')
  expect(rest.status).toBe(200)
  await expect.poll(() => readdir(join(api.dataFolder, 'incoming'))).toEqual([])
  const images = rowsOf('images')
  expect(images).toBeGreaterThan(done)
  expect(images).toBeLessThan(100)
  expect(rowsOf('tombstones')).toBe(0)
  expect(await filesIn('images')).toHaveLength(images)
  expect(await filesIn('thumbnails')).toHaveLength(images)
})
