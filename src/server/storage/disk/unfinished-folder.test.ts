import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { UnfinishedFiles, UnfinishedUpload } from '#server/core/intake/file-ports.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openUnfinishedFolder } from './unfinished-folder.ts'

let dataFolder: string
let files: UnfinishedFiles
beforeEach(async () => {
  dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  files = openUnfinishedFolder(dataFolder)
})

const clock = () => 2_000
const fresh = (key: string): UnfinishedUpload => ({
  ...{ key, bytes: 10, offset: 0, metadata: { filename: 'a.mp4' }, changedAt: 1_000 },
})

async function* chunks(...texts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text
    yield Buffer.from(text)
  }
}

const begin = async (key = 'a') => {
  const upload = fresh(key)
  await files.put(upload)
  return upload
}

const folder = () => join(dataFolder, 'uploads')

const pathOfBytes = async () => {
  const names = await readdir(folder())
  return join(folder(), names.find((name) => !name.endsWith('.json')) ?? '')
}

test('appends bytes, and stages the whole file', async () => {
  const upload = await begin()
  expect(await files.append(upload, chunks('01', '234'), clock)).toBe(5)
  const found = await files.get('a')
  expect(found).toEqual({ ...upload, offset: 5, changedAt: 2_000 })

  await files.append(found ?? upload, chunks('56789'), clock)
  const staged = await files.stage('a')

  expect(staged.bytes).toBe(10)
  expect(await readFile(staged.path, 'utf8')).toBe('0123456789')
  expect(await files.list()).toHaveLength(1)
})

test('keeps the bytes that arrived before a break', async () => {
  const upload = await begin()
  const broken = files.append(upload, chunks('012', new Error('Lost')), clock)
  await expect(broken).rejects.toMatchObject({ code: 'upload_cut_off' })
  expect(await files.get('a')).toMatchObject({ offset: 3 })
})

test('cuts off bytes of a crashed process that were not flushed', async () => {
  const upload = await begin()
  await files.append(upload, chunks('012'), clock)
  await appendFile(await pathOfBytes(), 'rubbish')
  const found = await files.get('a')
  expect(found?.offset).toBe(3)

  await files.append(found ?? upload, chunks('3456789'), clock)

  expect(await readFile(await pathOfBytes(), 'utf8')).toBe('0123456789')
})

test('takes over new metadata of an upload, and keeps its bytes', async () => {
  const upload = await begin()
  await files.append(upload, chunks('012'), clock)
  await files.put({ ...upload, offset: 3, metadata: { board_id: 'b' } })
  expect(await files.get('a')).toMatchObject({ offset: 3, metadata: { board_id: 'b' } })
  expect(await readFile(await pathOfBytes(), 'utf8')).toBe('012')
})

test.each([
  ['notes that are cut off', async () => writeFile(`${await pathOfBytes()}.json`, '{"key":')],
  ['fewer bytes than the notes say', async () => writeFile(await pathOfBytes(), '')],
])('forgets an upload with %s', async (_, damage) => {
  await files.append(await begin(), chunks('012'), clock)
  await damage()

  expect(await files.get('a')).toBeNull()
  expect(await files.list()).toEqual([])
  expect(await readdir(folder())).toEqual([])
})

test('deletes bytes without notes, and leaves other uploads', async () => {
  await begin('b')
  await writeFile(join(folder(), 'f'.repeat(40)), 'left by a crash')
  expect((await files.list()).map(({ key }) => key)).toEqual(['b'])
  expect(await readdir(folder())).toHaveLength(2)
})

test('does not bring back an upload that is deleted while bytes arrive', async () => {
  const upload = await begin()
  async function* deleted() {
    yield Buffer.from('012')
    await files.remove('a')
  }
  await expect(files.append(upload, deleted(), clock)).rejects.toMatchObject({
    code: 'upload_not_found',
  })
  expect(await readdir(folder())).toEqual([])
})

test('has no upload before the first one', async () => {
  expect(await files.list()).toEqual([])
  expect(await files.get('../../tessera.db')).toBeNull()
  await mkdir(join(dataFolder, 'incoming'), { recursive: true })
  await expect(files.stage('a')).rejects.toThrow()
})
