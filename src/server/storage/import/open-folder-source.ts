import type { ImportSource, SourceEntry, SourceFault } from '#server/core/import-ports.ts'
import { type FoundFile, walkFolder } from './walk-folder.ts'

/**
 * A folder of images, and folders in it, as people and image generators keep them. The path of folders that
 * leads to a file names its board.
 *
 * @param folder - Absolute, with symbolic links resolved.
 * @param excluded - Folders that are passed over, as `folderId` names them: the library itself.
 */
export const openFolderSource = async (
  folder: string,
  { excluded = [] }: { excluded?: readonly string[] } = {},
): Promise<ImportSource> => ({
  kind: 'folder',
  folder,
  async *boards() {},
  async *entries(signal) {
    const visited = new Set(excluded)
    for await (const found of walkFolder(folder, [], visited, signal)) yield entryOf(found)
  },
  close: async () => {},
})

const entryOf = (found: FoundFile | SourceFault): SourceEntry | SourceFault => {
  if (!('bytes' in found)) return found
  const { path, folders, fileName, bytes, modifiedAt } = found
  const boardName = folders.length === 0 ? null : folders.join('/')
  return { path, relativePath: [...folders, fileName].join('/'), bytes, modifiedAt, boardName }
}
