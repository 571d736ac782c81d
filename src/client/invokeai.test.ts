import { describe, expect, it, test } from 'vitest'
import {
  FakeFetch,
  htmlPage,
  imageAnswer,
  invokeAiBoard,
  json,
  pageOf,
  type Routes,
  refusal,
} from '#testing/fake-fetch.ts'
import { connect } from './connect.ts'

/** Fakes an InvokeAI without rate limits. It answers unknown GETs with its HTML page and status 200. */
const connectTo = (routes: Routes, isMultiUser = false) => {
  const server = new FakeFetch({
    'GET /api/v1/app/version': () => ({ version: '6.14.0' }),
    'GET /api/v1/app/capabilities': htmlPage,
    'GET /api/v1/auth/status': () => ({ multiuser_enabled: isMultiUser }),
    ...routes,
  })
  return { server, client: connect({ baseUrl: 'http://invoke.test/', fetch: server.fetch }) }
}

const at = (time: string, image_name: string, starred = false) =>
  imageAnswer({ image_name, created_at: `2026-11-21 ${time}:00.000`, starred })

const uncategorized = [at('10:00', 'b.png'), at('09:00', 'c.png', true), at('10:00', 'a.png')]

const library: Routes = {
  'GET /api/v1/boards/none/image_names': () => ['a.png', 'b.png', 'c.png'],
  'POST /api/v1/images/images_by_names': () => uncategorized,
}

