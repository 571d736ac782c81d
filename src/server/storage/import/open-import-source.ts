import { opendir, realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { OpenImportSource } from '#server/core/imports/import-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { isInside } from '#server/storage/disk/system-path.ts'
import { findInvokeaiRoot } from './invokeai/invokeai-root.ts'
import { type FolderSourceOptions, openFolderSource } from './open-folder-source.ts'
import { folderId } from './walk-folder.ts'

/** @param options - As of `openFolderSource`. */
export const openImportSources =
  ({
    dataFolder,
    ...times
  }: { dataFolder: string } & Omit<FolderSourceOptions, 'library'>): OpenImportSource =>
  async (folder) => {
    const path = await resolveFolder(folder)
    const library = await realpath(dataFolder)
    if (isInside(library, path)) throw new Refusal('folder_is_library')
    const invokeai = await findInvokeaiRoot(folder)
    // Loaded only for the first import: together they take 10 MB of memory.
    if (invokeai !== null) {
      const { openInvokeaiSource } = await import('./invokeai/open-invokeai-source.ts')
      return openInvokeaiSource(invokeai)
    }
    const { looksLikeExport, openExportSource } = await import('./export/open-export-source.ts')
    if (await looksLikeExport(path)) {
      return openExportSource(path, { excluded: [await folderId(library)] })
    }
    return openFolderSource(path, { library, ...times })
  }

/** @throws {Refusal} `folder_not_found`, `folder_unreadable`. */
const resolveFolder = async (folder: string): Promise<string> => {
  if (!isAbsolute(folder)) throw new Refusal('folder_not_found', `${folder} is no absolute path.`)
  try {
    const path = await realpath(folder)
    if (!(await stat(path)).isDirectory()) {
      throw new Refusal('folder_not_found', `${folder} is a file, not a folder.`)
    }
    const directory = await opendir(path)
    await directory.close()
    return path
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    const isMissing = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(cause) ?? '')
    throw isMissing
      ? new Refusal('folder_not_found', `There is no folder ${folder} on this machine.`, { cause })
      : new Refusal('folder_unreadable', `Tessera may not read the folder ${folder}.`, { cause })
  }
}
