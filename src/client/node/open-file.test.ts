import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFile } from './open-file.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-open-file-'))
})

afterAll(() => rm(folder, { recursive: true }))

it('opens a file by its path and returns its name', async () => {
  await writeFile(join(folder, 'a cat.png'), 'bytes')

  const { bytes, fileName } = await openFile(join(folder, 'a cat.png'))

  expect(fileName).toBe('a cat.png')
  expect(await bytes.text()).toBe('bytes')
})

it('rejects a path without a file', async () => {
  await expect(openFile(join(folder, 'gone.png'))).rejects.toMatchObject({ code: 'ENOENT' })
})
