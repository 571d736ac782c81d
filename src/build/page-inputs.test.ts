import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashPageInputs } from './page-inputs.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tessera-inputs-'))
  await mkdir(join(root, 'src/gallery/boards'), { recursive: true })
  await writeFile(join(root, 'index.html'), '<p>')
  await writeFile(join(root, 'src/gallery/boards/board-row.tsx'), 'one')
})

afterEach(() => rm(root, { recursive: true }))

test('treats the page as stale after a file has changed', async () => {
  const before = await hashPageInputs(root)

  await writeFile(join(root, 'src/gallery/boards/board-row.tsx'), 'two')

  expect(await hashPageInputs(root)).not.toBe(before)
})

test('treats the page as stale after a file was renamed', async () => {
  const before = await hashPageInputs(root)

  await rm(join(root, 'src/gallery/boards/board-row.tsx'))
  await writeFile(join(root, 'src/gallery/boards/board-line.tsx'), 'one')

  expect(await hashPageInputs(root)).not.toBe(before)
})

test('ignores new times, tests and the server', async () => {
  const before = await hashPageInputs(root)

  await utimes(join(root, 'index.html'), new Date(0), new Date(0))
  await writeFile(join(root, 'src/gallery/boards/board-row.test.tsx'), 'a test')
  await mkdir(join(root, 'src/server'))
  await writeFile(join(root, 'src/server/main.ts'), 'the server')

  expect(await hashPageInputs(root)).toBe(before)
})
