import { onTestFinished } from 'vitest'
import { ConvertedExport } from '#server/core/exports/converted-export.ts'
import { type ExportRequest, ExportService } from '#server/core/exports/export-service.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { PictureForm } from '#server/core/images/picture-ports.ts'
import { ImportService } from '#server/core/imports/import-service.ts'
import { openConvertedFolder } from '#server/storage/export/open-converted-folder.ts'
import { openExportFolder } from '#server/storage/export/open-export-folder.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import type { Library } from './open-library.ts'

const { signal: neverStopped } = new AbortController()

/** Exports a library to a folder. */
export const exportInto = async (
  { exports: records, files, originals, dataFolder }: Library,
  folder: string,
  {
    boards = null,
    link = false,
    names = null,
    hasXmp = false,
    signal = neverStopped,
  }: ExportOptions = {},
) => {
  const opened = await openExportFolder(folder, { dataFolder, files })
  const service = new ExportService({ records, folder: opened, originals })
  return service.run({ boards, link, names, hasXmp }, { signal })
}

/** Exports a library to a folder in another form. */
export const exportConverted = async (
  { exports: records, dataFolder, ...parts }: Library,
  folder: string,
  changes: Partial<PictureForm>,
  { boards = null, names = null, hasXmp = false, signal = neverStopped }: ExportOptions = {},
) => {
  const form: PictureForm = {
    ...{ format: 'original', quality: 80, longestSidePx: null, withoutMetadata: false },
    ...changes,
  }
  const opened = await openConvertedFolder(folder, form, { dataFolder, files: parts.files })
  const service = new ConvertedExport({ ...parts, records, folder: opened })
  return service.run({ boards, names, hasXmp, form }, { signal })
}

type ExportOptions = Partial<ExportRequest> & { signal?: AbortSignal }

/** Imports a folder into a library and waits for the end. */
export const importFrom = async (library: Library, folder: string) => {
  const open = openImportSources({ dataFolder: library.dataFolder })
  const limits = { maxUploadBytes: 64 * 1024 * 1024 }
  const imports = new ImportService({ ...library, limits, open })
  onTestFinished(() => imports.close())
  return imports.waitForEnd((await imports.start({ folder })).import_id)
}

const newestFirst: View = { orderBy: 'created_at', orderDir: 'DESC', starredFirst: false }

/** Returns the visible content of a library without ids and image names, which differ between libraries. */
export const visibleContentOf = async ({ boards, images }: Library) => {
  const { items } = await boards.list({
    orderBy: 'created_at',
    direction: 'ASC',
    includeArchived: true,
  })
  const page = await images.page(newestFirst, { offset: 0, limit: 10_000 })
  const names = new Map(items.map((board) => [board.board_id, board.board_name]))
  const positions = new Map(page?.items.map((image, at) => [image.image_name, at]))
  return {
    boards: items.map((item) => {
      const { board_id: _, updated_at: __, last_added_at: ___, cover_image_name, ...rest } = item
      const { chosen_cover_image_name: chosen, ...board } = rest
      return {
        ...board,
        cover: positions.get(cover_image_name ?? ''),
        chosenCover: positions.get(chosen ?? ''),
      }
    }),
    images: await Promise.all(
      (page?.items ?? []).map(async ({ board_id, ...image }) => {
        const { image_name, image_url: _, thumbnail_url: __, updated_at: ___, ...seen } = image
        const board = board_id === null ? null : names.get(board_id)
        return { ...seen, board, embedded: await images.metadata(image_name) }
      }),
    ),
  }
}
