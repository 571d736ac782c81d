import { randomUUID } from 'node:crypto'
import { close, open, readFile } from 'node:fs'
import { link, mkdir, readdir, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import type { ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import { imageFolder, imageFolders, imagePath } from '#server/storage/disk/image-path.ts'
import { inFolder } from '#server/storage/disk/make-folder.ts'
import {
  exists,
  ignoreMissing,
  ignoreNoFile,
  READ_NO_LINK,
  writeFailure,
} from '#server/storage/disk/system-errors.ts'
import { storedSizes, storedSizesOf } from './stored-sizes.ts'

const CONCURRENCY = 8

const openFile = promisify(open)
const readOpenFile = promisify(readFile)
const closeFile = promisify(close)

/** Uses descriptors, because creating a `FileHandle` of `fs/promises` costs more than reading a thumbnail. */
const readWhole = async (path: string): Promise<Buffer> => {
  const file = await openFile(path, READ_NO_LINK)
  try {
    return await readOpenFile(file)
  } finally {
    await closeFile(file)
  }
}

/** Opens `thumbnails/<size>/<two digits>/<name>.webp` of a data folder. Not flushed: they can be made again. */
export const openThumbnailFiles = async (dataFolder: string): Promise<ThumbnailFiles> => {
  const root = join(dataFolder, 'thumbnails')
  await mkdir(root, { recursive: true })
  const pathOf = (imageName: string, sizePx: number) =>
    imagePath(join(root, String(sizePx)), imageName, `${imageName}.webp`)

  return {
    write: async (imageName, sizePx, webp) => {
      const path = pathOf(imageName, sizePx)
      // Written under a temporary name and renamed, so that no request gets a partial file.
      const temporary = `${path}.${randomUUID()}`
      try {
        await inFolder(dirname(path), () => writeFile(temporary, webp))
        await rename(temporary, path)
      } catch (error) {
        await unlink(temporary).catch(ignoreMissing)
        throw writeFailure(error)
      }
    },

    duplicate: async (imageName, copyName) => {
      for (const size of storedSizesOf(imageName)) {
        const [from, to] = [pathOf(imageName, size), pathOf(copyName, size)]
        if (!(await exists(from))) continue
        // A missing one is made again on first use.
        await inFolder(dirname(to), () => link(from, to)).catch(() => undefined)
      }
    },

    read: async (imageName, sizePx) =>
      (await readWhole(pathOf(imageName, sizePx)).catch(ignoreNoFile)) ?? null,

    list: async function* () {
      for (const folder of imageFolders) {
        const imageNames = new Set<string>()
        for (const size of storedSizes) {
          const path = join(root, String(size), folder)
          for (const name of await readdir(path).catch(() => [])) {
            const imageName = name.endsWith('.webp') ? name.slice(0, -'.webp'.length) : ''
            if (imageFolder(imageName) === folder) imageNames.add(imageName)
          }
        }
        yield { folder, imageNames: [...imageNames] }
      }
    },

    remove: async (imageNames) => {
      const paths = imageNames.flatMap((name) =>
        storedSizesOf(name).map((size) => pathOf(name, size)),
      )
      await pLimit(CONCURRENCY).map(paths, (path) => unlink(path).catch(ignoreMissing))
    },
  }
}
