import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { ConnectionError, GalleryError, ImageNotOnBoardError } from '#client/errors.ts'
import {
  boardAnswer,
  FakeFetch,
  imageAnswer,
  json,
  pageOf,
  type Routes,
  refusal,
} from '#testing/fake-fetch.ts'
import type { BoardHandle } from './board-handle.ts'

const capabilities = {
  server: 'tessera',
  version: '0.1.0',
  extensions: ['ordered_image_names'],
  thumbnail_sizes: [],
  limits: { requests_per_minute: null, batch_requests_per_minute: null },
}

const onBoard = async (
  boardId: string,
  routes: Routes,
): Promise<{ server: FakeFetch; handle: BoardHandle }> => {
  const server = new FakeFetch({
    'GET /api/v1/boards/b1': () => boardAnswer({ board_id: 'b1', board_name: 'Portraits' }),
    'GET /api/v1/app/capabilities': () => capabilities,
    ...routes,
  })
  const openFile = async (filePath: string) => ({
    bytes: new Blob(['png'], { type: 'image/png' }),
    fileName: filePath.split('/').at(-1) ?? '',
  })
  const { boards } = connect({ baseUrl: 'http://gallery.test', fetch: server.fetch, openFile })
  const handle = await boards.getBoardHandle(boardId)
  server.requests.length = 0
  return { server, handle }
}

const noAnswer = () => {
  throw new TypeError('fetch failed')
}

const deletion = (...deleted_images: string[]) => ({ affected_boards: ['b1'], deleted_images })
const addition = (...added_images: string[]) => ({ affected_boards: ['b1', 'b2'], added_images })
const removal = (...removed_images: string[]) => ({ affected_boards: ['b1'], removed_images })

describe('the members of a handle (spec 2.2)', () => {
  it('has board_id, board_name and is_uncategorized of a board', async () => {
    const { handle } = await onBoard('b1', {})

    expect(handle.boardId).toBe('b1')
    expect(handle.boardName).toBe('Portraits')
    expect(handle.isUncategorized).toBe(false)
  })

  it('has board_id none for the uncategorized board', async () => {
    const { handle } = await onBoard('none', {})

    expect(handle.boardId).toBe('none')
    expect(handle.boardName).toBe('Assets')
    expect(handle.isUncategorized).toBe(true)
  })
})

describe('refresh (spec 4.3)', () => {
  it('reads the name of the board anew and returns nothing', async () => {
    const names = ['Portraits', 'Faces']
    const { handle } = await onBoard('b1', {
      'GET /api/v1/boards/b1': () =>
        boardAnswer({ board_id: 'b1', board_name: names.shift() ?? '' }),
    })

    expect(await handle.refresh()).toBeUndefined()
    expect(handle.boardName).toBe('Faces')
  })

  it('forgets which images were on the board', async () => {
    const lists = [['cat.png'], []]
    const { handle } = await onBoard('none', {
      'GET /api/v1/boards/none/image_names': () => lists.shift() ?? [],
      'GET /api/v1/images/i/cat.png/full': () => new Response('bytes'),
    })

    await handle.downloadImage('cat.png')
    await handle.refresh()

    await expect(handle.downloadImage('cat.png')).rejects.toBeInstanceOf(ImageNotOnBoardError)
  })
})

describe('list_images of a named board (spec 4.3)', () => {
  const listing = () =>
    onBoard('b1', {
      'GET /api/v1/images/': () =>
        pageOf(imageAnswer({ image_name: 'b.png' }), imageAnswer({ image_name: 'a.png' })),
    })

  it('gives names in the order of the server', async () => {
    const { handle } = await listing()

    expect(await handle.listImages()).toEqual(['b.png', 'a.png'])
  })

  it('begins at 0, takes 100, newest first, stars not first, unfiltered, intermediates included', async () => {
    const { handle, server } = await listing()

    await handle.listImages()

    expect(server.lines).toEqual([
      'GET /api/v1/images/?board_id=b1&order_dir=DESC&starred_first=false&limit=100&offset=0',
    ])
  })

  test.each([
    [{ offset: 20 }, 'offset', '20'],
    [{ limit: 5 }, 'limit', '5'],
    [{ orderDir: 'ASC' }, 'order_dir', 'ASC'],
    [{ starredFirst: true }, 'starred_first', 'true'],
    [{ searchTerm: 'a cat' }, 'search_term', 'a cat'],
  ] as const)('passes on %o', async (options, key, value) => {
    const { handle, server } = await listing()

    await handle.listImages(options)

    expect(server.requests[0]?.query.get(key)).toBe(value)
  })

  test.each([
    [{ orderBy: 'image_name' }, 'orderBy'],
    [{ orderDir: 'desc' }, 'orderDir'],
  ])('throws for an order that nobody knows: %o', async (options, name) => {
    const { handle, server } = await listing()

    await expect(handle.listImages(options as object)).rejects.toThrow(name)
    expect(server.lines).toEqual([])
  })
})

