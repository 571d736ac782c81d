import { readdir, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openThumbnailFiles } from './thumbnail-files.ts'

const openInFolder = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  return { dataFolder, thumbnails: await openThumbnailFiles({ dataFolder }) }
}

const bytes = Buffer.from('webp')

test('a thumbnail lies where pathOf says, by size', async () => {
  const { thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`

  await thumbnails.write(imageName, 384, bytes)

  const path = (await thumbnails.pathOf(imageName, 384)) ?? ''
  expect(await readFile(path)).toEqual(bytes)
  expect(await thumbnails.pathOf(imageName, 768)).toBeNull()
})

test('removing takes every size, and what is not there is no error', async () => {
  const { thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`
  await thumbnails.write(imageName, 384, bytes)
  await thumbnails.write(imageName, 1536, bytes)

  await thumbnails.remove([imageName, `${v7()}.png`])

  expect(await thumbnails.pathOf(imageName, 384)).toBeNull()
  expect(await thumbnails.pathOf(imageName, 1536)).toBeNull()
})

test('writing leaves nothing but the thumbnail', async () => {
  const { dataFolder, thumbnails } = await openInFolder()
  const imageName = `${v7()}.png`

  await Promise.all([1, 2, 3].map(() => thumbnails.write(imageName, 384, bytes)))

  const folder = join(dataFolder, 'thumbnails', '384', imageName.slice(34, 36))
  expect(await readdir(folder)).toEqual([`${imageName}.webp`])
})

test('a path outside is never built', async () => {
  const { thumbnails } = await openInFolder()

  await expect(thumbnails.write('../../x', 384, bytes)).rejects.toMatchObject({
    code: 'image_not_found',
  })
})

test('a thumbnail is read whole; a missing one and a link in its place are not', async () => {
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
