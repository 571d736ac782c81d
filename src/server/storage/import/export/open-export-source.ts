import { open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { batchesOf } from '#server/core/batches-of.ts'
import {
  EXPORT_MANIFEST,
  EXPORT_ORDER,
  type ExportManifest,
  SIDECAR_EXTENSION,
} from '#server/core/export-files.ts'
import type {
  ImportSource,
  SourceBoard,
  SourceEntry,
  SourceFault,
} from '#server/core/import-ports.ts'
import { isPlainName } from '#server/core/safe-file-name.ts'
import { readManifest } from '#server/storage/export/read-manifest.ts'
import { walkFolder } from '#server/storage/import/walk-folder.ts'
import { BoardsOfExport } from './boards-of-export.ts'
import { readSidecar, recordOfSidecar } from './read-sidecar.ts'

/** Files that are looked at together. */
const ABREAST = 32

/** Whether a folder holds what `tessera export` wrote. */
export const looksLikeExport = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, EXPORT_MANIFEST)).catch(() => null))?.isFile() === true

/**
 * What `tessera export` wrote, in the order in which the images arrived, and after it whatever else lies there
 * now. An image whose sidecar cannot be read is a plain file of its folder, and that is told.
 *
 * @param excluded - Folders that are passed over, as `folderId` names them: the library itself.
 */
export const openExportSource = async (
  folder: string,
  { excluded = [] }: { excluded?: readonly string[] } = {},
): Promise<ImportSource> => {
  const root = await realpath(folder)
  const manifest = await readManifest(root)
  const boards = new BoardsOfExport(manifest)
  return {
    kind: 'export',
    folder: root,
    async *boards() {
      for (const board of manifest?.boards ?? []) yield boardOf(board)
    },
    async *entries(signal) {
      if (manifest === null) yield { path: join(root, EXPORT_MANIFEST), reason: noManifest }
      const seen = new Set<string>()
      for await (const paths of batchesOf(orderedPaths(root), ABREAST)) {
        for (const found of await Promise.all(paths.map((path) => fileAt(root, path)))) {
          if (signal.aborted) return
          if (found === null || seen.has(found.relativePath)) continue
          seen.add(found.relativePath)
          yield* described(found, boards)
        }
      }
      for await (const found of walkFolder(root, new Set(excluded), signal)) {
        if (!('bytes' in found)) {
          yield found
          continue
        }
        const { path, folders, fileName, bytes, modifiedAt } = found
        const relativePath = [...folders, fileName].join('/')
        if (seen.has(relativePath)) continue
        yield* described({ path, relativePath, bytes, modifiedAt }, boards)
      }
    },
    close: async () => {},
  }
}

const noManifest = 'The list of boards in the export cannot be read. Boards keep only their names.'

type Found = Pick<SourceEntry, 'path' | 'relativePath' | 'bytes' | 'modifiedAt'>

/** Paths in the order of arrival; none where the export did not come to its end. */
async function* orderedPaths(root: string): AsyncGenerator<string> {
  const file = await open(join(root, EXPORT_ORDER)).catch(() => null)
  if (file === null) return
  try {
    yield* file.readLines({ autoClose: false })
  } finally {
    await file.close()
  }
}

/** null: it is not there any more, or leads out of the export. */
const fileAt = async (root: string, relativePath: string): Promise<Found | null> => {
  const parts = relativePath.split('/')
  if (!parts.every(isPlainName)) return null
  const path = join(root, ...parts)
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) return null
  return { path, relativePath, bytes: stats.size, modifiedAt: stats.mtimeMs }
}

/** An image with what its sidecar says. */
async function* described(
  found: Found,
  boards: BoardsOfExport,
): AsyncGenerator<SourceEntry | SourceFault> {
  const sidecar = await readSidecar(found.path, found.bytes)
  if (typeof sidecar === 'string') yield { path: found.path + SIDECAR_EXTENSION, reason: sidecar }
  if (sidecar === null || typeof sidecar === 'string') {
    yield { ...found, ...boards.ofFolder(found.relativePath) }
  } else {
    yield { ...found, ...boards.ofSidecar(sidecar), record: recordOfSidecar(sidecar) }
  }
}

const boardOf = (board: ExportManifest['boards'][number]): SourceBoard => ({
  boardName: board.board_name,
  boardKey: board.board_id,
  createdAt: Date.parse(board.created_at),
  description: board.description,
  archived: board.archived,
  starred: board.starred,
  visibility: board.board_visibility,
  cover: board.cover_image_name,
})
