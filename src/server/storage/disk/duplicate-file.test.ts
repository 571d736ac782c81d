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

test('shares the disk space of the original', async () => {
  const folder = await openFolder()
  const path = join(folder, 'original')
  await writeFile(path, 'abc')

  const duplicate = await duplicateFile(path, folder)

  expect((await stat(duplicate?.path ?? '')).ino).toBe((await stat(path)).ino)
})

test('copies the bytes where no hard link is possible', async () => {
  // Two file systems: memory, and the disk of the project. The temporary folder may be on either of them.
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

test('returns null for a missing file, and leaves no temporary file', async () => {
  const folder = await openFolder()

  expect(await duplicateFile(join(folder, 'missing'), folder)).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

test('creates a missing target folder', async () => {
  const folder = await openFolder()
  const path = join(folder, 'original')
  await writeFile(path, 'abc')

  const duplicate = await duplicateFile(path, join(folder, 'removed'))

  expect(await readFile(duplicate?.path ?? '', 'utf8')).toBe('abc')
})