describe('list_images of the uncategorized board (spec 4.3, rule 2)', () => {
  it('reads boards/none/image_names, which our server orders and cuts', async () => {
    const { handle, server } = await onBoard('none', {
      'GET /api/v1/boards/none/image_names': () => ['b.png', 'a.png'],
    })

    expect(await handle.listImages({ searchTerm: 'cat' })).toEqual(['b.png', 'a.png'])
    expect(server.lines.at(-1)).toBe(
      'GET /api/v1/boards/none/image_names?offset=0&limit=100&order_by=created_at' +
        '&order_dir=DESC&starred_first=false&search_term=cat',
    )
  })
})

describe('upload_image and upload_image_data (spec 4.3)', () => {
  const uploading = (boardId: string) =>
    onBoard(boardId, {
      'POST /api/v1/images/upload': () => json(imageAnswer({ image_name: 'new.png' }), 201),
    })

  it('sends the file that the opener opened, under its name', async () => {
    const { handle, server } = await uploading('b1')

    const image = await handle.uploadImage('/pictures/cat.png')

    expect(image.image_name).toBe('new.png')
    const file = server.requests[0]?.parts?.get('file') as File
    expect(file).toMatchObject({ name: 'cat.png', type: 'image/png' })
  })

  it('is not intermediate, of category user and of no session, unless told', async () => {
    const { handle, server } = await uploading('b1')

    await handle.uploadImage('cat.png')

    expect(server.lines).toEqual([
      'POST /api/v1/images/upload?image_category=user&is_intermediate=false&board_id=b1',
    ])
  })

  it('passes on what it is told', async () => {
    const { handle, server } = await uploading('b1')

    await handle.uploadImageData(new Uint8Array([1, 2]), {
      filename: 'cat.jpg',
      isIntermediate: true,
      imageCategory: 'control',
      sessionId: 's1',
    })

    expect(server.requests[0]?.query.toString()).toBe(
      'image_category=control&is_intermediate=true&board_id=b1&session_id=s1',
    )
    const file = server.requests[0]?.parts?.get('file') as File
    expect(file).toMatchObject({ name: 'cat.jpg', type: 'image/jpeg', size: 2 })
  })

  it('never sends board_id for the uncategorized board (rule 1)', async () => {
    const { handle, server } = await uploading('none')

    await handle.uploadImage('cat.png')
    await handle.uploadImageData(new Blob(['x']), { filename: null })

    expect(server.requests.map(({ query }) => query.has('board_id'))).toEqual([false, false])
  })

  it('needs an opener for files by path', async () => {
    const { boards } = connect({ baseUrl: 'http://gallery.test', fetch: new FakeFetch({}).fetch })

    const upload = boards.getUncategorizedHandle().uploadImage('cat.png')

    await expect(upload).rejects.toBeInstanceOf(GalleryError)
  })

  it('throws what the server refuses', async () => {
    const { handle } = await onBoard('b1', {
      'POST /api/v1/images/upload': () => refusal(415, 'Not an image'),
    })

    await expect(handle.uploadImageData(new Blob(['text']))).rejects.toMatchObject({
      code: 'not_an_image',
      detail: 'Not an image',
    })
  })
})

