import { expect, test } from 'vitest'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { jsonOf, newImage } from '#testing/ports/new-image.ts'
import { ImageService } from './image-service.ts'

const getLibrary = shareLibrary()

const open = () => {
  const library = getLibrary()
  return { ...library, service: new ImageService(library, library.removal) }
}

const view = { orderBy: 'created_at', orderDir: 'DESC', starredFirst: false } as const

test('refuses an unknown image in every method that reads or moves it', async () => {
  const { service, boards } = open()
  const { board_id } = await boards.create({ board_name: 'Board', board_visibility: 'shared' })
  const refused = expect.objectContaining({ code: 'image_not_found' })

  await expect(service.get('x.png')).rejects.toEqual(refused)
  await expect(service.metadataJson('x.png')).rejects.toEqual(refused)
  await expect(service.workflowJson('x.png')).rejects.toEqual(refused)
  await expect(service.position(view, 'x.png')).rejects.toEqual(refused)
  await expect(service.page(view, { after: 'x.png', limit: 1 })).rejects.toEqual(refused)
  await expect(service.addOneToBoard('x.png', board_id)).rejects.toEqual(refused)
  await expect(service.removeOneFromBoard('x.png')).rejects.toEqual(refused)
})

test('refuses to update or delete an unknown image', async () => {
  const { service } = open()
  const nothing = { affected_boards: [], deleted_images: [], failed_images: [] }

  await expect(service.update('x.png', {})).rejects.toMatchObject({ code: 'image_update_failed' })
  await expect(service.deleteOne('x.png')).rejects.toMatchObject({ code: 'image_not_found' })
  expect(await service.delete(['x.png'])).toEqual(nothing)
})

test('refuses an unknown board and `none` as targets', async () => {
  const { service, images } = open()
  await images.add(newImage('target.png'))

  for (const boardId of ['nowhere', 'none'])
    await expect(service.addToBoard(['target.png'], boardId)).rejects.toMatchObject({
      code: 'board_not_found',
    })
})

test('refuses more names than fit in a request', async () => {
  const { service } = open()
  const names = Array.from({ length: MAX_NAMES_PER_REQUEST + 1 }, () => 'x.png')
  const refused = expect.objectContaining({ code: 'too_many_names' })

  await expect(service.listByNames(names)).rejects.toEqual(refused)
  await expect(service.star(names)).rejects.toEqual(refused)
  await expect(service.unstar(names)).rejects.toEqual(refused)
  await expect(service.addToBoard(names, 'none')).rejects.toEqual(refused)
  await expect(service.removeFromBoard(names)).rejects.toEqual(refused)
  await expect(service.delete(names)).rejects.toEqual(refused)
  expect(await service.listByNames(names.slice(1))).toEqual([])
})

test("returns InvokeAI's own metadata object or the normal form", async () => {
  const { service, images } = open()
  const normal = { generator: 'invokeai', prompt: 'a fox' } as never
  await images.add(newImage('both.png', { metadata: { invokeai: '{"seed": 1.0}', normal } }))
  await images.add(newImage('normal.png', { metadata: { normal } }))
  const ofGraph = { generator: 'invokeai', raw: { invokeai_graph: '{}' } } as never
  await images.add(newImage('made.png', { metadata: { normal: ofGraph } }))
  await images.add(newImage('nothing.png'))

  const read = async (imageName: string, form?: 'normal') =>
    jsonOf(await service.metadataJson(imageName, form))
  expect(await read('both.png')).toBe('{"seed": 1.0}')
  expect(await read('both.png', 'normal')).toBe(JSON.stringify(normal))
  expect(await read('normal.png')).toBe(JSON.stringify(normal))
  expect(await read('nothing.png')).toBe('null')
  expect(await read('made.png')).toBeNull()
  expect(await read('made.png', 'normal')).toBe(JSON.stringify(ofGraph))
})

test('stars and unstars images with the field names of the API', async () => {
  const { service, images } = open()
  await images.add(newImage('star.png'))

  expect(await service.star(['star.png'])).toEqual({
    affected_boards: ['none'],
    starred_images: ['star.png'],
    failed_images: [],
  })
  expect(await service.unstar(['star.png'])).toMatchObject({ unstarred_images: ['star.png'] })
  expect(await service.get('star.png')).toMatchObject({ starred: false })
})
