import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { newImage } from '#testing/ports/new-image.ts'
import { TrashService } from './trash-service.ts'

const getLibrary = shareLibrary()

const open = () => {
  const library = getLibrary()
  return { ...library, service: new TrashService(library, library.removal) }
}

test('refuses to trash unknown boards and the uncategorized one', async () => {
  const { service } = open()

  for (const boardId of ['nowhere', 'none'])
    await expect(service.trashBoard(boardId, { images: 'keep' })).rejects.toMatchObject({
      code: 'board_not_found',
    })
})

test('refuses more images and boards than fit in a request', async () => {
  const { service } = open()
  const names = Array.from({ length: MAX_NAMES_PER_REQUEST }, () => 'x.png')
  const refused = expect.objectContaining({ code: 'too_many_names' })

  await expect(service.trashImages([...names, 'x.png'])).rejects.toEqual(refused)
  await expect(service.restore({ imageNames: names, boardIds: ['x'] })).rejects.toEqual(refused)
})

test('restores a large board in parts before the named images', async () => {
  const { boards, images, trash, removal } = open()
  const board = { board_name: 'Large', board_visibility: 'private' } as const
  const { board_id } = await boards.create(board)
  const names = Array.from({ length: 3 }, () => `${v7()}.png`)
  for (const name of names) await images.add(newImage(name, { board_id }))
  const alone = names.pop() ?? ''
  await trash.trashImages([alone])
  await trash.trashBoard(board_id, { images: 'trash' })
  const counts: number[] = []
  const inSmallParts: typeof trash = {
    ...trash,
    restore: async (what) => {
      const part = await trash.restore({ ...what, maxImagesOfBoard: 1 })
      counts.push(part.restored_images.length)
      return part
    },
  }

  const service = new TrashService({ trash: inSmallParts }, removal)
  const restored = await service.restore({ imageNames: [alone], boardIds: [board_id] })

  expect(counts).toEqual([1, 1, 0, 1])
  expect(restored.restored_boards).toEqual([board_id])
  expect(restored.restored_images.toSorted()).toEqual([...names, alone].toSorted())
  expect(await boards.get(board_id)).toMatchObject({ image_count: 3 })
})

test('empties the trash whatever the age of its items', async () => {
  const { service, images, removal, upkeep } = open()
  const imageName = `${v7()}.png`
  await images.add(newImage(imageName))
  await service.trashImages([imageName])

  expect(await service.empty()).toEqual({ deleted_images: 1, deleted_boards: 0 })
  expect(await service.page({ offset: 0, limit: 1 })).toMatchObject({ total: 0, items: [] })
  await removal.waitUntilDone()
  expect(await upkeep.tombstones(1)).toEqual([])
})
