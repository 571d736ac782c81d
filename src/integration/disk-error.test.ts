import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type TesseraClient } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { expectConsistentLibrary } from './library-consistency.ts'

let server: ServerProcess
let client: TesseraClient

beforeAll(async () => {
  server = await ServerProcess.start()
  client = connect({ baseUrl: server.url })
})

afterAll(() => server.close())

/** From now on the operating system refuses writes beyond this file size. SQLite treats that as a disk error. */
const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`])

const health = async () => (await fetch(`${server.url}/api/v1/health`)).json()

test('makes the library read-only after a disk error and writable when the disk works again', async () => {
  const file = await drawFile('cat.png', { widthPx: 8, heightPx: 8 })
  const image = await client.uploads.upload({ bytes: file })

  limitFiles(4096)
  const failed = client.boards.createBoard('Castles')
  await expect(failed).rejects.toMatchObject({ status: 503, code: 'disk_error' })
  const refused = client.images.update(image.image_name, { starred: true })
  await expect(refused).rejects.toMatchObject({ status: 503, code: 'library_read_only' })

  expect(await health()).toMatchObject({
    status: 'read_only',
    detail: expect.stringContaining('the disk reported an error'),
  })
  expect(await client.images.names({})).toMatchObject({ image_names: [image.image_name] })
  limitFiles('unlimited')
  await expect.poll(health, { timeout: 10_000 }).toMatchObject({ status: 'ok', detail: null })
  await client.images.update(image.image_name, { starred: true })
  await expectConsistentLibrary(client, server.dataFolder)
})

test('leaves no row without a file if the commit of an upload fails', async () => {
  const file = await drawFile('dog.png', { widthPx: 8, heightPx: 8 })
  expect(file.size).toBeLessThan(4096)

  limitFiles(4096)
  await expect(client.uploads.upload({ bytes: file })).rejects.toMatchObject({ code: 'disk_error' })
  await server.kill()
  await server.startAgain()

  await expectConsistentLibrary(client, server.dataFolder)
  expect(await readdir(join(server.dataFolder, 'set-aside'))).toHaveLength(1)
})
