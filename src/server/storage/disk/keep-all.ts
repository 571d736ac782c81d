import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { IncomingFile } from '#server/core/file-ports.ts'
import { flushDirectory } from './flush-directory.ts'
import { imagePath } from './image-path.ts'
import { ignoreMissing, writeFailure } from './system-errors.ts'

/**
 * Gives incoming files their names below `root`; then each directory is flushed, once.
 *
 * @throws {Refusal} `disk_full`. Some may have their names then.
 */
export const keepAll = async (
  root: string,
  files: readonly { incoming: IncomingFile; imageName: string }[],
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
    for (const folder of folders) await flushDirectory(folder)
  } catch (error) {
    throw writeFailure(error)
  }
}
