import { readdir, readlink } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Sqlite from 'better-sqlite3'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import type { Archive } from '#contract/download-operations.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
afterEach(() => api.close())

/** A picture of some megabytes, more than the streams between a file and a socket take up. */
const drawNoise = async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 1200, height: 1200, channels: 3, background: 'black', noise } as const
  return new Blob([new Uint8Array(await sharp({ create }).png().toBuffer())], { type: 'image/png' })
}

/** Asks, waits for this many pieces of the answer and hangs up. */
function hangUpAfter(pieces: number, method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${api.url}/${path}`, { method }, (answer: IncomingMessage) => {
      let text = ''
      let left = pieces
      answer.on('error', () => {}) // that it broke off is what this is about
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

/** Images that this process has open. */
async function openImages(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(
    descriptors.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(join(api.dataFolder, 'images')))
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in buffers that something still refers to. */
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

test('whoever hangs up in the middle of a zip leaves no file open, no bytes and no trace', async () => {
  api = await openApi()
  const picture = await drawNoise()
  for (let count = 0; count < 8; count++) expect((await api.upload(picture)).status).toBe(201)
  const json = { board_id: 'none' }
  const { body } = await api.send('POST', '/api/v1/images/archives', { json })
  const { archive_url } = body as Archive
  await hangUpAfter(1, 'GET', archive_url)
  await expect.poll(openImages).toEqual([])
  const [files, bytes] = [await api.keptFiles(), heldBytes()]

  for (let pieces = 1; pieces <= 40; pieces++) await hangUpAfter(pieces, 'GET', archive_url)

  await expect.poll(openImages).toEqual([])
  await expect.poll(heldBytes).toBeLessThan(bytes + 2_000_000)
  expect(await api.keptFiles()).toEqual(files)
  expect((await api.send('GET', '/api/v1/health')).status).toBe(200)
}, 60_000)

test('whoever hangs up while a demo library is drawn stops it, and what is there is whole', async () => {
  api = await openApi()

  const said = await hangUpAfter(3, 'POST', 'api/v1/app/demo_library?image_count=500')
  const { done } = JSON.parse(said.trim().split('\n').at(-1) ?? '')

  // The one that was being stored is stored to its end, and no other begins.
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
