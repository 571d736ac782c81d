import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RefusedError } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** Creates a board with one image for each name. */
const boardWith = async (name: string, ...fileNames: string[]) => {
  const handle = await server.client.boards.createBoard(name)
  const imageNames: string[] = []
  for (const fileName of fileNames) {
    server.clock.advance(1000)
    const image = await handle.uploadImageData(await drawFile(fileName), { filename: fileName })
    imageNames.push(image.image_name)
  }
  return { handle, imageNames }
}

describe('boards', () => {
  it('creates, finds by id and by name, renames and deletes boards', async () => {
    const { boards } = server.client
    const handle = await boards.createBoard('Life')

    expect(await boards.getBoardById(handle.boardId)).toMatchObject({
      board_name: 'Life',
      image_count: 0,
      description: null,
    })
    expect(await boards.getBoardHandleByName('Life')).toMatchObject({ boardId: handle.boardId })

    expect(await boards.updateBoard(handle.boardId, { name: 'Still life' })).toMatchObject({
      board_name: 'Still life',
    })
    await handle.refresh()
    expect(handle.boardName).toBe('Still life')

    expect(await boards.deleteBoard(handle.boardId)).toBe(true)
    expect(await boards.deleteBoard(handle.boardId)).toBe(false)
    expect(await boards.getBoardById(handle.boardId)).toBeNull()
    expect(await boards.updateBoard(handle.boardId, { name: 'Gone' })).toBeNull()
  })

  it('keeps the privacy of boards and filters out private boards in list_boards', async () => {
    const { boards } = server.client
    const secret = await boards.createBoard('Secret', { isPrivate: true })

    const idsOf = async (all: boolean) =>
      (await boards.listBoards({ all })).map((board) => board.board_id)
    expect(await idsOf(true)).toContain(secret.boardId)
    expect(await idsOf(false)).not.toContain(secret.boardId)

    expect(await boards.updateBoard(secret.boardId, { isPrivate: false })).toMatchObject({
      is_private: false,
      board_name: 'Secret',
    })
    expect(await idsOf(false)).toContain(secret.boardId)
  })

  it('rejects a name that is too long', async () => {
    const { boards } = server.client

    await expect(boards.createBoard('x'.repeat(301))).rejects.toBeInstanceOf(RefusedError)
    expect(await boards.getBoardsByName('x'.repeat(301))).toEqual([])
  })

  it('moves images to the uncategorized board when a board is deleted', async () => {
    const { boards, images } = server.client
    const { handle, imageNames } = await boardWith('Left', 'left.png')
    const before = await boards.getUncategorizedBoard()

    await boards.deleteBoard(handle.boardId)

    expect(await images.get(imageNames[0] ?? '')).toMatchObject({ board_id: null })
    expect((await boards.getUncategorizedBoard()).image_count).toBe(before.image_count + 1)
  })

  it('deletes the images of a board on request', async () => {
    const { boards, images } = server.client
    const { handle, imageNames } = await boardWith('Taken', 'taken.png')

    await boards.deleteBoard(handle.boardId, { deleteImages: true })

    expect(await images.get(imageNames[0] ?? '')).toBeNull()
  })
})

