import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { connect, type ImageRecord } from '#client/index.ts'
import { openFile } from '#client/node/open-file.ts'
import { collect } from '#testing/collect.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

let server: RunningServer
let folder = ''

beforeAll(async () => {
  server = await startServer()
  folder = await createTemporaryFolder()
})

afterAll(async () => {
  await server.close()
  await removeFolder(folder)
})

const upload = async (fileName: string, boardId?: string): Promise<ImageRecord> => {
  server.clock.advance(1000)
  return server.client.uploads.upload({ bytes: await drawFile(fileName) }, { boardId })
}

const boardNamed = (name: string) => server.client.boardOperations.create(name)

describe('uploads', () => {
  it('upload a file by path, unchanged and under its name', async () => {
    const { boards } = connect({ baseUrl: server.url, openFile })
    const file = await drawFile('from disk.jpg')
    await writeFile(join(folder, 'from disk.jpg'), file.stream())

    const image = await boards.getUncategorizedHandle().uploadImage(join(folder, 'from disk.jpg'))

    expect(image).toMatchObject({
      file_name: 'from disk.jpg',
      file_size: file.size,
      media_type: 'image/jpeg',
      board_id: null,
      image_category: 'user',
    })
  })

  it('store an upload with an upload id only once', async () => {
    const file = { bytes: await drawFile('once.png'), uploadId: 'once' }

    const first = await server.client.uploads.upload(file)
    const second = await server.client.uploads.upload(file)

    expect(second.image_name).toBe(first.image_name)
  })

  test.each([
    ['text', new Blob(['no picture'], { type: 'image/png' }), 415],
    ['nothing', new Blob([], { type: 'image/png' }), 415],
    ['another kind of file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 415],
  ])('reject %s', async (_, bytes, status) => {
    const refused = server.client.uploads.upload({ bytes })

    await expect(refused).rejects.toMatchObject({ name: 'RefusedError', status })
  })

  it('reject a missing board', async () => {
    const bytes = await drawFile('nowhere.png')

    const refused = server.client.uploads.upload({ bytes }, { boardId: 'gone' })

    await expect(refused).rejects.toMatchObject({ code: 'board_not_found', status: 404 })
  })

  it('return one line per file of a batch and continue after a refusal', async () => {
    const board = await boardNamed('Batch')
    const files = [
      { bytes: await drawFile('a.png'), uploadId: 'a' },
      { bytes: new Blob(['no picture'], { type: 'image/png' }), fileName: 'b.png', uploadId: 'b' },
      { bytes: await drawFile('c.jpg'), uploadId: 'c' },
    ]

    const lines = await collect(
      server.client.uploads.uploadBatch(files, { boardId: board.board_id }),
    )

    const byId = new Map(lines.map((line) => [line.upload_id, line]))
    expect(byId.get('a')?.image).toMatchObject({ file_name: 'a.png', board_id: board.board_id })
    expect(byId.get('b')?.refusal).toMatchObject({ status: 415 })
    expect(byId.get('c')?.image).toMatchObject({ file_name: 'c.jpg' })
    expect(await server.client.images.count({ boardId: board.board_id })).toBe(2)
  })
})

describe('views', () => {
  it('are read by position and after an image, and return the position of an image', async () => {
    const { images } = server.client
    const board = await boardNamed('View')
    const names: string[] = []
    for (const name of ['1.png', '2.png', '3.png']) {
      names.unshift((await upload(name, board.board_id)).image_name)
    }
    const view = { boardId: board.board_id, isIntermediate: false }
    const namesOf = (page: { items: ImageRecord[] }) => page.items.map((image) => image.image_name)

    const middle = await images.page(view, { offset: 1, limit: 1 })
    expect(namesOf(middle)).toEqual([names[1]])
    expect(middle.total).toBe(3)
    expect(namesOf(await images.page(view, { after: names[0] ?? '', limit: 5 }))).toEqual(
      names.slice(1),
    )
    expect((await images.names(view)).image_names).toEqual(names)
    expect(await images.position(view, names[2] ?? '')).toEqual({ position: 2, total: 3 })
    expect((await images.getMany([names[2] ?? '', 'gone.png'])).length).toBe(1)
  })
})

describe('bulk operations', () => {
  it('star, move and delete images', async () => {
    const { images } = server.client
    const board = await boardNamed('Many')
    const uploaded = [await upload('m1.png'), await upload('m2.png')]
    const names = uploaded.map((image) => image.image_name)

    expect((await images.star(names)).starred_images.toSorted()).toEqual(names.toSorted())
    expect((await images.unstar(names)).unstarred_images.toSorted()).toEqual(names.toSorted())

    const moved = await images.move(names, board.board_id)
    expect(moved.moved_images.toSorted()).toEqual(names.toSorted())
    expect(moved.affected_boards.toSorted()).toEqual([board.board_id, 'none'].toSorted())
    expect((await images.move(names, 'none')).moved_images).toHaveLength(2)
    await expect(images.move(names, 'gone')).rejects.toMatchObject({ code: 'board_not_found' })

    const result = await images.delete([...names, 'gone.png'])
    expect(result.deleted_images.toSorted()).toEqual(names.toSorted())
    expect(result.failed_images).toEqual([])
  })
})

it('delete all uncategorized images and return their names', async () => {
  const other = await startServer()
  const { images, uploads, boardOperations } = other.client
  const board = await boardOperations.create('Kept')
  const kept = await uploads.upload(
    { bytes: await drawFile('kept.png') },
    { boardId: board.board_id },
  )
  const gone = await uploads.upload({ bytes: await drawFile('gone.png') })

  const result = await images.deleteUncategorized()

  expect(result).toMatchObject({
    deleted_images: [gone.image_name],
    affected_boards: ['none'],
  })
  expect((await images.names({})).image_names).toEqual([kept.image_name])
  await other.close()
})

describe('a single image', () => {
  it('returns its generation data in a single format', async () => {
    const { image_name } = await upload('made.png')

    const metadata = await server.client.images.metadata(image_name)

    expect(metadata?.prompt).toEqual(expect.any(String))
    expect(metadata?.seed).toEqual(expect.any(Number))
  })

  it('has URLs for its bytes and for thumbnails of each size', async () => {
    const { images, server: about } = server.client
    await about.capabilities()
    const image = await upload('addresses.png')

    const full = await fetch(images.fullUrl(image))
    const download = await fetch(images.downloadUrl(image.image_name))
    const thumbnail = await fetch(images.thumbnailUrl(image, 500))

    expect(full.headers.get('content-type')).toBe('image/png')
    expect(download.headers.get('content-disposition')).toContain('addresses.png')
    expect(thumbnail.headers.get('content-type')).toBe('image/webp')
    expect(images.thumbnailUrl(image, 500)).toContain('size=768')
  })
})

describe('the trash', () => {
  it('restores images to their boards', async () => {
    const { images, trash } = server.client
    const board = await boardNamed('Trash')
    const { image_name } = await upload('trash.png', board.board_id)

    expect((await trash.trashImages([image_name])).trashed_images).toEqual([image_name])
    expect(await images.count({ boardId: board.board_id })).toBe(0)
    const page = await trash.list({ offset: 0, limit: 10 })
    expect(page.items.map((image) => image.image_name)).toContain(image_name)

    expect((await trash.restore({ imageNames: [image_name] })).restored_images).toEqual([
      image_name,
    ])
    expect(await images.get(image_name)).toMatchObject({ board_id: board.board_id })
  })

  it('accepts a board with its images and is emptied permanently', async () => {
    const { images, trash, boards } = server.client
    const board = await boardNamed('Thrown away')
    const { image_name } = await upload('thrown.png', board.board_id)

    await trash.trashBoard(board.board_id, { includeImages: true })
    expect(await boards.getBoardById(board.board_id)).toBeNull()
    await trash.restore({ boardIds: [board.board_id] })
    expect(await images.count({ boardId: board.board_id })).toBe(1)

    await trash.trashBoard(board.board_id, { includeImages: true })
    await trash.empty()
    expect(await images.get(image_name)).toBeNull()
    expect((await trash.list({ offset: 0, limit: 10 })).total).toBe(0)
  })
})

it('streams a board as a zip', async () => {
  const { downloads } = server.client
  const board = await boardNamed('Zip')
  await upload('zip.png', board.board_id)

  const archive = await downloads.createArchive({ boardId: board.board_id })
  const bytes = await (await fetch(downloads.archiveUrl(archive))).arrayBuffer()

  expect(archive.image_count).toBe(1)
  expect(new TextDecoder().decode(bytes.slice(0, 2))).toBe('PK')
})

it('creates a demo library and streams one line per image', async () => {
  const lines = await collect(server.client.server.fillDemoLibrary({ imageCount: 3 }))

  expect(lines.at(-1)).toMatchObject({ done: 3, total: 3 })
})
