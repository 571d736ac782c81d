import { expect, test } from 'vitest'
import { shareLibrary } from '#testing/library/open-library.ts'
import { listOf, newImage } from '#testing/ports/new-image.ts'
import { BoardService } from './board-service.ts'

const getLibrary = shareLibrary()

const open = () => {
  const library = getLibrary()
  return { ...library, service: new BoardService(library, library.removal) }
}

test('creates a shared board unless a private one is requested', async () => {
  const { service } = open()

  const shared = await service.create({ board_name: 'Shared' })
  const hidden = await service.create({ board_name: 'Private', is_private: true })

  expect(shared).toMatchObject({ board_visibility: 'shared', is_private: false })
  expect(hidden).toMatchObject({ board_visibility: 'private', is_private: true })
})

test.each(['nowhere', 'none'])('refuses the board %s as not found', async (boardId) => {
  const { service } = open()
  const refused = expect.objectContaining({ code: 'board_not_found' })

  await expect(service.get(boardId)).rejects.toEqual(refused)
  await expect(service.update(boardId, { board_name: 'x' })).rejects.toEqual(refused)
  await expect(service.delete(boardId, { images: 'keep' })).rejects.toEqual(refused)
})

test('refuses an unknown cover image', async () => {
  const { service } = open()
  const { board_id } = await service.create({ board_name: 'Board' })

  await expect(service.update(board_id, { cover_image_name: 'x.png' })).rejects.toMatchObject({
    code: 'cover_image_not_found',
  })
})

test('lists names newest first and refuses an unknown board', async () => {
  const { service, images } = open()
  const { board_id } = await service.create({ board_name: 'Board' })
  for (const name of ['old.png', 'new.png']) await images.add(newImage(name, { board_id }))

  expect(await listOf(await service.imageNames(board_id))).toEqual(['new.png', 'old.png'])
  const oldestFirst = await service.imageNames(board_id, { orderDir: 'ASC' })
  expect(await listOf(oldestFirst)).toEqual(['old.png', 'new.png'])
  await expect(service.imageNames('nowhere')).rejects.toMatchObject({ code: 'board_not_found' })
  expect(await listOf(await service.imageNames('none'))).toEqual([])
})
