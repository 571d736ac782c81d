import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import { ImportService } from '#server/core/imports/import-service.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { makeInvokeaiRoot } from '#testing/library/make-invokeai-root.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { everything, newImage } from '#testing/ports/new-image.ts'

const allBoards = { orderBy: 'board_name', direction: 'ASC', includeArchived: true } as const

const openImports = async () => {
  const library = await openLibrary()
  const open = openImportSources({ dataFolder: library.dataFolder })
  const limits = { maxUploadBytes: 64 * 1024 * 1024 }
  const imports = new ImportService({ ...library, limits, open })
  onTestFinished(() => imports.close())
  const importFolder = async (folder: string) =>
    imports.waitForEnd((await imports.start({ folder })).import_id)
  return { library, importFolder }
}

test('imports a whole InvokeAI library once, and skips it the second time', async () => {
  const { library, importFolder } = await openImports()
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  const bytes = await (await drawFile('cat.png')).bytes()
  root.addBoard({ board_id: 'b', board_name: 'Cats', archived: 1 })
  root.addBoard({ board_id: 'e', board_name: 'Empty' })
  // Equal bytes, but two separate images.
  root.addImage({ image_name: 'a.png', starred: 1, image_category: 'mask' }, bytes, 'b')
  root.addImage({ image_name: 'b.png', created_at: '2024-05-06 07:08:09.010' }, bytes)
  root.addImage({ image_name: 'step.png', is_intermediate: 1 }, bytes)
  root.database.exec(`UPDATE boards SET cover_image_name = 'a.png' WHERE board_id = 'b'`)

  expect(await importFolder(root.folder)).toMatchObject({
    ...{ source: 'invokeai', taken_in: 2, refused: 0, left_out: 1 },
  })
  expect(await importFolder(root.folder)).toMatchObject({ found: 2, taken_in: 0, known: 2 })

  const page = await library.images.page(everything, { offset: 0, limit: 10 })
  expect(page?.items).toMatchObject([
    { file_name: 'a.png', starred: true, image_category: 'mask', image_origin: 'internal' },
    { file_name: 'b.png', created_at: '2024-05-06 07:08:09.010', board_id: null },
  ])
  const boards = await library.boards.list({
    orderBy: 'board_name',
    direction: 'ASC',
    includeArchived: true,
  })
  expect(boards.items).toMatchObject([
    { board_name: 'Cats', archived: true, cover_image_name: page?.items[0]?.image_name },
    { board_name: 'Empty', image_count: 0 },
  ])
})

test('keeps the names and ids of images and boards', async () => {
  const { library, importFolder } = await openImports()
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  const bytes = await (await drawFile('cat.png')).bytes()
  const [imageName, boardId] = [`${randomUUID()}.png`, randomUUID()]
  root.addBoard({ board_id: boardId, board_name: 'Cats' })
  root.addImage({ image_name: imageName, metadata: '{"positive_prompt":"a cat"}' }, bytes, boardId)

  await importFolder(root.folder)

  const { images, boards, pathOf, thumbnails } = library
  expect(await images.get(imageName)).toMatchObject({ board_id: boardId, file_name: imageName })
  expect(await images.metadata(imageName)).toMatchObject({ invokeai: expect.any(String) })
  expect(await boards.get(boardId)).toMatchObject({ board_name: 'Cats', image_count: 1 })
  expect(await readFile(pathOf(imageName))).toEqual(Buffer.from(bytes))
  expect(await thumbnails.read(imageName, THUMBNAIL_SIZES[0])).not.toBeNull()
  // A second import recognizes both, even if a board was renamed in the meantime.
  await boards.update(boardId, { board_name: 'My cats' })
  expect(await importFolder(root.folder)).toMatchObject({ taken_in: 0, known: 1 })
  expect((await boards.list(allBoards)).items).toHaveLength(1)
})

test('keeps names, boards, stars, dates and texts of videos', async () => {
  const { library, importFolder } = await openImports()
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  const bytes = await drawClip()
  const [clip, plain, boardId] = [`${randomUUID()}.mp4`, `${randomUUID()}.mp4`, randomUUID()]
  const texts = {
    invokeai_metadata: '{"positive_prompt":"a kite"}',
    invokeai_workflow: '{"nodes":[]}',
    invokeai_graph: null,
  }
  root.addBoard({ board_id: boardId, board_name: 'Clips' })
  const created_at = '2024-05-06 07:08:09.010'
  const details = { starred: 1, video_category: 'user', session_id: 's', created_at } as const
  root.addVideo({ video_name: clip, ...details }, bytes, { boardId, texts })
  root.addVideo({ video_name: plain, metadata: '{"seed":7}' }, bytes)
  root.addVideo({ video_name: 'step.mp4', is_intermediate: 1 }, bytes)
  root.addVideo({ video_name: 'gone.mp4' }, null)
  root.addFile('stray.mp4', await drawClip({ frames: 5 }), 'videos')
  root.addFile('thumbnails/a.webp', bytes, 'videos')

  expect(await importFolder(root.folder)).toMatchObject({
    ...{ taken_in: 3, videos: 3, refused: 1, left_out: 1 },
    refusals: [{ reason: 'InvokeAI has a record of this video, and the file is gone.' }],
  })
  expect(await importFolder(join(root.folder, 'outputs/videos'))).toMatchObject({
    ...{ source: 'invokeai', taken_in: 0, known: 3 },
  })

  const { images } = library
  expect(await images.get(clip)).toMatchObject({
    ...{ board_id: boardId, starred: true, created_at, image_category: 'user', session_id: 's' },
    video: { codec: 'h264' },
  })
  expect(await images.metadata(clip)).toMatchObject({
    ...{ invokeai: texts.invokeai_metadata, workflow: texts.invokeai_workflow },
    normal: { prompt: 'a kite' },
  })
  expect(await images.get(plain)).toMatchObject({ board_id: null, starred: false })
  expect(await images.metadata(plain)).toMatchObject({ invokeai: '{"seed":7}' })
})

