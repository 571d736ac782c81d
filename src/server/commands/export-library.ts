import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportRecords } from '#server/core/export-ports.ts'
import { DataFolderHeldError } from '#server/data-folder-held-error.ts'
import { lockDataFolder } from '#server/data-folder-lock.ts'
import { StartError } from '#server/start-error.ts'
import { openExports } from '#server/storage/sqlite/open-exports.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'

/** A library that is exported. */
export interface LibraryToExport {
  exports: ExportRecords
  close(): Promise<void>
}

/**
 * Opens a library for export. Where a server has it, its records are read beside that server, which SQLite's
 * WAL lets both do; where none has it, it is held meanwhile, and brought up to date if it is an older one.
 *
 * @throws {StartError} There is no library in the folder.
 * @throws {LibraryError} It is damaged, or of another version.
 */
export async function openLibraryToExport(dataFolder: string): Promise<LibraryToExport> {
  if (!existsSync(join(dataFolder, 'tessera.db'))) {
    throw new StartError(`There is no library in ${dataFolder}. Give its folder with --data.`, 2)
  }
  try {
    return await openHeld(dataFolder)
  } catch (error) {
    if (!(error instanceof DataFolderHeldError)) throw error
    return openExports({ dataFolder })
  }
}

async function openHeld(dataFolder: string): Promise<LibraryToExport> {
  const lock = lockDataFolder(dataFolder)
  try {
    const records = await openRecords({ dataFolder })
    const close = async () => {
      await records.close()
      lock.release()
    }
    return { exports: records.exports, close }
  } catch (error) {
    lock.release()
    throw error
  }
}
