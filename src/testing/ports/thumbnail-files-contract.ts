import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { STRIP_FRAME_PX } from '#contract/limits.ts'
import type { ThumbnailFiles } from '#server/core/intake/file-ports.ts'

const bytes = Buffer.from('webp')
const newName = () => `${v7()}.png`

const names = async (thumbnails: ThumbnailFiles): Promise<string[]> =>
  (await Array.fromAsync(thumbnails.list())).flatMap(({ imageNames }) => imageNames).sort()

/** Tests that every implementation of `ThumbnailFiles` must pass, each with its own `open`. */
export const testThumbnailFiles = (open: () => Promise<ThumbnailFiles>): void => {
  test('stores a thumbnail separately for each size, and replaces it', async () => {
    const thumbnails = await open()
    const imageName = newName()

    await thumbnails.write(imageName, 384, bytes)
    expect(await thumbnails.read(imageName, 384)).toEqual(bytes)
    expect(await thumbnails.read(imageName, 768)).toBeNull()

    await thumbnails.write(imageName, 384, Buffer.from('new'))
    expect(await thumbnails.read(imageName, 384)).toEqual(Buffer.from('new'))
  })

  test('removes every size and ignores missing files', async () => {
    const thumbnails = await open()
    const [imageName, other] = [newName(), newName()]
    await thumbnails.write(imageName, 384, bytes)
    await thumbnails.write(imageName, 1536, bytes)
    await thumbnails.write(other, 384, bytes)

    await thumbnails.remove([imageName, newName()])

    expect(await thumbnails.read(imageName, 384)).toBeNull()
    expect(await thumbnails.read(imageName, 1536)).toBeNull()
    expect(await thumbnails.read(other, 384)).toEqual(bytes)
  })

  test('copies the existing sizes of an image', async () => {
    const thumbnails = await open()
    const [imageName, copyName] = [newName(), newName()]
    await thumbnails.write(imageName, 384, bytes)
    await thumbnails.write(imageName, 768, bytes)

    await thumbnails.duplicate(imageName, copyName)
    await thumbnails.remove([imageName])

    expect(await thumbnails.read(copyName, 384)).toEqual(bytes)
    expect(await thumbnails.read(copyName, 768)).toEqual(bytes)
    expect(await thumbnails.read(copyName, 1536)).toBeNull()
  })

  test('copies, lists and removes the strip of a video with its thumbnails', async () => {
    const thumbnails = await open()
    const [video, copy] = [`${v7()}.mp4`, `${v7()}.mp4`]
    await thumbnails.write(video, STRIP_FRAME_PX, bytes)

    await thumbnails.duplicate(video, copy)
    expect(await names(thumbnails)).toEqual([video, copy].toSorted())
    await thumbnails.remove([video])

    expect(await thumbnails.read(video, STRIP_FRAME_PX)).toBeNull()
    expect(await thumbnails.read(copy, STRIP_FRAME_PX)).toEqual(bytes)
  })

  test('lists each image once, in the folder of the last two digits of its id', async () => {
    const thumbnails = await open()
    const images = [newName(), newName(), newName()]
    for (const imageName of images) await thumbnails.write(imageName, 384, bytes)
    await thumbnails.write(images[0] ?? '', 768, bytes)

    expect(await names(thumbnails)).toEqual(images.toSorted())
    for await (const { folder, imageNames } of thumbnails.list()) {
      for (const name of imageNames) expect(name.slice(34, 36)).toBe(folder)
    }
  })

  test.each(['../../x', 'a.png', ''])('refuses the name %j', async (name) => {
    const thumbnails = await open()
    const refused = { code: 'image_not_found' }

    await expect(thumbnails.write(name, 384, bytes)).rejects.toMatchObject(refused)
    await expect(thumbnails.read(name, 384)).rejects.toMatchObject(refused)
    await expect(thumbnails.remove([name])).rejects.toMatchObject(refused)
  })
}
