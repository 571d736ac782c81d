import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { Bucket } from '#server/storage/s3/bucket.ts'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { keysOf } from '#testing/engines/s3-store.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { startCommand } from '#testing/server/run-command.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const IMAGES = 300
const MINUTE = 60_000

const stops = [
  [1, 'SIGKILL'],
  [150, 'SIGINT'],
] as const

test('continues after kills in both directions', { timeout: 8 * MINUTE }, async () => {
  const root = await createTemporaryFolder()
  const [source, target] = [join(root, 'source'), join(root, 'target')]
  const databaseUrl = await createDatabase(inject('postgresUrl'))
  const files = emptyStore(inject('s3Url'))
  const bucket = new Bucket(parseFilesUrl(files))
  onTestFinished(async () => {
    bucket.close()
    await removeFolder(root)
  })
  await fillLibrary(source, { imageCount: IMAGES, pictureCount: 7, longestPx: 64 })
  const migrate = (...args: string[]) =>
    startCommand('migrate', '--database', databaseUrl, '--files', files, ...args)
  const stopAndContinue = async (place: string[], countImages: () => Promise<number>) => {
    for (const [images, signal] of stops) {
      const { child, ended } = migrate(...place)
      await vi.waitFor(async () => expect(await countImages()).toBeGreaterThanOrEqual(images), {
        timeout: 2 * MINUTE,
        interval: 5,
      })
      child.kill(signal)
      const { code, out } = await ended
      if (signal === 'SIGINT')
        expect([code, out]).toEqual([130, expect.stringMatching(/^Stopped/m)])
    }
    const last = await migrate(...place).ended
    expect(last).toMatchObject({ code: 0, out: expect.stringContaining('Already there') })
    expect((await migrate(...place, '--verify').ended).code).toBe(0)
  }

  await stopAndContinue(['--data', source], async () => (await keysOf(bucket)).length / 2)
  await expectRefusedUntilFinished()
  await stopAndContinue(['--to', target], () => countFiles(join(target, 'images')))

  async function expectRefusedUntilFinished() {
    const { child, ended } = migrate('--to', target)
    await vi.waitFor(
      async () => expect(await countFiles(join(target, 'images'))).toBeGreaterThan(0),
      {
        timeout: 2 * MINUTE,
        interval: 5,
      },
    )
    child.kill('SIGKILL')
    await ended
    await expect(startServer({ dataFolder: target })).rejects.toThrow(
      `${target} has a part of a library. Run the same \`tessera migrate\` again to finish it`,
    )
  }
})

const countFiles = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).length
}