describe('download_image (spec 4.3, rule 3; 7)', () => {
  const downloading = () =>
    onBoard('b1', {
      'GET /api/v1/boards/b1/image_names': () => ['cat.png'],
      'GET /api/v1/images/i/cat.png/full': () => new Response('full'),
      'GET /api/v1/images/i/cat.png/thumbnail': () => new Response('thumbnail'),
    })
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

  it('gives the full resolution unless told otherwise', async () => {
    const { handle } = await downloading()

    expect(textOf(await handle.downloadImage('cat.png'))).toBe('full')
  })

  it('gives the thumbnail when the full resolution is not wanted', async () => {
    const { handle } = await downloading()

    const bytes = await handle.downloadImage('cat.png', { fullResolution: false })

    expect(textOf(bytes)).toBe('thumbnail')
  })

  it('raises an error for an image of another board, and fetches nothing', async () => {
    const { handle, server } = await downloading()

    await expect(handle.downloadImage('dog.png')).rejects.toMatchObject({
      name: 'ImageNotOnBoardError',
      imageName: 'dog.png',
      boardId: 'b1',
    })
    expect(server.lines).toEqual(['GET /api/v1/boards/b1/image_names'])
  })

  it('checks against the complete list, read once (wire 11, row 7)', async () => {
    const { handle, server } = await downloading()

    await handle.downloadImage('cat.png')
    await handle.downloadImage('cat.png')

    expect(server.lines.filter((line) => line.endsWith('image_names'))).toHaveLength(1)
  })

  it('reads the list once more when the name is not in it', async () => {
    const lists = [['cat.png'], ['cat.png', 'new.png']]
    const { handle } = await onBoard('b1', {
      'GET /api/v1/boards/b1/image_names': () => lists.shift() ?? [],
      'GET /api/v1/images/i/cat.png/full': () => new Response('full'),
      'GET /api/v1/images/i/new.png/full': () => new Response('new'),
    })

    await handle.downloadImage('cat.png')

    expect(textOf(await handle.downloadImage('new.png'))).toBe('new')
  })
})

describe('move_image_to (spec 3, 4.3 rule 5)', () => {
  const moving = (answer: () => unknown) =>
    onBoard('b1', {
      'POST /api/v1/board_images/': answer,
      'DELETE /api/v1/board_images/': () => json(removal('cat.png'), 201),
    })

  it('moves the image to the board and answers true', async () => {
    const { handle, server } = await moving(() => json(addition('cat.png'), 201))

    expect(await handle.moveImageTo('cat.png', 'b2')).toBe(true)
    expect(server.lines).toEqual([
      'POST /api/v1/board_images/ {"board_id":"b2","image_name":"cat.png"}',
    ])
  })

  it('makes the image uncategorized when the target is none', async () => {
    const { handle, server } = await moving(() => json(addition('cat.png'), 201))

    expect(await handle.moveImageTo('cat.png', 'none')).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/board_images/ {"image_name":"cat.png"}'])
  })

  test.each([
    [404, 'Board not found'],
    [404, 'Not Found'],
    [500, 'Failed to add image to board'],
  ])('answers false when the server says %i %s', async (status, detail) => {
    const { handle } = await moving(() => refusal(status, detail))

    expect(await handle.moveImageTo('cat.png', 'b2')).toBe(false)
  })

  it('is no longer an image of this board', async () => {
    const { handle } = await onBoard('b1', {
      'GET /api/v1/boards/b1/image_names': () => names.splice(0),
      'GET /api/v1/images/i/cat.png/full': () => new Response('full'),
      'POST /api/v1/board_images/': () => json(addition('cat.png'), 201),
    })
    const names = ['cat.png']
    await handle.downloadImage('cat.png')

    await handle.moveImageTo('cat.png', 'b2')

    await expect(handle.downloadImage('cat.png')).rejects.toBeInstanceOf(ImageNotOnBoardError)
  })
})

describe('remove_image (spec 3, 4.3 rule 5)', () => {
  it('makes the image uncategorized', async () => {
    const { handle, server } = await onBoard('b1', {
      'DELETE /api/v1/board_images/': () => json(removal('cat.png'), 201),
    })

    expect(await handle.removeImage('cat.png')).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/board_images/ {"image_name":"cat.png"}'])
  })

  test.each([
    [404, 'Not Found'],
    [500, 'Failed to remove image from board'],
  ])('answers false when the server says %i %s', async (status, detail) => {
    const { handle } = await onBoard('b1', {
      'DELETE /api/v1/board_images/': () => refusal(status, detail),
    })

    expect(await handle.removeImage('cat.png')).toBe(false)
  })

  it('answers false on the uncategorized board, without a call (wire 11, row 26)', async () => {
    const { handle, server } = await onBoard('none', {})

    expect(await handle.removeImage('cat.png')).toBe(false)
    expect(server.lines).toEqual([])
  })
})

