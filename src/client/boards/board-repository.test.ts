import { describe, expect, it, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { ConnectionError, RefusedError } from '#client/errors.ts'
import {
  boardAnswer,
  FakeFetch,
  imageAnswer,
  json,
  pageOf,
  type Routes,
  refusal,
} from '#testing/fake-fetch.ts'

const connectTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  const { boards } = connect({ baseUrl: 'http://gallery.test', fetch: server.fetch })
  return { server, boards }
}

const refusedConnection = () => {
  throw new TypeError('fetch failed')
}

const portraits = boardAnswer({ board_id: 'b1', board_name: 'Portraits', image_count: 2 })
const secret = boardAnswer({ board_id: 'b2', board_name: 'Secret', is_private: true })
const secondPortraits = boardAnswer({ board_id: 'b3', board_name: 'Portraits' })

const library: Routes = {
  'GET /api/v1/boards/': () => [portraits, secret, secondPortraits],
  'GET /api/v1/boards/b1': () => portraits,
  'GET /api/v1/images/': () => ({ ...pageOf(), total: 7 }),
}

describe('list_boards', () => {
  it('lists all boards with their image counts, including private ones', async () => {
    const { boards, server } = connectTo(library)

    const listed = await boards.listBoards()

    expect(listed.map((board) => board.board_id)).toEqual(['b1', 'b2', 'b3'])
    expect(listed[0]?.image_count).toBe(2)
    expect(server.lines).toEqual(['GET /api/v1/boards/?all=true'])
  })

  it('omits private boards for all: false, and still sends all=true', async () => {
    const { boards, server } = connectTo(library)

    const listed = await boards.listBoards({ all: false })

    expect(listed.map((board) => board.board_id)).toEqual(['b1', 'b3'])
    expect(server.lines).toEqual(['GET /api/v1/boards/?all=true'])
  })

  it('includes the uncategorized board only on request', async () => {
    const { boards } = connectTo(library)

    const listed = await boards.listBoards({ includeUncategorized: true })

    expect(listed.map((board) => board.board_id)).toEqual(['none', 'b1', 'b2', 'b3'])
    expect(listed[0]?.image_count).toBe(7)
  })
})

describe('create_board', () => {
  it('creates a board that is not private and returns its handle', async () => {
    const { boards, server } = connectTo({
      'POST /api/v1/boards/': () => json(portraits, 201),
    })

    const handle = await boards.createBoard('Portraits')

    expect(handle).toMatchObject({ boardId: 'b1', boardName: 'Portraits', isUncategorized: false })
    expect(server.lines).toEqual(['POST /api/v1/boards/?board_name=Portraits&is_private=false'])
  })

  it('creates a private board on request', async () => {
    const { boards, server } = connectTo({ 'POST /api/v1/boards/': () => json(secret, 201) })

    await boards.createBoard('Secret', { isPrivate: true })

    expect(server.requests[0]?.query.get('is_private')).toBe('true')
  })

  it('returns a handle that accepts uploads immediately', async () => {
    const { boards, server } = connectTo({
      'POST /api/v1/boards/': () => json(portraits, 201),
      'POST /api/v1/images/upload': () => json(imageAnswer({ board_id: 'b1' }), 201),
    })

    const handle = await boards.createBoard('Portraits')
    await handle.uploadImageData(new Uint8Array([1]))

    expect(server.requests[1]?.query.get('board_id')).toBe('b1')
  })
})

describe('delete_board', () => {
  const deleting = (answer: () => unknown) => connectTo({ 'DELETE /api/v1/boards/b1': answer })
  const deleted = () => ({ board_id: 'b1', deleted_board_images: [], deleted_images: [] })

  it('keeps the images by default', async () => {
    const { boards, server } = deleting(deleted)

    expect(await boards.deleteBoard('b1')).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/boards/b1?include_images=false'])
  })

  it('deletes the images on request', async () => {
    const { boards, server } = deleting(deleted)

    expect(await boards.deleteBoard('b1', { deleteImages: true })).toBe(true)
    expect(server.lines).toEqual(['DELETE /api/v1/boards/b1?include_images=true'])
  })

  it('returns false for none without a request', async () => {
    const { boards, server } = deleting(deleted)

    expect(await boards.deleteBoard('none')).toBe(false)
    expect(server.lines).toEqual([])
  })

  test.each([404, 403, 500])('returns false for status %i', async (status) => {
    const { boards } = deleting(() => refusal(status, 'Board not found'))

    expect(await boards.deleteBoard('b1')).toBe(false)
  })

  it('throws without a response, because the board may or may not exist', async () => {
    const { boards } = deleting(refusedConnection)

    await expect(boards.deleteBoard('b1')).rejects.toBeInstanceOf(ConnectionError)
  })
})

