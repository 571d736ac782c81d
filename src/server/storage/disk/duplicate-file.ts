import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { StagedFile } from '#server/core/intake/file-ports.ts'
import { inFolder } from './make-folder.ts'
import { ignoreMissing, isUnlinkable, systemCode, writeFailure } from './system-errors.ts'
import { flushFile } from './whole-file.ts'

/**
 * Links a file under a random name in `folder`, which needs no space and no flush. It is safe because a stored original
 * is never changed in place, and deleting an image unlinks only one name. Where the file system refuses a link (exFAT
 * has none, ext4 allows 65,000 per file), the file is copied, with shared extents where possible (Btrfs, XFS, APFS).
 *
 * @returns null: there is no file at `path`.
 * @throws {Refusal} `disk_full`. The temporary file is removed.
 */
export const duplicateFile = async (path: string, folder: string): Promise<StagedFile | null> => {
  const target = join(folder, randomUUID())
  try {
    await inFolder(folder, () => link(path, target))
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
    await flushFile(target)
  } catch (error) {
    await unlink(target).catch(ignoreMissing)
    throw writeFailure(error)
  }
}
