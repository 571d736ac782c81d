import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, type TesseraClient } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type FakeInvokeAi, startFakeInvokeAi } from './fake-invokeai.ts'

let fake: FakeInvokeAi
let client: TesseraClient

beforeEach(async () => {
  fake = await startFakeInvokeAi()
  client = connect({ baseUrl: fake.url })
})

afterEach(() => fake.close())

/** Adds uncategorized images and returns their names, oldest first. */
const addImages = async (count: number): Promise<string[]> => {
  const { image_name } = await client.uploads.upload({ bytes: await drawFile('cat.png') })
  return [image_name, ...fake.library.addCopies(image_name, count - 1)]
}

describe('the client library with InvokeAI', () => {
  it('detects the server', async () => {
    const about = await client.server.capabilities()

    expect(about).toMatchObject({ server: 'invokeai', version: '6.14.2', extensions: [] })
  })

  it('creates, updates and deletes a board', async () => {
    const { boards } = client
    const handle = await boards.createBoard('Portraits')
    const { image_name } = await handle.uploadImageData(await drawFile('cat.png'))

    expect(await boards.getBoardById(handle.boardId)).toMatchObject({
      image_count: 1,
      description: null,
      starred: null,
      is_private: false,
    })
    expect(
      await boards.updateBoard(handle.boardId, { name: 'Faces', isPrivate: true }),
    ).toMatchObject({ board_name: 'Faces' })
    expect(await boards.deleteBoard(handle.boardId)).toBe(true)
    expect(await boards.deleteBoard(handle.boardId)).toBe(false)
    expect(await boards.getBoardById(handle.boardId)).toBeNull()
    expect(await boards.getUncategorizedHandle().listImages()).toEqual([image_name])
  })

  it('moves, stars, downloads and deletes an image', async () => {
    const { boards, images } = client
    const from = await boards.createBoard('From')
    const to = await boards.createBoard('To')
    const { image_name } = await from.uploadImageData(await drawFile('cat.png'))

    expect(await from.moveImageTo(image_name, to.boardId)).toBe(true)
    expect(await from.moveImageTo('gone.png', to.boardId)).toBe(false)
    expect(await from.moveImageTo(image_name, 'gone')).toBe(false)
    expect(await to.listImages()).toEqual([image_name])
    expect(await to.starImage(image_name)).toBe(true)
    expect(await to.starImage('gone.png')).toBe(false)
    expect((await to.downloadImage(image_name)).length).toBeGreaterThan(0)
    await expect(from.downloadImage(image_name)).rejects.toMatchObject({
      name: 'ImageNotOnBoardError',
    })
    expect(await to.removeImage(image_name)).toBe(true)
    expect(await to.removeImage('gone.png')).toBe(false)
    expect(await images.get(image_name)).toMatchObject({ board_id: null, thumbhash: null })
    expect(await to.deleteImageStrict(image_name)).toBe(true)
    expect(await to.deleteImage(image_name)).toBe(false)
    expect(await images.get(image_name)).toBeNull()
  })

  it('sorts and filters uncategorized images itself', async () => {
    const handle = client.boards.getUncategorizedHandle()
    const names: string[] = []
    for (const fileName of ['a.png', 'b.png', 'c.png']) {
      names.push((await handle.uploadImageData(await drawFile(fileName))).image_name)
    }
    await handle.starImage(names[1] ?? '')

    const newestFirst = await handle.listImages()
    expect(newestFirst.toSorted()).toEqual(names.toSorted())
    expect(await handle.listImages({ orderDir: 'ASC' })).toEqual(newestFirst.toReversed())
    expect(await handle.listImages({ offset: 1, limit: 1 })).toEqual([newestFirst[1]])
    expect((await handle.listImages({ starredFirst: true }))[0]).toBe(names[1])
    expect(await handle.getImageCount()).toBe(3)
  })

  it('finds the exact name of an image', async () => {
    const handle = client.boards.getUncategorizedHandle()
    const { image_name } = await handle.uploadImageData(await drawFile('cat.png'))
    const stem = image_name.replace('.png', '')

    expect(await client.boards.resolveImageName(stem)).toBe(image_name)
    expect(await client.boards.resolveImageName(`${stem}.webp`)).toBe(image_name)
    expect(await client.boards.resolveImageName('gone')).toBeNull()
  })

  it('changes many images at once', async () => {
    const board = await client.boardOperations.create('Many')
    const handle = client.boards.getUncategorizedHandle()
    const { image_name } = await handle.uploadImageData(await drawFile('cat.png'))

    const moved = await client.images.move([image_name], board.board_id)
    expect(moved.moved_images).toEqual([image_name])
    expect((await client.images.move([image_name], 'none')).moved_images).toEqual([image_name])
    expect((await client.images.star([image_name])).starred_images).toEqual([image_name])
    expect((await client.images.delete([image_name])).deleted_images).toEqual([image_name])
  })

  it("splits lists that exceed InvokeAI's limit", async () => {
    const board = await client.boardOperations.create('Many')
    const names = await addImages(1200)

    expect((await client.images.getMany(names)).length).toBe(1200)
    expect((await client.images.star(names)).starred_images).toEqual(names)
    expect((await client.images.unstar(names)).unstarred_images).toEqual(names)
    expect((await client.images.move(names, board.board_id)).moved_images).toEqual(names)
    expect((await client.images.move(names, 'none')).moved_images).toEqual(names)
    const zip = client.downloads.startBulkDownload({ imageNames: names })
    await expect(zip).rejects.toThrow('One zip takes at most 1000 images, not 1200.')
    expect((await client.images.delete(names)).deleted_images).toEqual(names)
  })

  it("omits names that exceed InvokeAI's limit", async () => {
    const [name = ''] = await addImages(1)

    expect((await client.images.star([name, 'a'.repeat(256)])).starred_images).toEqual([name])
  })

  it.each([undefined, ':'])('lists more than 1,000 images, search term %s', async (searchTerm) => {
    const names = await addImages(1200)
    const uncategorized = client.boards.getUncategorizedHandle()

    expect(new Set(await uncategorized.listImages({ limit: -1, searchTerm }))).toEqual(
      new Set(names),
    )
    const board = await client.boards.createBoard('Many')
    await client.images.move(names, board.boardId)
    expect((await board.listImages({ limit: -1, searchTerm })).length).toBe(1200)
    expect((await board.listImages({ offset: 100, limit: 1050, searchTerm })).length).toBe(1050)
  })

  it('reports features that InvokeAI does not have', async () => {
    const trashing = client.trash.trashImages(['cat.png'])
    await expect(trashing).rejects.toMatchObject({ code: 'method_not_allowed' })

    const listing = client.trash.list({ offset: 0, limit: 10 })
    await expect(listing).rejects.toMatchObject({ code: 'not_found' })
  })

  it('reports why a file was refused', async () => {
    const refused = client.uploads.upload({ bytes: new Blob(['text'], { type: 'image/png' }) })

    await expect(refused).rejects.toMatchObject({ name: 'RefusedError', status: 415 })
  })
})