describe('get_board_by_id', () => {
  it('returns the board', async () => {
    const { boards } = connectTo(library)

    expect(await boards.getBoardById('b1')).toEqual(portraits)
  })

  it('returns null for an unknown board', async () => {
    const { boards } = connectTo({
      'GET /api/v1/boards/gone': () => refusal(404, 'Board not found'),
    })

    expect(await boards.getBoardById('gone')).toBeNull()
  })

  it('returns the uncategorized board for none', async () => {
    const { boards } = connectTo(library)

    expect(await boards.getBoardById('none')).toMatchObject({ board_id: 'none', image_count: 7 })
  })
})

describe('get_boards_by_name', () => {
  it('returns all boards with the name', async () => {
    const { boards } = connectTo(library)

    const named = await boards.getBoardsByName('Portraits')

    expect(named.map((board) => board.board_id)).toEqual(['b1', 'b3'])
  })

  it('returns an empty list for an unknown name', async () => {
    const { boards } = connectTo(library)

    expect(await boards.getBoardsByName('portraits')).toEqual([])
  })
})

describe('get_board_handle', () => {
  it('returns the handle of a board', async () => {
    const { boards } = connectTo(library)

    expect(await boards.getBoardHandle('b1')).toMatchObject({
      boardId: 'b1',
      boardName: 'Portraits',
    })
  })

  test.each([null, 'none'])('selects the uncategorized board for %s', async (boardId) => {
    const { boards, server } = connectTo(library)

    const handle = await boards.getBoardHandle(boardId)

    expect(handle).toMatchObject({ boardId: 'none', boardName: 'Assets', isUncategorized: true })
    expect(server.lines).toEqual([])
  })

  it('throws for an unknown board', async () => {
    const { boards } = connectTo({
      'GET /api/v1/boards/gone': () => refusal(404, 'Board not found'),
    })

    await expect(boards.getBoardHandle('gone')).rejects.toMatchObject({ code: 'board_not_found' })
  })
})

describe('get_board_handle_by_name', () => {
  it('returns the first board with the name', async () => {
    const { boards } = connectTo(library)

    expect(await boards.getBoardHandleByName('Portraits')).toMatchObject({ boardId: 'b1' })
  })

  it('returns null for an unknown board', async () => {
    const { boards } = connectTo(library)

    expect(await boards.getBoardHandleByName('Landscapes')).toBeNull()
  })
})

describe('uncategorized board', () => {
  it('has the numbers of its images and videos without intermediates (get_uncategorized_board)', async () => {
    const { boards, server } = connectTo({
      ...library,
      'GET /api/v1/videos/': () => ({ limit: 0, offset: 0, total: 2, items: [] }),
    })

    const counts = { board_id: 'none', image_count: 7, video_count: 2 }
    expect(await boards.getUncategorizedBoard()).toMatchObject(counts)
    expect(server.lines).toEqual([
      'GET /api/v1/images/?board_id=none&is_intermediate=false&limit=0&offset=0',
      'GET /api/v1/videos/?board_id=none&is_intermediate=false&limit=0',
    ])
  })

  it('has a handle (get_uncategorized_handle)', () => {
    const { boards } = connectTo(library)

    expect(boards.getUncategorizedHandle()).toMatchObject({
      boardId: 'none',
      isUncategorized: true,
    })
  })
})

describe('update_board', () => {
  const updating = (answer: () => unknown = () => json(portraits, 201)) =>
    connectTo({ ...library, 'PATCH /api/v1/boards/b1': answer })

  test.each([
    [{ name: 'Faces' }, '{"board_name":"Faces"}'],
    [{ isPrivate: true }, '{"board_visibility":"private"}'],
    [{ isPrivate: false }, '{"board_visibility":"shared"}'],
    [{ name: 'Faces', isPrivate: null }, '{"board_name":"Faces"}'],
    [{ name: null, isPrivate: true }, '{"board_visibility":"private"}'],
    [{ name: '', isPrivate: true }, '{"board_name":"","board_visibility":"private"}'],
  ])('sends only the given properties: %o', async (changes, body) => {
    const { boards, server } = updating()

    expect(await boards.updateBoard('b1', changes)).toEqual(portraits)
    expect(server.lines).toEqual([`PATCH /api/v1/boards/b1 ${body}`])
  })

  it('only reads the board if there are no changes', async () => {
    const { boards, server } = updating()

    expect(await boards.updateBoard('b1')).toEqual(portraits)
    expect(server.lines).toEqual(['GET /api/v1/boards/b1'])
  })

  test.each([404, 422, 500])('returns null for status %i', async (status) => {
    const { boards } = updating(() => refusal(status, 'Failed to update board'))

    expect(await boards.updateBoard('b1', { name: 'Faces' })).toBeNull()
  })

  test.each([401, 503])('throws for status %i', async (status) => {
    const { boards } = updating(() => refusal(status, 'Not now'))

    await expect(boards.updateBoard('b1', { name: 'Faces' })).rejects.toBeInstanceOf(RefusedError)
  })
})

it('throws ConnectionError without a response', async () => {
  const { boards } = connectTo({ 'GET /api/v1/boards/': refusedConnection })

  await expect(boards.listBoards()).rejects.toMatchObject({
    name: 'ConnectionError',
    cause: expect.any(TypeError),
  })
})
