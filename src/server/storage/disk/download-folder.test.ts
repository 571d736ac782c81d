import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { testDownloads } from '#testing/ports/downloads-contract.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openDownloadFolder } from './download-folder.ts'

const never = new AbortController().signal

const open = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  return { downloads: await openDownloadFolder(dataFolder), folder: join(dataFolder, 'downloads') }
}

testDownloads(async () => (await open()).downloads)

test('leaves no file after an aborted write', async () => {
  const { downloads, folder } = await open()

  await expect(
    downloads.write('a.zip', Readable.from(['zip']), AbortSignal.abort()),
  ).rejects.toThrow()

  expect(await readdir(folder)).toEqual([])
})

test('sweeps zips of an earlier run', async () => {
  const { downloads } = await open()
  await downloads.write('a.zip', Readable.from(['zip']), never)

  expect(await downloads.sweep()).toBe(1)
  expect(await downloads.take('a.zip')).toBeNull()
})
