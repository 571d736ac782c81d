import { execFileSync, spawn } from 'node:child_process'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { takeInFile } from './take-in-file.ts'

const openFolder = async (): Promise<string> => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

const copying = { maxBytes: 100_000_000, link: false }

test.each([false, true])('returns the size and hash of the original (link: %s)', async (isLink) => {
  const [from, to] = [await openFolder(), await openFolder()]
  const path = join(from, 'abc')
  await writeFile(path, 'abc')

  const taken = await takeInFile(to, path, { ...copying, link: isLink })

  expect(taken).toMatchObject({ bytes: 3, isLinked: isLink, isFresh: true })
  expect(taken.contentHash).toMatch(/^ba7816bf8f01cfea/)
  expect(await readFile(taken.path, 'utf8')).toBe('abc')
})

test.each([false, true])('creates a missing target folder (link: %s)', async (link) => {
  const [from, parent] = [await openFolder(), await openFolder()]
  await writeFile(join(from, 'abc'), 'abc')

  const taken = await takeInFile(join(parent, 'incoming'), join(from, 'abc'), { ...copying, link })

  expect(await readFile(taken.path, 'utf8')).toBe('abc')
})

test('links to the file behind a symbolic link', async () => {
  const [from, to] = [await openFolder(), await openFolder()]
  await writeFile(join(from, 'file'), 'abc')
  await symlink('file', join(from, 'link'))

  const taken = await takeInFile(to, join(from, 'link'), { ...copying, link: true })

  expect(taken.isLinked).toBe(true)
  await expect(readFile(taken.path, 'utf8')).resolves.toBe('abc')
})

test('copies the file where no hard link is possible', async () => {
  const to = await openFolder()

  const taken = await takeInFile(to, '/proc/self/limits', { ...copying, link: true }).catch(
    (error: unknown) => error,
  )

  // A file of another file system that reports the wrong size 0.
  expect(taken).toMatchObject({ code: 'file_changed' })
  expect(await readdir(to)).toEqual([])
})

test('refuses a file that grows while it is read, and leaves no temporary file', async () => {
  const [from, to] = [await openFolder(), await openFolder()]
  const path = join(from, 'growing')
  await writeFile(path, Buffer.alloc(20_000_000))
  const growing = spawn('sh', ['-c', 'while :; do echo more; done >>"$0"', path])
  onTestFinished(() => void growing.kill('SIGKILL'))
  await expect.poll(async () => (await stat(path)).size).toBeGreaterThan(20_000_000)

  const taking = takeInFile(to, path, copying)

  await expect(taking).rejects.toMatchObject({ code: 'file_changed' })
  expect(await readdir(to)).toEqual([])
})

test.each([
  ['/no/such/file', 'unreadable_file', /no longer exists/],
  ['/tmp', 'unreadable_file', /no file/],
  ['/dev/null', 'unreadable_file', /no file/],
])('refuses %s with %s', async (path, code, message) => {
  const taking = takeInFile(await openFolder(), path, copying)

  await expect(taking).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

test('refuses a file that is too large without reading it', async () => {
  const folder = await openFolder()
  await writeFile(join(folder, 'large'), Buffer.alloc(2_000))

  const taking = takeInFile(folder, join(folder, 'large'), { maxBytes: 1_000, link: true })

  await expect(taking).rejects.toMatchObject({ code: 'file_too_large' })
  expect(await readdir(folder)).toEqual(['large'])
})

test('refuses a pipe without waiting for a writer', async () => {
  const path = join(await openFolder(), 'pipe.png')
  execFileSync('mkfifo', [path])

  const taking = takeInFile(await openFolder(), path, copying)

  await expect(taking).rejects.toMatchObject({ code: 'unreadable_file' })
})
