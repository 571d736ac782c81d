import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import pLimit from 'p-limit'
import type { StagedFile } from '#server/core/file-ports.ts'
import { flushDirectory } from './flush-directory.ts'
import { imagePath } from './image-path.ts'
import { ignoreMissing, writeFailure } from './system-errors.ts'

const FLUSHES_AT_ONCE = 8

/**
 * Renames staged files to their final names below `root`, then flushes each directory once.
 *
 * @throws {Refusal} `disk_full`. Some files may have been renamed.
 */
export const keepFiles = async (
  root: string,
  files: readonly { incoming: StagedFile; imageName: string }[],
): Promise<void> => {
  const folders = new Set<string>()
  try {
    for (const { incoming, imageName } of files) {
      const path = imagePath(root, imageName)
      await rename(incoming.path, path).catch(async (error: unknown) => {
        ignoreMissing(error)
        await mkdir(dirname(path), { recursive: true })
        await flushDirectory(root)
        await rename(incoming.path, path)
      })
      folders.add(dirname(path))
    }
    await pLimit(FLUSHES_AT_ONCE).map(folders, flushDirectory)
  } catch (error) {
    throw writeFailure(error)
  }
}
