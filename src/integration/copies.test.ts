import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImageRecord } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { hashOfImage, sha256 } from './library-consistency.ts'

let server: RunningServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const upload = async (fileName: string, kind: PictureKind = 'invokeai'): Promise<ImageRecord> => {
  server.clock.advance(1000)
  const file = await drawFile(fileName, { kind })
  const takenAt = '2020-05-06T07:08:09.000Z'
  return server.client.uploads.upload({ bytes: file, fileName, takenAt })
}

/** Copies an image to a new board. */
const copyOf = async ({ image_name }: ImageRecord): Promise<ImageRecord> => {
  const board = await server.client.boardOperations.create('Copies')
  server.clock.advance(1000)
  const { copied_images } = await server.client.images.copy([image_name], board.board_id)
  const copy = await server.client.images.get(copied_images[0]?.image_name ?? '')
  if (copy === null) throw new Error(`${image_name} was not copied`)
  return copy
}

const fileOf = (folder: string, imageName: string, ending = '') =>
  stat(join(server.dataFolder, folder, imageName.slice(34, 36), imageName + ending))

test.each<[PictureKind, string]>([
  ['invokeai', 'invokeai.png'],
  ['a1111', 'a1111.png'],
  ['comfyui', 'comfyui.png'],
  ['photo', 'photo.jpg'],
])('keeps everything but name, board and date when copying a %s image', async (kind, fileName) => {
  const { images } = server.client
  const uploaded = await upload(fileName, kind)
  await images.star([uploaded.image_name])
  const original = await images.get(uploaded.image_name)

  const copy = await copyOf(uploaded)

  const own = { image_name: copy.image_name, board_id: copy.board_id }
  const urls = { image_url: copy.image_url, thumbnail_url: copy.thumbnail_url }
  const arrival = { created_at: copy.created_at, updated_at: copy.updated_at }
  expect(copy).toEqual({ ...original, ...own, ...urls, ...arrival })
  expect(copy).toMatchObject({ starred: true, file_name: fileName })
  expect(copy.image_name).not.toBe(uploaded.image_name)
  expect(copy.created_at > uploaded.created_at).toBe(true)
  expect(await images.metadata(copy.image_name)).toEqual(await images.metadata(uploaded.image_name))
  expect(await images.workflow(copy.image_name)).toEqual(await images.workflow(uploaded.image_name))
})

test('shares the bytes of a copy with the original', async () => {
  const original = await upload('shared.png')

  const copy = await copyOf(original)

  const bytes = new Uint8Array(
    await (await drawFile('shared.png', { kind: 'invokeai' })).arrayBuffer(),
  )
  expect(await hashOfImage(server.url, copy.image_name)).toBe(sha256(bytes))
  const [ofOriginal, ofCopy] = [
    await fileOf('images', original.image_name),
    await fileOf('images', copy.image_name),
  ]
  expect(ofCopy.ino).toBe(ofOriginal.ino)
  const thumbnail = await fileOf('thumbnails/384', copy.image_name, '.webp')
  expect(thumbnail.ino).toBe((await fileOf('thumbnails/384', original.image_name, '.webp')).ino)
})

test('keeps the other file readable when one of the two is permanently deleted', async () => {
  const [first, second] = [await upload('first.png'), await upload('second.png')]
  const [copyOfFirst, copyOfSecond] = [await copyOf(first), await copyOf(second)]
  const hashes = [first.content_hash, second.content_hash]

  await server.client.images.delete([first.image_name, copyOfSecond.image_name])
  await server.restart()

  expect(await hashOfImage(server.url, copyOfFirst.image_name)).toBe(hashes[0])
  expect(await hashOfImage(server.url, second.image_name)).toBe(hashes[1])
})

test('finds the original and the copy by prompt, seed and file name', async () => {
  const original = await upload('lighthouse 77.png', 'a1111')
  const metadata = await server.client.images.metadata(original.image_name)

  const copy = await copyOf(original)

  const names = [copy.image_name, original.image_name]
  for (const query of [metadata?.prompt, String(metadata?.seed), 'lighthouse 77']) {
    const found = await server.client.images.names({ query: query ?? '' })
    expect(found.image_names).toEqual(names)
  }
  const bySubstring = await server.client.images.names({ searchTerm: String(metadata?.seed) })
  expect(bySubstring.image_names).toEqual(names)
})

test('dates copies in the order of the names and copies each image once', async () => {
  const { client } = server
  const board = await client.boardOperations.create('Ordered')
  const originals = [await upload('1.png'), await upload('2.png'), await upload('3.png')]
  const names = originals.map(({ image_name }) => image_name)

  const result = await client.images.copy([...names, ...names], board.board_id)

  expect(result.copied_images.map(({ copy_of }) => copy_of)).toEqual(names)
  const page = await client.images.page({ boardId: board.board_id }, { offset: 0, limit: -1 })
  expect(page.items.map(({ file_name }) => file_name)).toEqual(['3.png', '2.png', '1.png'])
  expect(result).toMatchObject({ affected_boards: [board.board_id], failed_images: [] })
})

test('reports images that cannot be copied and copies the others', async () => {
  const { client } = server
  const [good, trashed, lost] = [
    await upload('good.png'),
    await upload('trashed.png'),
    await upload('lost.png'),
  ]
  await client.trash.trashImages([trashed.image_name])
  await unlink(join(server.dataFolder, 'images', lost.image_name.slice(34, 36), lost.image_name))
  const failed = ['unknown.png', trashed.image_name, lost.image_name]

  const result = await client.images.copy([...failed, good.image_name], UNCATEGORIZED_BOARD_ID)

  expect(result.failed_images).toEqual(failed)
  expect(result.copied_images).toMatchObject([{ copy_of: good.image_name }])
  const copy = await client.images.get(result.copied_images[0]?.image_name ?? '')
  expect(copy).toMatchObject({ board_id: null, file_name: 'good.png' })
})

test.each(['unknown', ''])('rejects copying to the board %j', async (boardId) => {
  const { image_name } = await upload('stays.png')

  const copying = server.client.images.copy([image_name], boardId)

  await expect(copying).rejects.toMatchObject({ code: 'board_not_found' })
})