describe('against InvokeAI', () => {
  it('returns its version, no extensions and no limits', async () => {
    const { client } = connectTo({})

    expect(await client.server.capabilities()).toMatchObject({
      server: 'invokeai',
      version: '6.14.0',
      extensions: [],
      limits: { requests_per_minute: null },
    })
  })

  it('counts images of all categories on a board', async () => {
    const { client } = connectTo({
      'GET /api/v1/boards/': () => [invokeAiBoard({ image_count: 3, asset_count: 4 })],
    })

    expect((await client.boards.listBoards())[0]?.image_count).toBe(7)
  })

  it('adds null for description and star of a board', async () => {
    const { client } = connectTo({ 'GET /api/v1/boards/b1': () => invokeAiBoard() })

    const board = await client.boards.getBoardById('b1')

    expect(board).toMatchObject({ description: null, starred: null })
  })

  test.each([
    [false, ['portraits']],
    [true, []],
  ])('hides private boards only in multi-user mode: %s', async (isMultiUser, ids) => {
    const { client } = connectTo({ 'GET /api/v1/boards/': () => [invokeAiBoard()] }, isMultiUser)

    const boards = await client.boards.listBoards({ all: false })

    expect(boards.map((board) => board.board_id)).toEqual(ids)
  })

  it('treats a server before 6.12 as single-user', async () => {
    const { client } = connectTo({
      'GET /api/v1/boards/': () => [invokeAiBoard()],
      'GET /api/v1/auth/status': htmlPage,
    })

    expect((await client.boards.listBoards())[0]?.is_private).toBe(false)
  })

  it('changes privacy with board_visibility', async () => {
    const { client, server } = connectTo({
      'PATCH /api/v1/boards/b1': () => json(invokeAiBoard(), 201),
    })

    await client.boards.updateBoard('b1', { isPrivate: true })

    expect(server.lines[0]).toBe('PATCH /api/v1/boards/b1 {"board_visibility":"private"}')
  })

  it('returns null for a change that it refuses with 422', async () => {
    const fault = { type: 'extra_forbidden', loc: ['body', 'is_private'], msg: 'Extra inputs' }
    const { client } = connectTo({ 'PATCH /api/v1/boards/b1': () => refusal(422, [fault]) })

    expect(await client.boards.updateBoard('b1', { isPrivate: true })).toBeNull()
  })

  test.each([
    [{}, ['b.png', 'a.png', 'c.png']],
    [{ orderDir: 'ASC' }, ['c.png', 'a.png', 'b.png']],
    [{ starredFirst: true }, ['c.png', 'b.png', 'a.png']],
    [{ offset: 1, limit: 1 }, ['a.png']],
    [{ limit: -1 }, ['b.png', 'a.png', 'c.png']],
    [{ offset: 9 }, []],
  ] as const)(
    'sorts and slices the uncategorized names in the client: %o',
    async (options, names) => {
      const { client, server } = connectTo(library)

      expect(await client.boards.getUncategorizedHandle().listImages(options)).toEqual(names)
      expect(server.lines).toContain('GET /api/v1/boards/none/image_names')
    },
  )

  it('searches uncategorized images on the server, because records lack the metadata text', async () => {
    const { client, server } = connectTo({
      ...library,
      'GET /api/v1/images/': () => pageOf(at('09:00', 'c.png'), at('10:00', 'a.png')),
    })

    const names = await client.boards.getUncategorizedHandle().listImages({ searchTerm: 'cat' })

    expect(names).toEqual(['a.png', 'c.png'])
    expect(server.requests.at(-1)?.query.get('search_term')).toBe('cat')
  })

  it('adds null for unknown fields of an image', async () => {
    const { client } = connectTo({ 'GET /api/v1/images/i/cat.png': () => imageAnswer() })

    const image = await client.images.get('cat.png')

    expect(image).toMatchObject({
      file_name: null,
      file_size: null,
      thumbhash: null,
      taken_at: null,
    })
  })

  it('returns false for an unknown image after status 200 and after 404', async () => {
    const { client } = connectTo({
      'DELETE /api/v1/images/i/cat.png': () => ({ affected_boards: [], deleted_images: [] }),
    })
    const handle = client.boards.getUncategorizedHandle()

    expect(await handle.deleteImage('cat.png')).toBe(false)
    expect(await handle.deleteImage('dog.png')).toBe(false)
  })

  it('adds failed_images, which versions before 6.14 omit', async () => {
    const { client } = connectTo({
      'POST /api/v1/images/delete': () => ({
        affected_boards: ['none'],
        deleted_images: ['cat.png'],
      }),
    })

    expect((await client.images.delete(['cat.png'])).failed_images).toEqual([])
  })

  it('detects an unknown path by the HTML page', async () => {
    const { client } = connectTo({ 'GET /api/v1/trash/': htmlPage })

    const listing = client.trash.list({ offset: 0, limit: 10 })

    await expect(listing).rejects.toMatchObject({ code: 'not_found', status: 404 })
  })

  it('detects an unknown image of a single move by the message of the 500', async () => {
    const { client } = connectTo({
      'POST /api/v1/board_images/': () => refusal(500, 'Failed to add image to board'),
    })

    expect(await client.boards.getUncategorizedHandle().moveImageTo('gone.png', 'b1')).toBe(false)
  })

  it('counts uncategorized videos, and returns 0 without video support', async () => {
    const videos = { limit: 0, offset: 0, total: 3, items: [] }
    const { client } = connectTo({ 'GET /api/v1/videos/': () => videos })
    const older = connectTo({ 'GET /api/v1/videos/': htmlPage })

    expect(await client.boardOperations.uncategorizedVideoCount()).toBe(3)
    expect(await older.client.boardOperations.uncategorizedVideoCount()).toBe(0)
  })

  it('requests the upstream status only if there is an upstream', async () => {
    const front = { server: 'tessera', version: '1', upstream: 'http://invoke.test' }
    const status = { state: 'up', version: '6.14.0' }
    const behind = connectTo({
      'GET /api/v1/app/capabilities': () => ({ server: 'invokeai', limits: {}, front }),
      'GET /api/v1/app/upstream': () => status,
    })

    expect(await behind.client.server.upstream()).toEqual(status)
    expect(await connectTo({}).client.server.upstream()).toBeNull()
  })

  it('converts its metadata to the normal form', async () => {
    const metadata = {
      positive_prompt: 'a castle',
      negative_prompt: '',
      model: { name: 'FLUX', base: 'flux' },
      seed: 7,
      steps: 30,
      cfg_scale: 7.5,
      scheduler: 'euler',
      loras: [{ model: { name: 'ink' }, weight: 0.5 }],
      width: 512,
      height: 768,
    }
    const { client } = connectTo({ 'GET /api/v1/images/i/cat.png/metadata': () => metadata })

    expect(await client.images.metadata('cat.png')).toMatchObject({
      generator: 'invokeai',
      prompt: 'a castle',
      negative_prompt: null,
      model: 'FLUX',
      seed: 7,
      steps: 30,
      loras: [{ name: 'ink', weight: 0.5 }],
      raw: { invokeai_metadata: metadata },
    })
  })
})

