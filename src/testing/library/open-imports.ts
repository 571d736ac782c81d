import { onTestFinished } from 'vitest'
import type { Import, ImportRequest } from '#contract/import.ts'
import { ImportService } from '#server/core/imports/import-service.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import type { Library } from './open-library.ts'
import { writeTree } from './write-tree.ts'

const SETTLE_MS = 150

/** Parts that differ from those of a server: a limit, or a part that fails. */
type Parts = Partial<ConstructorParameters<typeof ImportService>[0]>

/** Creates an import service for a library and closes it after the test. */
export function openImports(library: Library, parts: Parts = {}): ImportService {
  const imports = new ImportService({
    ...library,
    limits: { maxUploadBytes: 64 * 1024 * 1024 },
    open: openImportSources({ dataFolder: library.dataFolder, settleMs: SETTLE_MS }),
    ...parts,
  })
  onTestFinished(() => imports.close())
  return imports
}

/** Creates a folder for this test with these files (`writeTree`). */
export async function openTree(files: Parameters<typeof writeTree>[1]): Promise<string> {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  await writeTree(folder, files)
  return folder
}

/** Imports a folder to the end. */
export async function importToEnd(imports: ImportService, request: ImportRequest): Promise<Import> {
  return imports.waitForEnd((await imports.start(request)).import_id)
}

/**
 * Returns the visible content of a library: each image and video by its file name, board name and bytes, in the order
 * of arrival.
 */
export async function imagesOf({ images, boards }: Pick<Library, 'images' | 'boards'>) {
  const view = { orderBy: 'created_at', orderDir: 'ASC', starredFirst: false, kind: 'all' } as const
  const page = await images.page(view, { offset: 0, limit: -1 })
  const names = new Map<string | null, string>()
  for (const board of await boardsOf({ boards })) names.set(board.board_id, board.board_name)
  return (page?.items ?? []).map((image) => ({
    imageName: image.image_name,
    fileName: image.file_name,
    board: names.get(image.board_id) ?? null,
    hash: image.content_hash,
  }))
}

/** Returns all boards by name. */
export async function boardsOf({ boards }: Pick<Library, 'boards'>) {
  const all = { orderBy: 'board_name', direction: 'ASC', includeArchived: true } as const
  return (await boards.list(all)).items
}
