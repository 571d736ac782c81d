import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import type { ImageFiles } from '#server/core/file-ports.ts'
import { flushDirectory } from './flush-directory.ts'
import { imageFolder, imageFolders, imagePath } from './image-path.ts'
import { keepFiles } from './keep-files.ts'
import { receiveFile } from './receive-file.ts'
import { ignoreMissing } from './system-errors.ts'
import { BLOCK_BYTES } from './write-blocks.ts'

/** System calls of one method in flight at once: enough for the thread pool, too few to starve others. */
const ABREAST = 8

/**
 * Full-resolution files below a data folder: `images/<two digits>/<name>`, temporaries in `incoming/`,
 * and in `set-aside/` what no record explains. All on one file system, since files are renamed.
 */
export const openImageFiles = async ({
  dataFolder,
}: {
  dataFolder: string
}): Promise<ImageFiles> => {
  const root = join(dataFolder, 'images')
  const incomingFolder = join(dataFolder, 'incoming')
  const setAsideFolder = join(dataFolder, 'set-aside')
  for (const folder of [root, incomingFolder, setAsideFolder]) {
    await mkdir(folder, { recursive: true })
  }
  await flushDirectory(dataFolder)

  return {
    receive: (source, options) => receiveFile(incomingFolder, source, options),

    keep: (staged) => keepFiles(root, staged),

    discard: (incoming) => unlink(incoming.path).catch(ignoreMissing),

    pathOf: (imageName) => imagePath(root, imageName),

    read: (imageName) =>
      createReadStream(imagePath(root, imageName), { highWaterMark: BLOCK_BYTES }),

    remove: async (imageNames) => {
      const limit = pLimit(ABREAST)
      const paths = imageNames.map((imageName) => imagePath(root, imageName))
      await limit.map(paths, (path) => unlink(path).catch(ignoreMissing))
      // Or a deleted picture could be back after a power cut, with no record and no tombstone.
      await limit.map(new Set(paths.map(dirname)), (path) =>
        flushDirectory(path).catch(ignoreMissing),
      )
    },

    list: async function* () {
      for (const folder of imageFolders) {
        const names = await readdir(join(root, folder)).catch((error: unknown): string[] => {
          ignoreMissing(error)
          return []
        })
        yield { folder, imageNames: names.filter((name) => imageFolder(name) === folder) }
      }
    },

    setAside: async (imageName) => {
      const path = imagePath(root, imageName)
      // A rename overwrites what is there, so no two may ever have one name, in the same millisecond either.
      const target = join(setAsideFolder, `${Date.now()}-${randomUUID()}-${imageName}`)
      await rename(path, target)
      return target
    },

    sweepTemporaries: async () => {
      const names = await readdir(incomingFolder)
      await pLimit(ABREAST).map(names, (name) =>
        unlink(join(incomingFolder, name)).catch(ignoreMissing),
      )
      return names.length
    },

    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dataFolder)
      return bavail * bsize
    },
  }
}
