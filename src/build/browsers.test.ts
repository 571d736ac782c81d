import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findChromium, findFirefox, wantsShell } from './browsers.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-browsers-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function putProgram(name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, '#!/bin/sh\n')
  await chmod(path, 0o755)
  return path
}

test('prefers CHROMIUM_PATH to installed browsers', async () => {
  await putProgram('chromium')
  const path = await putProgram('my-chromium')

  const found = findChromium('any', { CHROMIUM_PATH: path, PATH: folder })

  expect(found).toEqual({ path, source: 'CHROMIUM_PATH' })
})

test('fails if CHROMIUM_PATH cannot be run', async () => {
  await putProgram('chromium')
  const path = join(folder, 'not-there')

  expect(() => findChromium('any', { CHROMIUM_PATH: path, PATH: folder })).toThrow(path)
})

test.each(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'])(
  'finds %s on the path',
  async (name) => {
    const path = await putProgram(name)

    expect(findChromium('any', { PATH: folder })).toEqual({ path, source: 'this system' })
  },
)

test.each([
  { kind: 'any' as const, name: 'chromium-headless-shell' },
  { kind: 'whole' as const, name: 'chromium' },
])('chooses $name of both for the kind $kind', async ({ kind, name }) => {
  await putProgram('chromium-headless-shell')
  await putProgram('chromium')

  const found = findChromium(kind, { PATH: folder })

  expect(found?.path).toBe(join(folder, name))
})

test.each([
  { path: '/usr/bin/chromium', source: 'this system', is: true },
  { path: '/usr/bin/chromium-headless-shell', source: 'this system', is: false },
  { path: '/opt/chromium', source: 'CHROMIUM_PATH', is: false },
] as const)('wants the headless shell beside $path from $source: $is', ({ path, source, is }) => {
  expect(wantsShell({ path, source }, 'any')).toBe(is)
  expect(wantsShell({ path, source }, 'whole')).toBe(false)
})

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
