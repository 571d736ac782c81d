import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findChromium } from './chromium.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-chromium-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function putProgram(name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, 0o755)
  return path
}

test('CHROMIUM_PATH comes before what the system has', async () => {
  await putProgram('chromium')
  const path = await putProgram('my-chromium')

  const found = findChromium({ CHROMIUM_PATH: path, PATH: folder })

  expect(found).toEqual({ path, source: 'CHROMIUM_PATH' })
})

test('a CHROMIUM_PATH that cannot be run is said, not passed over', async () => {
  await putProgram('chromium')
  const path = join(folder, 'not-there')

  expect(() => findChromium({ CHROMIUM_PATH: path, PATH: folder })).toThrow(path)
})

test.each(['chromium', 'chromium-browser', 'google-chrome'])(
  '%s is found on the path',
  async (name) => {
    const path = await putProgram(name)

    expect(findChromium({ PATH: folder })).toEqual({ path, source: 'this system' })
  },
)