describe('images of a board', () => {
  it('lists them newest first, or in the requested order', async () => {
    const { handle, imageNames } = await boardWith('Listed', 'one.png', 'two.png', 'three.png')
    const [one = '', two = '', three = ''] = imageNames
    await handle.starImage(one)

    expect(await handle.listImages()).toEqual([three, two, one])
    expect(await handle.listImages({ orderDir: 'ASC' })).toEqual([one, two, three])
    expect(await handle.listImages({ starredFirst: true })).toEqual([one, three, two])
    expect(await handle.listImages({ offset: 1, limit: 1 })).toEqual([two])
    expect(await handle.listImages({ limit: 0 })).toEqual([])
    expect(await handle.getImageCount()).toBe(3)
  })

  it('leaves intermediates out of the count but includes them in the list', async () => {
    const { handle } = await boardWith('Counted', 'counted.png')
    await handle.uploadImageData(await drawFile('between.png'), { isIntermediate: true })

    expect(await handle.getImageCount()).toBe(1)
    expect(await handle.listImages()).toHaveLength(2)
  })

  it('moves them to another board, removes them from it, and moves them back', async () => {
    const { boards, images } = server.client
    const { handle, imageNames } = await boardWith('From', 'moving.png')
    const { handle: target } = await boardWith('To')
    const [name = ''] = imageNames
    const boardOf = async () => (await images.get(name))?.board_id

    expect(await handle.moveImageTo(name, target.boardId)).toBe(true)
    expect(await boardOf()).toBe(target.boardId)

    expect(await target.removeImage(name)).toBe(true)
    expect(await boardOf()).toBeNull()
    expect(await boards.getUncategorizedHandle().listImages()).toContain(name)

    const uncategorized = boards.getUncategorizedHandle()
    expect(await uncategorized.removeImage(name)).toBe(false)
    expect(await uncategorized.moveImageTo(name, handle.boardId)).toBe(true)
    expect(await handle.moveImageTo(name, 'none')).toBe(true)
    expect(await handle.moveImageTo(name, 'gone')).toBe(false)
    expect(await handle.moveImageTo('gone.png', target.boardId)).toBe(false)
  })

  it('stars and unstars them', async () => {
    const { images } = server.client
    const { handle, imageNames } = await boardWith('Starred', 'star.png')
    const [name = ''] = imageNames

    expect(await handle.starImage(name)).toBe(true)
    expect(await images.get(name)).toMatchObject({ starred: true })
    expect(await handle.unstarImage(name)).toBe(true)
    expect(await images.get(name)).toMatchObject({ starred: false })
    expect(await handle.starImage('gone.png')).toBe(false)
  })

  it('downloads them as uploaded, or reduced', async () => {
    const { handle } = await boardWith('Downloaded')
    const file = await drawFile('download.png', { widthPx: 800, heightPx: 600 })
    const { image_name } = await handle.uploadImageData(file)

    const full = await handle.downloadImage(image_name)
    expect(full).toEqual(new Uint8Array(await file.arrayBuffer()))

    const thumbnail = await handle.downloadImage(image_name, { fullResolution: false })
    expect(new TextDecoder().decode(thumbnail.slice(8, 12))).toBe('WEBP')
  })

  it('does not download an image through a different board', async () => {
    const { handle } = await boardWith('Own', 'own.png')
    const { imageNames } = await boardWith('Other', 'other.png')

    await expect(handle.downloadImage(imageNames[0] ?? '')).rejects.toMatchObject({
      name: 'ImageNotOnBoardError',
    })
  })

  it('deletes an image only once', async () => {
    const { handle, imageNames } = await boardWith('Deleted', 'deleted.png', 'strictly.png')
    const [name = '', second = ''] = imageNames

    expect(await handle.deleteImage(name)).toBe(true)
    expect(await handle.deleteImage(name)).toBe(false)
    expect(await handle.deleteImageStrict(second)).toBe(true)
    await expect(handle.deleteImageStrict(second)).rejects.toMatchObject({
      name: 'ImageNotFoundError',
    })
  })
})

it('lets the server sort and filter the names of uncategorized images', async () => {
  const { boards, server: about } = server.client
  const handle = boards.getUncategorizedHandle()
  const first = await handle.uploadImageData(await drawFile('first.png'))
  server.clock.advance(1000)
  const last = await handle.uploadImageData(await drawFile('last.png'))

  expect(await about.has('ordered_image_names')).toBe(true)
  expect((await handle.listImages({ limit: 2 }))[0]).toBe(last.image_name)
  expect((await handle.listImages({ orderDir: 'ASC', limit: -1 })).at(-1)).toBe(last.image_name)
  expect(await handle.listImages({ offset: 1, limit: 1 })).toEqual([first.image_name])
})

describe('the exact name of an image', () => {
  it('is found with a different extension or by a prefix', async () => {
    const { boards } = server.client
    const handle = boards.getUncategorizedHandle()
    const { image_name } = await handle.uploadImageData(await drawFile('resolve.png'))
    const stem = image_name.slice(0, image_name.lastIndexOf('.'))

    expect(await boards.resolveImageName(image_name)).toBe(image_name)
    expect(await boards.resolveImageName(`${stem}.jpg`)).toBe(image_name)
    expect(await boards.resolveImageName(stem)).toBe(image_name)
    expect(await boards.resolveImageName('no-such-image.png')).toBeNull()
  })
})
