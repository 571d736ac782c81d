import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addPngText } from '#demo/png-text.ts'
import { type Library, openLibrary, shareLibrary } from '#testing/library/open-library.ts'
import { LibraryOfEngine } from './engine-library.ts'
import type { NewPicture } from './engine-ports.ts'

const shared = shareLibrary()
const forEngine = (library: Library) => {
  const ofEngine = new LibraryOfEngine(library)
  const going = new AbortController().signal
  return { ...library, ofEngine, save: (made: NewPicture) => ofEngine.save(made, going) }
}

const picture = async (own: Partial<NewPicture> = {}): Promise<NewPicture> => ({
  bytes: addPngText(await noise(), {
    invokeai_metadata: '{"seed":1.0}',
    invokeai_workflow: '{"name":"w"}',
    invokeai_graph: '{"id":"g"}',
  }),
  category: 'mask',
  isIntermediate: true,
  boardId: null,
  sessionId: 'session',
  nodeId: 'prepared',
  metadata: '{"seed":1.0}',
  ...own,
})

const noise = () =>
  sharp({
    create: { width: 60, height: 40, channels: 3, background: 'red', noise: { type: 'gaussian' } },
  })
    .png()
    .toBuffer()

test('stores a result like an upload, with its session and metadata', async () => {
  const { save, images, pathOf, thumbnails } = forEngine(shared())
  const made = await picture()

  const image = await save(made)

  expect(await images.get(image.image_name)).toEqual(image)
  expect(image).toMatchObject({
    image_origin: 'internal',
    image_category: 'mask',
    is_intermediate: true,
    session_id: 'session',
    node_id: 'prepared',
    board_id: null,
    has_workflow: true,
    file_name: null,
    thumbhash: expect.stringMatching(/./),
    ...{ width: 60, height: 40 },
  })
  expect(await readFile(pathOf(image.image_name))).toEqual(Buffer.from(made.bytes))
  expect(await thumbnails.read(image.image_name, 384)).not.toBeNull()
  expect(await images.metadata(image.image_name)).toMatchObject({
    invokeai: '{"seed":1.0}',
    workflow: '{"name":"w"}',
    graph: '{"id":"g"}',
  })
})

test('adds a result to its board, or uncategorized if there is none', async () => {
  const { save, boards, trash } = forEngine(shared())
  const there = await boards.create({ board_name: 'There', board_visibility: 'shared' })
  const trashed = await boards.create({ board_name: 'Gone', board_visibility: 'shared' })
  await trash.trashBoard(trashed.board_id ?? '', { images: 'keep' })

  const onBoard = async (boardId: string | null) =>
    (await save(await picture({ boardId }))).board_id

  expect(await onBoard(there.board_id)).toBe(there.board_id)
  for (const boardId of [null, 'none', '', 'unknown', trashed.board_id]) {
    expect(await onBoard(boardId)).toBeNull()
  }
})

test('does not apply the upload limit to results', async () => {
  const { save, images } = forEngine(await openLibrary({ maxUploadBytes: 100 }))

  const { image_name } = await save(await picture())

  expect(await images.get(image_name)).not.toBeNull()
})

test('refuses an unreadable result and leaves no files', async () => {
  const { save, upkeep } = forEngine(shared())
  const before = await upkeep.allNames(null, 1000)

  await expect(save(await picture({ bytes: new Uint8Array([1, 2]) }))).rejects.toThrow()
  expect(await upkeep.allNames(null, 1000)).toEqual(before)
})

test('leaves nothing of a result canceled while it is saved', async () => {
  const { ofEngine, upkeep, removal } = forEngine(await openLibrary())
  const cancel = new AbortController()
  const made = await picture()

  const saving = ofEngine.save(made, cancel.signal)
  cancel.abort()

  await expect(saving).rejects.toThrow('aborted')
  await removal.waitUntilDone()
  expect(await upkeep.allNames(null, 1000)).toEqual([])
  expect(await upkeep.tombstones(1000)).toEqual([])
  await expect(ofEngine.save(made, cancel.signal)).rejects.toThrow('aborted')
})

test('finds an image with its file unless unknown or trashed', async () => {
  const { ofEngine, save, pathOf, trash } = forEngine(shared())
  const record = await save(await picture())
  const name = record.image_name

  expect(await ofEngine.image(name)).toEqual(record)
  expect(await ofEngine.openFile(name)).toBe(pathOf(name))
  expect(await ofEngine.image('unknown.png')).toBeNull()
  await trash.trashImages([name])
  expect(await ofEngine.image(name)).toBeNull()
})

test('refuses to give a damaged image to a node', async () => {
  const { ofEngine, save, pathOf } = forEngine(shared())
  const { image_name } = await save(await picture())
  await writeFile(pathOf(image_name), 'not an image')

  await expect(ofEngine.image(image_name)).rejects.toMatchObject({ code: 'original_damaged' })
})

test('returns the embedded metadata object', async () => {
  const { ofEngine, save } = forEngine(shared())
  const { image_name } = await save(await picture())
  const plain = await save(await picture({ bytes: await noise(), metadata: null }))

  expect(await ofEngine.metadata(image_name)).toEqual({ seed: 1 })
  expect(await ofEngine.metadata(plain.image_name)).toBeNull()
  expect(await ofEngine.metadata('unknown.png')).toBeNull()
})

test('waits for active saves', async () => {
  const { ofEngine, save } = forEngine(shared())
  let isSaved = false
  const saving = save(await picture()).then(() => {
    isSaved = true
  })

  await ofEngine.waitForSaves()

  await saving
  expect(isSaved).toBe(true)
})
