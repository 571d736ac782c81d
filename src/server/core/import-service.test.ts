import { expect, onTestFinished, test } from 'vitest'
import type { ImportRequest } from '#contract/import.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { type Library, openLibrary } from '#testing/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { writeTree } from '#testing/write-tree.ts'
import { ImportService } from './import-service.ts'

const limits = { maxUploadBytes: 64 * 1024 * 1024 }

const openImports = (library: Library): ImportService => {
  const imports = new ImportService({
    ...library,
    limits,
    open: openImportSources({ dataFolder: library.dataFolder }),
  })
  onTestFinished(() => imports.close())
  return imports
}

const openFolder = async (files: Parameters<typeof writeTree>[1]): Promise<string> => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  await writeTree(folder, files)
  return folder
}

const bringIn = async (imports: ImportService, request: ImportRequest) =>
  imports.ended((await imports.start(request)).import_id)

const boardNamesOf = async ({ boards }: Library) => {
  const { items } = await boards.list({
    orderBy: 'board_name',
    direction: 'ASC',
    includeArchived: true,
  })
  return items.map((board) => [board.board_name, board.image_count])
}

test('folders become boards, nested ones by their path, and the rest lies on none', async () => {
  const library = await openLibrary()
  const folder = await openFolder({ 'a.png': null, 'Cats/b.jpg': null, 'Cats/Old/c.webp': null })

  const done = await bringIn(openImports(library), { folder })

  expect(done).toMatchObject({ state: 'completed', found: 3, taken_in: 3, refused: 0 })
  expect(await boardNamesOf(library)).toEqual([
    ['Cats', 1],
    ['Cats/Old', 1],
  ])
})

test('a second run knows every file, without reading it', async () => {
  const library = await openLibrary()
  const folder = await openFolder({ 'a.png': null, 'b/c.png': null })
  const imports = openImports(library)
  await bringIn(imports, { folder })

  const again = await bringIn(imports, { folder })

  expect(again).toMatchObject({ state: 'completed', taken_in: 0, known: 2 })
})
