import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Bucket } from '#server/storage/s3/bucket.ts'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { keysOf } from '#testing/engines/s3-store.ts'
import { drawnBytes, writeTree } from '#testing/library/write-tree.ts'
import { runCommand } from '#testing/server/run-command.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

let root: string
let databaseUrl: string
let files: string
let bucket: Bucket
let imported: Awaited<ReturnType<typeof runCommand>>
beforeAll(async () => {
  root = await createTemporaryFolder()
  databaseUrl = await createDatabase(inject('postgresUrl'))
  files = emptyStore(inject('s3Url'))
  bucket = new Bucket(parseFilesUrl(files))
  const bytes = await Promise.all(['a.png', 'b.png', 'c.png'].map((name) => drawnBytes(name)))
  const [a, b, c] = bytes
  if (a && b && c)
    await writeTree(join(root, 'from'), { 'Cats/a.png': a, 'Cats/b.png': b, 'c.png': c })
  imported = await run('import', join(root, 'from'), '--data', join(root, 'data'))
})
afterAll(async () => {
  bucket.close()
  await removeFolder(root)
})

const run = (command: string, ...args: string[]) =>
  runCommand(command, ...args, '--database', databaseUrl, '--files', files)

const withServer = async <T>(work: (server: RunningServer) => Promise<T>): Promise<T> => {
  const server = await startServer({ databaseUrl, files })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

test('imports a folder', async () => {
  expect(imported).toMatchObject({ code: 0, err: '' })
  const boards = await withServer(({ client }) => client.boards.listBoards())
  expect(boards.map(({ board_name, image_count }) => [board_name, image_count])).toEqual([
    ['Cats', 2],
  ])
})

test('exports while a server runs, and refuses an import then', async () => {
  const target = join(root, 'export')

  const [exported, refused] = await withServer(() =>
    Promise.all([
      run('export', target),
      run('import', join(root, 'from'), '--data', join(root, 'other')),
    ]),
  )

  expect(exported).toMatchObject({ code: 0, err: '' })
  expect((await readdir(join(target, 'Cats'))).filter((name) => name.endsWith('.png'))).toEqual([
    'a.png',
    'b.png',
  ])
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^tessera: Another Tessera uses the database at .* Stop it, or import/,
    ),
  })
})

test('exports converted files and a contact sheet', async () => {
  const target = join(root, 'converted')
  const sheet = join(root, 'sheet.pdf')

  const converted = await run('export', target, '--format', 'webp', '--longest-side', '32')
  const drawn = await run('export', '--contact-sheet', sheet, '--board', 'Cats')

  expect(converted).toMatchObject({ code: 0, err: '' })
  expect(await sharp(join(target, 'Cats/a.webp')).metadata()).toMatchObject({ width: 32 })
  expect((await readdir(join(target, 'Cats'))).toSorted()).toEqual(['a.webp', 'b.webp'])
  expect(drawn).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/Images +2/) })
  expect((await readFile(sheet, 'latin1')).startsWith('%PDF-1.4')).toBe(true)
})

test('checks counters, search and objects, and repairs', async () => {
  expect(await run('doctor')).toMatchObject({
    code: 0,
    out: 'Checked 3 images.\nAll is well.\n',
  })
  const [original = ''] = (await keysOf(bucket)).filter((key) => key.includes('/images/'))
  const bytes = await drawnBytes('b.png')
  await bucket.put(original.replace(/[^/]{8}(?=-[^/]*$)/, '018f0000'), bytes, 'image/png')
  await runOn(databaseUrl, 'UPDATE tessera.image_counts SET n = n + 1')
  await runOn(
    databaseUrl,
    'DELETE FROM tessera.image_search WHERE image = (SELECT min(image) FROM tessera.image_search)',
  )
  await bucket.remove([original])

  const { code, out } = await run('doctor')
  expect(code).toBe(1)
  expect(out.match(/^Problem: .*$/gm)).toEqual([
    'Problem: The stored counts of images are wrong.',
    'Problem: The search index does not agree with 1 images.',
    'Problem: 1 image is without a file.',
    'Problem: 1 file has no record.',
  ])
  const repaired = await run('doctor', '--repair')
  expect(repaired.err).toBe('')
  expect(repaired.out.match(/^Repaired: .*$/gm)).toHaveLength(2)
})

test('names what to use instead of backup and restore', async () => {
  for (const command of ['backup', 'restore']) {
    expect(await run(command, join(root, 'backup'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^tessera: tessera (?:backup|restore) works with a data folder only\. Back up the database with pg_dump/,
      ),
    })
  }
})
