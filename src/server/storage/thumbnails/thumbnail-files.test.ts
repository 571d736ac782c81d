import { readdir, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openThumbnailFiles } from './thumbnail-files.ts'

const openInFolder = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  return { dataFolder, thumbnails: await openThumbnailFiles(dataFolder) }
}

const bytes = Buffer.from('webp')

test('stores a thumbnail at `pathOf`, separately for each size', async () => {
  const { thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`

  await thumbnails.write(imageName, 384, bytes)

  const path = (await thumbnails.pathOf(imageName, 384)) ?? ''
  expect(await readFile(path)).toEqual(bytes)
  expect(await thumbnails.pathOf(imageName, 768)).toBeNull()
})

test('removes every size and ignores missing files', async () => {
  const { thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`
  await thumbnails.write(imageName, 384, bytes)
  await thumbnails.write(imageName, 1536, bytes)

  await thumbnails.remove([imageName, `${v7()}.png`])

  expect(await thumbnails.pathOf(imageName, 384)).toBeNull()
  expect(await thumbnails.pathOf(imageName, 1536)).toBeNull()
})

test('leaves no temporary file after concurrent writes', async () => {
  const { dataFolder, thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`

  await Promise.all([1, 2, 3].map(() => thumbnails.write(imageName, 384, bytes)))

  const folder = join(dataFolder, 'thumbnails', '384', imageName.slice(34, 36))
  expect(await readdir(folder)).toEqual([`${imageName}.webp`])
})

test('refuses to build a path outside the folder', async () => {
  const { thumbnails } = await openInFolder()

  await expect(thumbnails.write('../../x', 384, bytes)).rejects.toMatchObject({
    code: 'image_not_found',
  })
})

test('reads a thumbnail, but neither a missing one nor a symbolic link', async () => {
  const { thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`
  await thumbnails.write(imageName, 384, bytes)

  expect(await thumbnails.read(imageName, 384)).toEqual(bytes)
  expect(await thumbnails.read(imageName, 768)).toBeNull()

  const path = (await thumbnails.pathOf(imageName, 384)) ?? ''
  await rename(path, `${path}.elsewhere`)
  await symlink(`${path}.elsewhere`, path)
  expect(await thumbnails.read(imageName, 384)).toBeNull()
})
