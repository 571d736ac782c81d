import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { ImageService } from '#server/core/images/image-service.ts'
import { type Library, openLibrary, shareLibrary } from '#testing/library/open-library.ts'
import { newImage } from '#testing/ports/new-image.ts'
import { FileRemoval } from './file-removal.ts'

const getLibrary = shareLibrary()

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield randomBytes(50)
}

/** Adds images with files and returns their names. */
const addFiles = async ({ files, images }: Library, count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, () => `${v7()}.png`)
  for (const name of names) {
    await files.keep([
      { incoming: await files.receive(someBytes(), { maxBytes: 100 }), imageName: name },
    ])
    await images.add(newImage(name))
  }
  return names
}

test('deletes files and thumbnails of deleted images and their tombstones', async () => {
  const library = getLibrary()
  const { pathOf, thumbnails, removal, upkeep } = library
  const [gone = '', kept = ''] = await addFiles(library, 2)
  await thumbnails.write(gone, 384, randomBytes(10))

  await new ImageService(library, removal).delete([gone])
  await removal.waitUntilDone()

  expect([gone, kept].map((name) => existsSync(pathOf(name)))).toEqual([false, true])
  expect(await thumbnails.read(gone, 384)).toBeNull()
  expect(await upkeep.tombstones(1)).toEqual([])
})

test('keeps the tombstone of a file it cannot delete and retries', async () => {
  const library = getLibrary()
  const { files, thumbnails, upkeep } = library
  const names = await addFiles(library, 1)
  const failures: unknown[] = []
  let isBroken = true
  const remove = async (imageNames: readonly string[]) => {
    if (isBroken) throw new Error('the disk is gone')
    await files.remove(imageNames)
  }
  const removal = new FileRemoval({
    upkeep,
    thumbnails,
    files: { ...files, remove },
    onFailure: (error) => failures.push(error),
  })

  await library.images.remove(names)
  removal.request()
  await removal.waitUntilDone()
  expect(failures).toHaveLength(1)
  expect(await upkeep.tombstones(9)).toEqual(names)

  isBroken = false
  removal.request()
  await removal.waitUntilDone()
  expect(await upkeep.tombstones(9)).toEqual([])
})

test('handles requests made during a deletion', async () => {
  const library = getLibrary()
  const { removal, images, upkeep } = library
  const [first = '', second = ''] = await addFiles(library, 2)

  await images.remove([first])
  removal.request()
  await images.remove([second])
  removal.request()
  await removal.waitUntilDone()

  expect(await upkeep.tombstones(9)).toEqual([])
})

test('leaves the rest to the next start after closing', async () => {
  const library = await openLibrary()
  const names = await addFiles(library, 1)

  await library.removal.close()
  await new ImageService(library, library.removal).delete(names)

  expect(await library.upkeep.tombstones(9)).toEqual(names)
})