describe('delete_image (spec 3, 4.3 rule 4; 7)', () => {
  const deleting = (answer: () => unknown) =>
    onBoard('b1', { 'DELETE /api/v1/images/i/cat.png': answer })

  it('answers true when the name is in deleted_images', async () => {
    const { handle, server } = await deleting(() => deletion('cat.png'))

    expect(await handle.deleteImage('cat.png')).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/images/i/cat.png'])
  })

  test.each([
    ['deleted_images is empty', () => deletion()],
    ['another name was deleted', () => deletion('cat')],
    ['the status is 404', () => refusal(404, 'Not Found')],
  ])('answers false when %s', async (_, answer) => {
    const { handle } = await deleting(answer)

    expect(await handle.deleteImage('cat.png')).toBe(false)
  })

  it('throws when no answer comes', async () => {
    const { handle } = await deleting(noAnswer)

    await expect(handle.deleteImage('cat.png')).rejects.toBeInstanceOf(ConnectionError)
  })

  it('uses the name exactly as it is given, escaped in the address', async () => {
    const { handle, server } = await onBoard('b1', {
      'DELETE /api/v1/images/i/a b/ä?.png': () => deletion('a b/ä?.png'),
    })

    expect(await handle.deleteImage('a b/ä?.png')).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  test.each(['', '.', '..'])(
    'sends nothing for the name %j, which would name another path',
    async (name) => {
      const { handle, server } = await onBoard('b1', {})

      expect(await handle.deleteImage(name)).toBe(false)
      expect(server.lines).toEqual([])
    },
  )
})

describe('star_image and unstar_image (spec 3, 4.3 rule 6)', () => {
  const starring = () =>
    onBoard('b1', {
      'PATCH /api/v1/images/i/cat.png': ({ body }) =>
        imageAnswer({ starred: (body as { starred: boolean }).starred }),
    })

  it('sets the flag', async () => {
    const { handle, server } = await starring()

    expect(await handle.starImage('cat.png')).toBe(true)
    expect(server.lines).toEqual(['PATCH /api/v1/images/i/cat.png {"starred":true}'])
  })

  it('clears the flag', async () => {
    const { handle, server } = await starring()

    expect(await handle.unstarImage('cat.png')).toBe(true)
    expect(server.lines).toEqual(['PATCH /api/v1/images/i/cat.png {"starred":false}'])
  })

  it('answers false for an image that is not there', async () => {
    const { handle } = await onBoard('b1', {
      'PATCH /api/v1/images/i/cat.png': () => refusal(400, 'Failed to update image'),
    })

    expect(await handle.starImage('cat.png')).toBe(false)
    expect(await handle.unstarImage('cat.png')).toBe(false)
  })
})

describe('get_image_count (spec 4.3)', () => {
  test.each(['b1', 'none'])('counts the images of %s, intermediates left out', async (boardId) => {
    const { handle, server } = await onBoard(boardId, {
      'GET /api/v1/images/': () => ({ ...pageOf(), total: 42 }),
    })

    expect(await handle.getImageCount()).toBe(42)
    expect(server.lines).toEqual([
      `GET /api/v1/images/?board_id=${boardId}&is_intermediate=false&limit=0&offset=0`,
    ])
  })
})

describe('strict delete (spec 7)', () => {
  const found = () => imageAnswer()
  const gone = () => refusal(404, 'Not Found')
  const strictly = (checks: (() => unknown)[], deleted: () => unknown) =>
    onBoard('b1', {
      'GET /api/v1/images/i/cat.png': () => checks.shift()?.(),
      'DELETE /api/v1/images/i/cat.png': deleted,
    })

  it('answers true when the image was there and is deleted', async () => {
    const { handle } = await strictly([found], () => deletion('cat.png'))

    expect(await handle.deleteImageStrict('cat.png')).toBe(true)
  })

  test.each([404, 500])('throws ImageNotFoundError when the check says %i', async (status) => {
    const { handle, server } = await strictly([() => refusal(status, 'No')], () => deletion())

    await expect(handle.deleteImageStrict('cat.png')).rejects.toMatchObject({
      name: 'ImageNotFoundError',
      imageName: 'cat.png',
      cause: { status },
    })
    expect(server.lines).toEqual(['GET /api/v1/images/i/cat.png'])
  })

  it('throws DeletionFailedError when the image is still there', async () => {
    const { handle } = await strictly([found, found], () => deletion())

    await expect(handle.deleteImageStrict('cat.png')).rejects.toMatchObject({
      name: 'DeletionFailedError',
      imageName: 'cat.png',
    })
  })

  it('answers false when the image is gone by itself', async () => {
    const { handle } = await strictly([found, gone], gone)

    expect(await handle.deleteImageStrict('cat.png')).toBe(false)
  })

  test.each([
    ['first', [noAnswer]],
    ['second', [found, noAnswer]],
  ])('throws ConnectionError when the %s check gets no answer', async (_, checks) => {
    const { handle } = await strictly([...checks], gone)

    await expect(handle.deleteImageStrict('cat.png')).rejects.toBeInstanceOf(ConnectionError)
  })
})
