import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ImportService } from '#server/core/import-service.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { everything } from '#server/storage/records-contract/new-image.ts'
import { drawFile } from '#testing/draw-file.ts'
import { makeInvokeaiRoot } from '#testing/make-invokeai-root.ts'
import { openLibrary } from '#testing/open-library.ts'

const openImports = async () => {
  const library = await openLibrary()
  const open = openImportSources({ dataFolder: library.dataFolder })
  const limits = { maxUploadBytes: 64 * 1024 * 1024 }
  const imports = new ImportService({ ...library, limits, open })
  onTestFinished(() => imports.close())
  const bringIn = async (folder: string) =>
    imports.ended((await imports.start({ folder })).import_id)
  return { library, bringIn }
}

test('an InvokeAI library is brought in whole, and a second time nothing is', async () => {
  const { library, bringIn } = await openImports()
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  const bytes = await (await drawFile('cat.png')).bytes()
  root.addBoard({ board_id: 'b', board_name: 'Cats', archived: 1 })
  root.addBoard({ board_id: 'e', board_name: 'Empty' })
  // Of equal bytes, and two images all the same.
  root.addImage({ image_name: 'a.png', starred: 1, image_category: 'mask' }, bytes, 'b')
  root.addImage({ image_name: 'b.png', created_at: '2024-05-06 07:08:09.010' }, bytes)
  root.addImage({ image_name: 'step.png', is_intermediate: 1 }, bytes)
  root.database.exec(`UPDATE boards SET cover_image_name = 'a.png' WHERE board_id = 'b'`)

  expect(await bringIn(root.folder)).toMatchObject({
    ...{ source: 'invokeai', taken_in: 2, refused: 0, left_out: 1 },
  })
  expect(await bringIn(root.folder)).toMatchObject({ found: 2, taken_in: 0, known: 2 })

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

test('a library that invokeai.yaml moved is brought in whole, by its root and by its outputs', async () => {
  const { library, bringIn } = await openImports()
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

  expect(await bringIn(root.folder)).toMatchObject({ source: 'invokeai', taken_in: 1, refused: 0 })
  expect(await bringIn(join(root.folder, 'pictures/images'))).toMatchObject({
    ...{ source: 'invokeai', folder: root.folder, taken_in: 0, known: 1 },
  })

  const page = await library.images.page(everything, { offset: 0, limit: 10 })
  expect(page?.items).toMatchObject([{ file_name: 'a.png', starred: true }])
  expect((await library.boards.get(page?.items[0]?.board_id ?? ''))?.board_name).toBe('Cats')
})
