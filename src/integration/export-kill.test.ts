import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { exportInto } from '#testing/library/export-and-import.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { startCommand } from '#testing/server/run-command.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const IMAGES = 60
const MINUTE = 60_000

const imagesIn = async (folder: string): Promise<number> => {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.png')).length
}

const contentsOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const read = async (path: string) => [path.slice(folder.length), await readFile(path, 'base64')]
  return Object.fromEntries(await Promise.all(paths.sort().map(read)))
}

test('produces the same export after repeated stops and kills @long', {
  timeout: 8 * MINUTE,
}, async () => {
  const library = await openLibrary()
  for (let at = 0; at < IMAGES; at++) {
    const source = (await drawFile('cat.png')).stream()
    await library.ingest.ingest({ source, category: 'user', fileName: `${at % 50}.png` })
  }
  const parent = await createTemporaryFolder()
  onTestFinished(() => removeFolder(parent))
  const [folder, whole] = [join(parent, 'cut'), join(parent, 'whole')]
  const start = () => startCommand('export', folder, '--data', library.dataFolder)

  for (const [images, signal] of [
    [1, 'SIGINT'],
    [15, 'SIGKILL'],
    [35, 'SIGKILL'],
  ] as const) {
    const { child, ended } = start()
    await vi.waitFor(
      async () => expect(await imagesIn(join(folder, 'Assets'))).toBeGreaterThanOrEqual(images),
      { timeout: 2 * MINUTE, interval: 5 },
    )
    child.kill(signal)
    await ended
  }
  expect((await start().ended).code).toBe(0)

  await exportInto(library, whole)
  expect(await imagesIn(join(folder, 'Assets'))).toBe(IMAGES)
  expect(await contentsOf(folder)).toEqual(await contentsOf(whole))
})
