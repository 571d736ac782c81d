import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { pathOf } from '#contract/operation.ts'
import { createServer } from '#server/app.ts'
import { routes } from '#server/http/routes.ts'
import { openExports } from '#server/storage/sqlite/open-records.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

let dataFolder: string
let image: ImageRecord
let trashed: ImageRecord
let server: RunningServer

beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  const writable = await startServer({ dataFolder })
  image = await writable.client.uploads.upload({ bytes: await drawFile('cat.png') })
  trashed = await writable.client.uploads.upload({ bytes: await drawFile('dog.png') })
  await writable.client.trash.trashImages([trashed.image_name])
  await writable.close()
  server = await startServer({ dataFolder, readOnly: true })
})

afterAll(async () => {
  await server?.close()
  await removeFolder(dataFolder)
})

const isChange = ({ operation: { method, isRead, changesNoRecord } }: (typeof routes)[number]) =>
  method !== 'GET' && !isRead && !changesNoRecord

test.each(
  routes.filter(isChange).map(({ operation }) => [operation.operationId, operation] as const),
)('refuses %s', async (_id, operation) => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1'])
  const path = pathOf(operation, Object.fromEntries(names))

  const answer = await fetch(`${server.url}${path}`, { method: operation.method })

  expect(answer.status).toBe(503)
  const { detail } = (await answer.json()) as { detail: string }
  expect(detail).toContain('started with --read-only')
})

const statusOf = async (url: string) => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

test('answers reads, thumbnails and downloads', async () => {
  const { client, url } = server
  expect(await client.images.names({})).toMatchObject({ image_names: [image.image_name] })
  expect(await statusOf(`${url}/${image.image_url}`)).toBe(200)
  expect(await statusOf(`${url}/${image.thumbnail_url}?size=768`)).toBe(200)

  const archive = await client.downloads.createArchive({ imageNames: [image.image_name] })

  expect(await statusOf(`${url}/${archive.archive_url}`)).toBe(200)
})

test('leaves the database unchanged at a start and a stop', async () => {
  const read = () => readFile(join(dataFolder, 'tessera.db'))
  const before = await read()
  server.clock.advance(86_400_000)

  await server.restart()
  await server.restart()

  expect((await read()).equals(before)).toBe(true)
  expect(await readdir(dataFolder)).not.toContain('backups')
})

test('keeps a file that a stopped upload left', async () => {
  const left = join(dataFolder, 'incoming', 'left')
  await writeFile(left, 'half of an image')

  await server.restart()

  expect(await readFile(left, 'utf8')).toBe('half of an image')
})

test('lets another process read the database', async () => {
  const other = await openExports(dataFolder)

  expect(await other.upkeep.countImages()).toBe(2)

  await other.close()
})

test('refuses to create a library', async () => {
  const empty = await createTemporaryFolder()
  await expect(createServer({ dataFolder: empty, readOnly: true })).rejects.toThrow(
    'tessera.db is missing, and --read-only creates no library',
  )
  await removeFolder(empty)
})
