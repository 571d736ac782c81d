import { readdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { testThumbnailFiles } from '#testing/ports/thumbnail-files-contract.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openThumbnailFiles } from './thumbnail-files.ts'

const openInFolder = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const thumbnails = await openThumbnailFiles(dataFolder)
  const folderOf = (imageName: string) =>
    join(dataFolder, 'thumbnails', '384', imageName.slice(34, 36))
  return { thumbnails, folderOf }
}

const bytes = Buffer.from('webp')

testThumbnailFiles(async () => (await openInFolder()).thumbnails)

test('leaves no temporary file after concurrent writes', async () => {
  const { thumbnails, folderOf } = await openInFolder()
  const imageName = `${v7()}.png`

  await Promise.all([1, 2, 3].map(() => thumbnails.write(imageName, 384, bytes)))

  expect(await readdir(folderOf(imageName))).toEqual([`${imageName}.webp`])
})

test('does not follow a symbolic link', async () => {
  const { thumbnails, folderOf } = await openInFolder()
  const imageName = `${v7()}.png`
  await thumbnails.write(imageName, 384, bytes)

  const path = join(folderOf(imageName), `${imageName}.webp`)
  await rename(path, `${path}.elsewhere`)
  await symlink(`${path}.elsewhere`, path)

  expect(await thumbnails.read(imageName, 384)).toBeNull()
})
