import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { StagedFile } from '#server/core/intake/file-ports.ts'
import { ignoreMissing, isUnlinkable, systemCode, writeFailure } from './system-errors.ts'

/**
 * Stages a file again under a temporary name in `folder`. A hard link needs no space and no flush, and is safe
 * because a stored original is never changed in place and deleting unlinks one name only. Where the file system
 * refuses a link (exFAT has none, ext4 allows 65,000 per file), the file is copied and flushed, with shared
 * extents where the file system has these (Btrfs, XFS, APFS). The folder is made again if somebody removed it.
 *
 * @returns null: there is no file at `path`.
 * @throws {Refusal} `disk_full`. The temporary file is gone then.
 */
export const duplicateFile = async (path: string, folder: string): Promise<StagedFile | null> => {
  const target = join(folder, randomUUID())
  try {
    await link(path, target).catch(async (error: unknown) => {
      ignoreMissing(error) // the file or the folder
      await mkdir(folder, { recursive: true })
      await link(path, target)
    })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    if (!isUnlinkable(error)) throw writeFailure(error)
    await copyAndFlush(path, target)
  }
  return { path: target }
}

const copyAndFlush = async (path: string, target: string): Promise<void> => {
  try {
    await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const file = await open(target, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await unlink(target).catch(ignoreMissing)
    throw writeFailure(error)
  }
}
