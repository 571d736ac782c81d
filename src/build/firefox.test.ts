import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFirefox } from './firefox.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-firefox-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function putProgram(name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, 0o755)
  return path
}

test('prefers FIREFOX_PATH to installed browsers', async () => {
  await putProgram('firefox-esr')
  const path = await putProgram('my-firefox')

  expect(findFirefox({ FIREFOX_PATH: path, PATH: folder })).toBe(path)
})

test('fails if FIREFOX_PATH cannot be run', async () => {
  await putProgram('firefox-esr')
  const path = join(folder, 'not-there')

  expect(() => findFirefox({ FIREFOX_PATH: path, PATH: folder })).toThrow(path)
})

test("chooses Debian's Firefox of two on the path", async () => {
  await putProgram('firefox')
  const path = await putProgram('firefox-esr')

  expect(findFirefox({ PATH: folder })).toBe(path)
})

test('finds no Firefox where none is installed', () => {
  expect(findFirefox({ PATH: folder })).toBeNull()
})
