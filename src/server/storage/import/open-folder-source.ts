import type { ImportSource, SourceEntry, SourceFault } from '#server/core/import-ports.ts'
import { type FoundFile, folderId, walkFolder } from './walk-folder.ts'
import { SETTLE_MS, watchFolder } from './watch-folder.ts'

/**
 * A folder of images, and folders in it, as people and image generators keep them. The path of folders that
 * leads to a file names its board.
 *
 * @param folder - Absolute, with symbolic links resolved.
 * @param library - A folder that is passed over: the library itself. Absolute, links resolved.
 * @param settleMs - How long an arriving file must stay as it is.
 */
export const openFolderSource = async (
  folder: string,
  { library, settleMs = SETTLE_MS }: { library?: string; settleMs?: number } = {},
): Promise<ImportSource> => {
  const excluded = library === undefined ? [] : [await folderId(library)]
  return {
    kind: 'folder',
    folder,
    async *boards() {},
    async *entries(signal) {
      const visited = new Set(excluded)
      for await (const found of walkFolder(folder, visited, signal)) yield entryOf(found)
    },
    async *arrivals(since, signal) {
      const options = { since, settleMs, signal, library }
      for await (const found of watchFolder(folder, options)) yield entryOf(found)
    },
    close: async () => {},
  }
}

const entryOf = (found: FoundFile | SourceFault): SourceEntry | SourceFault => {
  if (!('bytes' in found)) return found
  const { path, folders, fileName, bytes, modifiedAt } = found
  const boardName = folders.length === 0 ? null : folders.join('/')
  return { path, relativePath: [...folders, fileName].join('/'), bytes, modifiedAt, boardName }
}