test('replaces taken or invalid names and ids, and overwrites no file', async () => {
  const { library, importFolder } = await openImports()
  const { images, boards, pathOf } = library
  const bytes = await (await drawFile('cat.png')).bytes()
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  const [taken, deleted] = [`${randomUUID()}.png`, `${randomUUID()}.png`]
  for (const name of [taken, deleted]) await images.add(newImage(name))
  await mkdir(dirname(pathOf(taken)), { recursive: true })
  await writeFile(pathOf(taken), 'mine')
  await images.remove([deleted])
  const { board_id } = await boards.create({ board_name: 'Trashed', board_visibility: 'shared' })
  await boards.remove(board_id, { images: 'keep' })
  const odd = [`${randomUUID()}.png.exe`, `${randomUUID()}.jpg`, '-.png', 'CON.png']
  root.addBoard({ board_id, board_name: 'Cats' })
  root.addBoard({ board_id: '../../b', board_name: 'Dogs' })
  for (const image_name of [taken, deleted, ...odd]) root.addImage({ image_name }, bytes, board_id)

  expect(await importFolder(root.folder)).toMatchObject({ taken_in: 5, known: 1, refused: 0 })

  expect(await readFile(pathOf(taken), 'utf8')).toBe('mine')
  const page = await images.page(everything, { offset: 0, limit: 10 })
  const imported = page?.items.filter(({ file_name }) => file_name !== null) ?? []
  expect(new Set(imported.map(({ file_name }) => file_name))).toEqual(new Set([deleted, ...odd]))
  for (const { image_name, file_name } of imported) {
    expect(image_name).toMatch(/^[0-9a-f-]{36}\.png$/)
    expect(image_name).not.toBe(file_name)
    expect(await readFile(pathOf(image_name))).toEqual(Buffer.from(bytes))
  }
  const ids = (await boards.list(allBoards)).items.map((board) => board.board_id)
  expect(ids).toHaveLength(2)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('overwrites no file if two concurrent imports use the same names @long', async () => {
  const { library, importFolder } = await openImports()
  const bytes = await Promise.all(
    ['cat.png', 'dog.png'].map(async (name) => (await drawFile(name)).bytes()),
  )
  const names = Array.from({ length: 20 }, () => `${randomUUID()}.png`)
  const roots = await Promise.all(bytes.map(() => makeInvokeaiRoot('6.14')))
  for (const [at, root] of roots.entries()) {
    onTestFinished(() => root.remove())
    for (const image_name of names) root.addImage({ image_name }, bytes[at] ?? new Uint8Array())
  }

  const ended = await Promise.all(roots.map(({ folder }) => importFolder(folder)))

  expect(ended.map(({ state }) => state)).toEqual(['completed', 'completed'])
  const { images, files } = library
  const page = await images.page(everything, { offset: 0, limit: 100 })
  expect(page?.items).toHaveLength(names.length)
  for (const { image_name, content_hash } of page?.items ?? []) {
    expect(await files.contentHash(image_name)).toBe(content_hash)
  }
})

test('imports a library that invokeai.yaml moved, by its root and its outputs @long', async () => {
  const { library, importFolder } = await openImports()
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  const bytes = await (await drawFile('cat.png')).bytes()
  root.addBoard({ board_id: 'b', board_name: 'Cats' })
  root.addImage({ image_name: 'a.png', starred: 1, image_subfolder: '2026/03/17' }, bytes, 'b')
  root.addFile('thumbnails/2026/03/17/a.webp', bytes)
  root.database.close()
  await rename(join(root.folder, 'databases'), join(root.folder, 'db'))
  await rename(join(root.folder, 'outputs'), join(root.folder, 'pictures'))
  await writeFile(join(root.folder, 'invokeai.yaml'), 'db_dir: db\noutputs_dir: pictures\n')

  expect(await importFolder(root.folder)).toMatchObject({
    source: 'invokeai',
    taken_in: 1,
    refused: 0,
  })
  expect(await importFolder(join(root.folder, 'pictures/images'))).toMatchObject({
    ...{ source: 'invokeai', folder: root.folder, taken_in: 0, known: 1 },
  })

  const page = await library.images.page(everything, { offset: 0, limit: 10 })
  expect(page?.items).toMatchObject([{ file_name: 'a.png', starred: true }])
  expect((await library.boards.get(page?.items[0]?.board_id ?? ''))?.board_name).toBe('Cats')
})
