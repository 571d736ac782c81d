import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { TargetFolderError } from '#server/core/exports/export-ports.ts'
import { exists, systemCode, tryLink } from '#server/storage/disk/system-errors.ts'
import { isInside } from '#server/storage/disk/system-path.ts'
import { prepareWriting, targetFailure } from '#server/storage/disk/target-folder.ts'

/**
 * Opens a file that does not exist yet. It appears when it is complete.
 *
 * @throws {TargetFolderError} It exists, or its folder is missing, is the data folder, or cannot be written.
 */
export const openNewFile = async (path: string, { dataFolder }: { dataFolder: string }) => {
  const folder = await realpath(dirname(path)).catch((cause: unknown) => {
    throw new TargetFolderError(`There is no folder ${dirname(path)}.`, { cause })
  })
  if (isInside(await realpath(dataFolder), folder)) {
    throw new TargetFolderError(`${path} is in the data folder. Choose another folder.`)
  }
  const target = join(folder, basename(path))
  const taken = (cause?: unknown) =>
    new TargetFolderError(`${path} already exists. Choose another name.`, { cause })
  if (await exists(target)) throw taken()
  const unfinished = join(folder, `.tessera-${randomUUID()}.unfinished`)
  let file: FileHandle | null = await prepareWriting(folder, () => open(unfinished, 'wx'))

  const close = async () => {
    await file?.close()
    file = null
    await rm(unfinished, { force: true })
  }

  return {
    /** @throws {TargetFolderError} The disk is full or cannot be written, or another program made the file meanwhile. */
    write: async (parts: Iterable<string | Uint8Array>) => {
      try {
        for (const part of parts) await file?.appendFile(part)
        await file?.sync()
        // Windows does not rename open files.
        await file?.close()
        file = null
        // A link replaces no file, which a rename would.
        if (!(await tryLink(unfinished, target))) await rename(unfinished, target)
      } catch (error) {
        if (systemCode(error) === 'EEXIST') throw taken(error)
        throw targetFailure(folder, error, 'Free some space there and run the same command again.')
      }
    },

    /** Deletes an incomplete file. */
    close,
  }
}