describe('videos of an InvokeAI', () => {
  const clip = {
    ...{ video_name: 'boat.mp4', video_url: 'v/boat.mp4', thumbnail_url: 't/boat.mp4' },
    ...{ video_origin: 'external', video_category: 'user', video_subfolder: '' },
    ...{ width: 64, height: 48, duration: 2, fps: 10, starred: false, board_id: null },
    created_at: '2026-11-21 11:00:00.000',
  }
  const item = {
    ...{ kind: 'video', name: 'boat.mp4', full_url: 'v/boat.mp4', thumbnail_url: 't/boat.mp4' },
    ...{ width: 64, height: 48, category: 'user', starred: false, is_intermediate: false },
    ...{ board_id: null, created_at: clip.created_at, duration: 2, fps: 10 },
  }
  const page = (total: number, items: unknown[] = []) => ({ limit: 1, offset: 0, total, items })
  const view = { kind: 'all' } as const
  const namesIn = (items: readonly { image_name: string }[]) => items.map((one) => one.image_name)
  const image = at('10:00', 'a.png')

  it('are listed with the complete records of the images', async () => {
    const { client } = connectTo({
      'GET /api/v1/images/': () => pageOf(image),
      'GET /api/v1/videos/': () => page(1),
      'GET /api/v1/gallery/items/': () =>
        page(2, [item, { ...item, kind: 'image', name: 'a.png', duration: null }]),
      'POST /api/v1/images/images_by_names': () => [image],
    })

    const { items, ...counts } = await client.images.page(view, { offset: 0, limit: 10 })

    expect(counts).toMatchObject({ total: 2, video_total: 1 })
    expect(namesIn(items)).toEqual(['boat.mp4', 'a.png'])
    expect(items[0]).toMatchObject({ image_url: 'v/boat.mp4', video: { duration: 2, fps: 10 } })
    expect(items[1]).toMatchObject({ ...image, video: null })
  })

  it('cost one request more if there are none', async () => {
    const { client, server } = connectTo({
      'GET /api/v1/images/': () => pageOf(image),
      'GET /api/v1/videos/': () => page(0),
    })
    await client.server.capabilities()
    const before = server.lines.length

    const { items } = await client.images.page(view, { offset: 0, limit: 10 })

    expect(namesIn(items)).toEqual(['a.png'])
    expect(server.lines.slice(before)).toHaveLength(2)
  })

  it('are changed by their own routes, and nothing is asked about no images', async () => {
    const starred = { affected_boards: ['none'], failed_videos: [] }
    const { client, server } = connectTo({
      'POST /api/v1/videos/star': () => ({ ...starred, starred_videos: ['boat.mp4'] }),
      'POST /api/v1/images/star': () => ({
        affected_boards: ['b1', 'none'],
        starred_images: ['a.png'],
      }),
    })

    expect(await client.images.star(['a.png', 'boat.mp4'])).toEqual({
      affected_boards: ['none', 'b1'],
      starred_images: ['boat.mp4', 'a.png'],
      failed_images: [],
    })
    const before = server.lines.length
    await client.images.star(['boat.mp4'])
    expect(server.lines.slice(before)).toEqual([
      'POST /api/v1/videos/star {"video_names":["boat.mp4"]}',
    ])
  })

  it('are moved one by one, without those that are gone', async () => {
    const answers = [
      () => refusal(500, 'Failed to add video to board'),
      () => ({ affected_boards: ['b1', 'none'], added_videos: ['boat.mp4'] }),
    ]
    const { client } = connectTo({ 'POST /api/v1/videos/board': () => answers.shift()?.() })

    expect(await client.images.move(['gone.mp4', 'boat.mp4'], 'b1')).toEqual({
      affected_boards: ['b1', 'none'],
      moved_images: ['boat.mp4'],
    })
  })
})
