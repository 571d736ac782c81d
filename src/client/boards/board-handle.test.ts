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

describe('members', () => {
  it('has board_id, board_name and is_uncategorized of a board', async () => {
    const { handle } = await onBoard('b1', {})

    expect(handle.boardId).toBe('b1')
    expect(handle.boardName).toBe('Portraits')
    expect(handle.isUncategorized).toBe(false)
  })

  it('has the board_id none for the uncategorized board', async () => {
    const { handle } = await onBoard('none', {})

    expect(handle.boardId).toBe('none')
    expect(handle.boardName).toBe('Assets')
    expect(handle.isUncategorized).toBe(true)
  })
})

describe('refresh', () => {
  it('reads the name of the board again and returns nothing', async () => {
    const names = ['Portraits', 'Faces']
    const { handle } = await onBoard('b1', {
      'GET /api/v1/boards/b1': () =>
        boardAnswer({ board_id: 'b1', board_name: names.shift() ?? '' }),
    })

    expect(await handle.refresh()).toBeUndefined()
    expect(handle.boardName).toBe('Faces')
  })

  it('clears the cached image names', async () => {
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

describe('list_images of a named board', () => {
  const listing = () =>
    onBoard('b1', {
      'GET /api/v1/images/': () =>
        pageOf(imageAnswer({ image_name: 'b.png' }), imageAnswer({ image_name: 'a.png' })),
    })

  it('returns names in the order of the server', async () => {
    const { handle } = await listing()

    expect(await handle.listImages()).toEqual(['b.png', 'a.png'])
  })

  it('lists the 100 newest images by default, unfiltered and with intermediates', async () => {
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
  ])('throws for an invalid order: %o', async (options, name) => {
    const { handle, server } = await listing()

    await expect(handle.listImages(options as object)).rejects.toThrow(name)
    expect(server.lines).toEqual([])
  })
})

describe('list_images of the uncategorized board', () => {
  it('reads boards/none/image_names, which a Tessera sorts and slices', async () => {
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

describe('upload_image and upload_image_data', () => {
  const uploading = (boardId: string) =>
    onBoard(boardId, {
      'POST /api/v1/images/upload': () => json(imageAnswer({ image_name: 'new.png' }), 201),
    })

  it('sends the opened file under its name', async () => {
    const { handle, server } = await uploading('b1')

    const image = await handle.uploadImage('/pictures/cat.png')

    expect(image.image_name).toBe('new.png')
    const file = server.requests[0]?.parts?.get('file') as File
    expect(file).toMatchObject({ name: 'cat.png', type: 'image/png' })
  })

  it('sends category user, no session and is_intermediate=false by default', async () => {
    const { handle, server } = await uploading('b1')

    await handle.uploadImage('cat.png')

    expect(server.lines).toEqual([
      'POST /api/v1/images/upload?image_category=user&is_intermediate=false&board_id=b1',
    ])
  })

  it('sends the given options', async () => {
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

  it('never sends board_id for the uncategorized board', async () => {
    const { handle, server } = await uploading('none')

    await handle.uploadImage('cat.png')
    await handle.uploadImageData(new Blob(['x']), { filename: null })

    expect(server.requests.map(({ query }) => query.has('board_id'))).toEqual([false, false])
  })

  it('requires openFile for paths', async () => {
    const { boards } = connect({ baseUrl: 'http://gallery.test', fetch: new FakeFetch({}).fetch })

    const upload = boards.getUncategorizedHandle().uploadImage('cat.png')

    await expect(upload).rejects.toBeInstanceOf(GalleryError)
  })

  it('throws the refusal of the server', async () => {
    const { handle } = await onBoard('b1', {
      'POST /api/v1/images/upload': () => refusal(415, 'Not an image'),
    })

    await expect(handle.uploadImageData(new Blob(['text']))).rejects.toMatchObject({
      code: 'not_an_image',
      detail: 'Not an image',
    })
  })
})

describe('download_image', () => {
  const downloading = () =>
    onBoard('b1', {
      'GET /api/v1/boards/b1/image_names': () => ['cat.png'],
      'GET /api/v1/images/i/cat.png/full': () => new Response('full'),
      'GET /api/v1/images/i/cat.png/thumbnail': () => new Response('thumbnail'),
    })
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

  it('downloads the full resolution by default', async () => {
    const { handle } = await downloading()

    expect(textOf(await handle.downloadImage('cat.png'))).toBe('full')
  })

  it('downloads the thumbnail for fullResolution: false', async () => {
    const { handle } = await downloading()

    const bytes = await handle.downloadImage('cat.png', { fullResolution: false })

    expect(textOf(bytes)).toBe('thumbnail')
  })

  it('throws for an image of another board and downloads nothing', async () => {
    const { handle, server } = await downloading()

    await expect(handle.downloadImage('dog.png')).rejects.toMatchObject({
      name: 'ImageNotOnBoardError',
      imageName: 'dog.png',
      boardId: 'b1',
    })
    expect(server.lines).toEqual(['GET /api/v1/boards/b1/image_names'])
  })

  it('checks the complete list and reads it once', async () => {
    const { handle, server } = await downloading()

    await handle.downloadImage('cat.png')
    await handle.downloadImage('cat.png')

    expect(server.lines.filter((line) => line.endsWith('image_names'))).toHaveLength(1)
  })

  it('reads the list again if the name is missing', async () => {
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

describe('move_image_to', () => {
  const moving = (answer: () => unknown) =>
    onBoard('b1', {
      'POST /api/v1/board_images/': answer,
      'DELETE /api/v1/board_images/': () => json(removal('cat.png'), 201),
    })

  it('moves the image to the board and returns true', async () => {
    const { handle, server } = await moving(() => json(addition('cat.png'), 201))

    expect(await handle.moveImageTo('cat.png', 'b2')).toBe(true)
    expect(server.lines).toEqual([
      'POST /api/v1/board_images/ {"board_id":"b2","image_name":"cat.png"}',
    ])
  })

  it('makes the image uncategorized for the target none', async () => {
    const { handle, server } = await moving(() => json(addition('cat.png'), 201))

    expect(await handle.moveImageTo('cat.png', 'none')).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/board_images/ {"image_name":"cat.png"}'])
  })

  test.each([
    [404, 'Board not found'],
    [404, 'Not Found'],
    [500, 'Failed to add image to board'],
  ])('returns false for %i %s', async (status, detail) => {
    const { handle } = await moving(() => refusal(status, detail))

    expect(await handle.moveImageTo('cat.png', 'b2')).toBe(false)
  })

  it('removes the image from the cached names of this board', async () => {
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

describe('remove_image', () => {
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
  ])('returns false for %i %s', async (status, detail) => {
    const { handle } = await onBoard('b1', {
      'DELETE /api/v1/board_images/': () => refusal(status, detail),
    })

    expect(await handle.removeImage('cat.png')).toBe(false)
  })

  it('returns false on the uncategorized board without a request', async () => {
    const { handle, server } = await onBoard('none', {})

    expect(await handle.removeImage('cat.png')).toBe(false)
    expect(server.lines).toEqual([])
  })
})

describe('delete_image', () => {
  const deleting = (answer: () => unknown) =>
    onBoard('b1', { 'DELETE /api/v1/images/i/cat.png': answer })

  it('returns true if the name is in deleted_images', async () => {
    const { handle, server } = await deleting(() => deletion('cat.png'))

    expect(await handle.deleteImage('cat.png')).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/images/i/cat.png'])
  })

  test.each([
    ['deleted_images is empty', () => deletion()],
    ['another name was deleted', () => deletion('cat')],
    ['the status is 404', () => refusal(404, 'Not Found')],
  ])('returns false when %s', async (_, answer) => {
    const { handle } = await deleting(answer)

    expect(await handle.deleteImage('cat.png')).toBe(false)
  })

  it('throws without a response', async () => {
    const { handle } = await deleting(noAnswer)

    await expect(handle.deleteImage('cat.png')).rejects.toBeInstanceOf(ConnectionError)
  })

  it('sends the exact name, escaped in the URL', async () => {
    const { handle, server } = await onBoard('b1', {
      'DELETE /api/v1/images/i/a b/ä?.png': () => deletion('a b/ä?.png'),
    })

    expect(await handle.deleteImage('a b/ä?.png')).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  test.each(['', '.', '..'])(
    'sends nothing for the name %j, which would address another path',
    async (name) => {
      const { handle, server } = await onBoard('b1', {})

      expect(await handle.deleteImage(name)).toBe(false)
      expect(server.lines).toEqual([])
    },
  )
})

describe('star_image and unstar_image', () => {
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

  it('returns false for an unknown image', async () => {
    const { handle } = await onBoard('b1', {
      'PATCH /api/v1/images/i/cat.png': () => refusal(400, 'Failed to update image'),
    })

    expect(await handle.starImage('cat.png')).toBe(false)
    expect(await handle.unstarImage('cat.png')).toBe(false)
  })
})

describe('get_image_count', () => {
  test.each(['b1', 'none'])('counts the images of %s without intermediates', async (boardId) => {
    const { handle, server } = await onBoard(boardId, {
      'GET /api/v1/images/': () => ({ ...pageOf(), total: 42 }),
    })

    expect(await handle.getImageCount()).toBe(42)
    expect(server.lines).toEqual([
      `GET /api/v1/images/?board_id=${boardId}&is_intermediate=false&limit=0&offset=0`,
    ])
  })
})

describe('strict delete', () => {
  const found = () => imageAnswer()
  const gone = () => refusal(404, 'Not Found')
  const strictly = (checks: (() => unknown)[], deleted: () => unknown) =>
    onBoard('b1', {
      'GET /api/v1/images/i/cat.png': () => checks.shift()?.(),
      'DELETE /api/v1/images/i/cat.png': deleted,
    })

  it('returns true if the image existed and is deleted', async () => {
    const { handle } = await strictly([found], () => deletion('cat.png'))

    expect(await handle.deleteImageStrict('cat.png')).toBe(true)
  })

  test.each([404, 500])('throws ImageNotFoundError if the check returns %i', async (status) => {
    const { handle, server } = await strictly([() => refusal(status, 'No')], () => deletion())

    await expect(handle.deleteImageStrict('cat.png')).rejects.toMatchObject({
      name: 'ImageNotFoundError',
      imageName: 'cat.png',
      cause: { status },
    })
    expect(server.lines).toEqual(['GET /api/v1/images/i/cat.png'])
  })

  it('throws DeletionFailedError if the image still exists', async () => {
    const { handle } = await strictly([found, found], () => deletion())

    await expect(handle.deleteImageStrict('cat.png')).rejects.toMatchObject({
      name: 'DeletionFailedError',
      imageName: 'cat.png',
    })
  })

  it('returns false if the image disappears in between', async () => {
    const { handle } = await strictly([found, gone], gone)

    expect(await handle.deleteImageStrict('cat.png')).toBe(false)
  })

  test.each([
    ['first', [noAnswer]],
    ['second', [found, noAnswer]],
  ])('throws ConnectionError if the %s check gets no response', async (_, checks) => {
    const { handle } = await strictly([...checks], gone)

    await expect(handle.deleteImageStrict('cat.png')).rejects.toBeInstanceOf(ConnectionError)
  })
})
