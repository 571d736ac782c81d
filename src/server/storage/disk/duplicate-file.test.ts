import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { duplicateFile } from './duplicate-file.ts'

const openFolder = async (): Promise<string> => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

test('a duplicate shares the space of its original', async () => {
  const folder = await openFolder()
  const path = join(folder, 'original')
  await writeFile(path, 'abc')

  const duplicate = await duplicateFile(path, folder)

  expect((await stat(duplicate?.path ?? '')).ino).toBe((await stat(path)).ino)
})

test('where no hard link can be made, the bytes are copied', async () => {
  // Two file systems: memory, and the disk of the project. The temporary folder may be on either.
  const elsewhere = await mkdtemp('/dev/shm/tessera-')
  await mkdir('.cache', { recursive: true })
  const folder = await mkdtemp('.cache/tessera-')
  for (const one of [elsewhere, folder]) onTestFinished(() => removeFolder(one))
  const path = join(elsewhere, 'original')
  await writeFile(path, 'abc')

  const duplicate = await duplicateFile(path, folder)

  expect(await readFile(duplicate?.path ?? '', 'utf8')).toBe('abc')
  expect((await stat(duplicate?.path ?? '')).dev).not.toBe((await stat(elsewhere)).dev)
})

test('a missing file has no duplicate, and nothing is left', async () => {
  const folder = await openFolder()

  expect(await duplicateFile(join(folder, 'missing'), folder)).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

test('a folder that was removed is made again', async () => {
  const folder = await openFolder()
  const path = join(folder, 'original')
  await writeFile(path, 'abc')

  const duplicate = await duplicateFile(path, join(folder, 'removed'))

  expect(await readFile(duplicate?.path ?? '', 'utf8')).toBe('abc')
})
