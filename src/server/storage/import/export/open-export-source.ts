import { open, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Value from 'typebox/value'
import { isPlainName } from '#contract/downloads/safe-file-name.ts'
import { isOrderKey } from '#contract/order-key.ts'
import { batchesOf } from '#server/core/batches-of.ts'
import {
  EXPORT_MANIFEST,
  EXPORT_ORDER,
  type ExportManifest,
  ExportSidecar,
  SIDECAR_EXTENSION,
} from '#server/core/exports/export-files.ts'
import type {
  ImportSource,
  SourceBoard,
  SourceEntry,
  SourceFault,
  SourceRecord,
} from '#server/core/imports/import-ports.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'
import { readManifest } from '#server/storage/export/read-manifest.ts'
import { type FoundFile, walkFolder } from '#server/storage/import/walk-folder.ts'

const CONCURRENCY = 32

export const looksLikeExport = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, EXPORT_MANIFEST)).catch(() => null))?.isFile() === true

/**
 * Images come in their recorded order, followed by all other files. An image whose sidecar cannot be read is imported
 * as a plain file of its folder, and the sidecar is reported.
 *
 * @param excluded - Folders to skip, as ids of `folderId`: the library itself.
 */
export const openExportSource = async (
  folder: string,
  { excluded = [] }: { excluded?: readonly string[] } = {},
): Promise<ImportSource> => {
  const root = await realpath(folder)
  const manifest = await readManifest(root)
  const boards = boardsOfExport(manifest)
  return {
    kind: 'export',
    folder: root,
    async *boards() {
      for (const board of manifest?.boards ?? []) yield boardOf(board)
    },
    async *entries(signal) {
      if (manifest === null) yield { path: join(root, EXPORT_MANIFEST), reason: noManifest }
      const seen = new Set<string>()
      for await (const paths of batchesOf(orderedPaths(root), CONCURRENCY)) {
        for (const found of await Promise.all(paths.map((path) => fileAt(root, path)))) {
          if (signal.aborted) return
          if (found === null || seen.has(found.relativePath)) continue
          seen.add(found.relativePath)
          yield* withSidecar(found, boards)
        }
      }
      for await (const found of walkFolder(root, new Set(excluded), signal)) {
        if (!('bytes' in found)) yield found
        else if (!seen.has(found.relativePath)) yield* withSidecar(found, boards)
      }
    },
    close: async () => {},
  }
}

const noManifest = 'The list of boards in the export cannot be read. Boards keep only their names.'

/** Yields paths in order of arrival. Yields nothing if the export is incomplete. */
async function* orderedPaths(root: string): AsyncGenerator<string> {
  await using file = await open(join(root, EXPORT_ORDER)).catch(() => null)
  if (file !== null) yield* file.readLines({ autoClose: false })
}

/** null: the file no longer exists, or the path leads out of the export. */
const fileAt = async (root: string, relativePath: string): Promise<FoundFile | null> => {
  const parts = relativePath.split('/')
  if (!parts.every(isPlainName)) return null
  const path = join(root, ...parts)
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) return null
  return { path, relativePath, bytes: stats.size, modifiedAt: stats.mtimeMs }
}

async function* withSidecar(
  found: FoundFile,
  boards: ReturnType<typeof boardsOfExport>,
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
  // Somebody may have edited the manifest.
  position: board.position != null && isOrderKey(board.position) ? board.position : null,
})

type OnBoard = Pick<SourceEntry, 'boardName' | 'boardKey'>

/** @param manifest - null: the boards are unknown. */
const boardsOfExport = (manifest: ExportManifest | null) => {
  const boards = manifest?.boards ?? []
  const byFolder = new Map(boards.map((board) => [board.folder, board]))
  const names = new Map(boards.map((board) => [board.board_id, board.board_name]))
  return {
    /** The name decides, because users may edit it; the id distinguishes boards of the same name. */
    ofSidecar: ({ board_id, board_name }: ExportSidecar): OnBoard => {
      const isKnown = board_id !== null && names.get(board_id) === board_name
      return { boardName: board_name, ...(isKnown && { boardKey: board_id }) }
    },
    /** Puts a plain file on the board of its folder. */
    ofFolder: (relativePath: string): OnBoard => {
      const folder = relativePath.split('/').slice(0, -1).join('/')
      if (folder === '' || folder === manifest?.uncategorized_folder) return { boardName: null }
      const board = byFolder.get(folder)
      return { boardName: board?.board_name ?? folder, ...(board && { boardKey: board.board_id }) }
    },
  }
}

/** More than any sidecar needs: workflows have at most a few megabytes. */
const MAX_BYTES = 64 * 1024 * 1024

/** null: there is no sidecar. Text: why it cannot be used, for the user. */
const readSidecar = async (
  imagePath: string,
  bytes: number,
): Promise<ExportSidecar | string | null> => {
  const path = systemPath(imagePath + SIDECAR_EXTENSION)
  try {
    const stats = await stat(path)
    if (!stats.isFile() || stats.size > MAX_BYTES) return broken
    const sidecar: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!Value.Check(ExportSidecar, sidecar)) return faultIn(sidecar)
    return sidecar.file_size === bytes ? sidecar : wrongImage
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? null : broken
  }
}

const broken = 'It cannot be read. Its image is imported as a plain file.'

const wrongImage = 'Its image is not the one that was exported. It is imported as a plain file.'

const faultIn = (sidecar: unknown): string => {
  const [, member] = Value.Errors(ExportSidecar, sidecar)[0]?.instancePath.split('/') ?? []
  if (member === undefined) return broken
  return `Its “${member}” is not as exports write it: its image counts as a plain file.`
}

const recordOfSidecar = (sidecar: ExportSidecar): SourceRecord => ({
  identity: sidecar.image_name,
  contentHash: sidecar.content_hash,
  fileName: sidecar.file_name,
  category: sidecar.image_category,
  origin: sidecar.image_origin,
  isIntermediate: false,
  starred: sidecar.starred,
  createdAt: Date.parse(sidecar.created_at),
  takenAt: sidecar.taken_at === null ? null : Date.parse(sidecar.taken_at),
  sessionId: sidecar.session_id,
  nodeId: sidecar.node_id,
  metadata: sidecar.metadata,
  workflow: sidecar.workflow,
  graph: sidecar.graph,
  posterMs: sidecar.poster_ms ?? null,
  rating: sidecar.rating ?? 0,
  tags: sidecar.tags ?? [],
})
