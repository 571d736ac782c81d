import { randomUUID } from 'node:crypto'
import { close, createReadStream, fstat, open, read } from 'node:fs'
import { mkdir, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import type {
  ByteRange,
  ImageFiles,
  StagedFile,
  StoredFile,
} from '#server/core/intake/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { duplicateFile } from './duplicate-file.ts'
import { imageFolder, imageFolders, imageNameAtEnd, imagePath } from './image-path.ts'
import { openIncomingFolder } from './incoming-folder.ts'
import {
  exists,
  ignoreExisting,
  ignoreMissing,
  ignoreNoFile,
  READ_NO_LINK,
  writeFailure,
} from './system-errors.ts'
import { hashFile } from './whole-file.ts'
import { BLOCK_BYTES, flushDirectory } from './write-blocks.ts'

/** Concurrent system calls per method: enough to use the thread pool, few enough not to starve other requests. */
const CONCURRENCY = 8

/**
 * Opens the originals in `images/<two digits>/<name>`, temporary files in `incoming/`, and files without a record in
 * `set-aside/`. All must be on one file system, because files are moved by renaming.
 */
export const openImageFiles = async ({
  dataFolder,
  onDiskError = () => {},
}: {
  dataFolder: string
  /** Called when bytes could not be written or flushed, unless the disk is full. */
  onDiskError?: () => void
}): Promise<ImageFiles> => {
  const root = join(dataFolder, 'images')
  const setAsideFolder = join(dataFolder, 'set-aside')
  for (const folder of [root, setAsideFolder]) {
    await mkdir(folder, { recursive: true })
  }
  const { folder: incomingFolder, ...incoming } = await openIncomingFolder(dataFolder)
  await flushDirectory(dataFolder)

  const reporting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof Refusal && error.code === 'disk_error') onDiskError()
      throw error
    }
  }

  const namesIn = async (folder: string) => {
    const names = (await readdir(join(root, folder)).catch(ignoreMissing)) ?? []
    return names.filter((name) => imageFolder(name) === folder)
  }

  return {
    ...incoming,

    receive: (source, options) => reporting(incoming.receive(source, options)),

    duplicate: async (imageName) =>
      reporting(duplicateFile(imagePath(root, imageName), incomingFolder)),

    keep: (staged) => reporting(keepFiles(root, staged)),

    read: async (imageName) => readWhole(imagePath(root, imageName)),

    readPart: async (imageName, range) => readPart(imagePath(root, imageName), range),

    local: async (imageName) => {
      const path = imagePath(root, imageName)
      return (await exists(path)) ? { path, [Symbol.asyncDispose]: async () => {} } : null
    },

    stat: async (imageName) => {
      const found = await stat(imagePath(root, imageName)).catch(ignoreMissing)
      if (found === undefined) return null
      return { bytes: found.size, modifiedAt: found.mtimeMs, changedAt: found.ctimeMs }
    },

    contentHash: async (imageName) => hashFile(imagePath(root, imageName)),

    remove: async (imageNames) => {
      const limit = pLimit(CONCURRENCY)
      const paths = imageNames.map((imageName) => imagePath(root, imageName))
      await limit.map(paths, (path) => unlink(path).catch(ignoreMissing))
      // Without this flush, a deleted image could reappear after a power failure, with neither record nor tombstone.
      await limit.map(new Set(paths.map(dirname)), (path) =>
        flushDirectory(path).catch(ignoreMissing),
      )
    },

    list: async function* () {
      for (const folder of imageFolders) yield { folder, imageNames: await namesIn(folder) }
    },

    hasAny: async () => {
      for (const folder of imageFolders) if ((await namesIn(folder)).length > 0) return true
      return false
    },

    setAside: async (imageName) => {
      const path = imagePath(root, imageName)
      // A rename replaces an existing file, so each name must be unique, even within one millisecond.
      const target = join(setAsideFolder, `${Date.now()}-${randomUUID()}-${imageName}`)
      await rename(path, target)
      return target
    },

    listSetAside: async () => {
      const fileNames = await readdir(setAsideFolder)
      return fileNames.flatMap((fileName) => {
        const imageName = imageNameAtEnd(fileName)
        return imageName === null ? [] : { path: join(setAsideFolder, fileName), imageName }
      })
    },

    setAsideHash: ({ path }) => hashFile(path),

    takeBack: async ({ path, imageName }) => {
      const target = imagePath(root, imageName)
      await mkdir(dirname(target), { recursive: true })
      if (await exists(target)) return
      await rename(path, target)
      await flushDirectory(dirname(target))
    },
  }
}

const [openFile, statFile, readFrom, closeFile] = [
  promisify(open),
  promisify(fstat),
  promisify(read),
  promisify(close),
]

/** Opens a file for reading. The server stores no symbolic links, and one made by others may point anywhere. */
const openNoLink = (path: string) => openFile(path, READ_NO_LINK).catch(ignoreNoFile)

const readWhole = async (path: string): Promise<StoredFile | null> => {
  const fd = await openNoLink(path)
  if (fd === undefined) return null
  const { size, mtimeMs } = await statFile(fd).catch(async (error: unknown) => {
    await closeFile(fd)
    throw error
  })
  const content = createReadStream('', { fd, highWaterMark: BLOCK_BYTES })
  return { bytes: size, modifiedAt: mtimeMs, content }
}

/** A part of at most one block is read at once: a stream would hold as much, and takes longer. */
const readPart = async (
  path: string,
  { start, end }: ByteRange,
): Promise<Uint8Array | Readable | null> => {
  const fd = await openNoLink(path)
  if (fd === undefined) return null
  if (end - start >= BLOCK_BYTES) {
    return createReadStream('', { fd, highWaterMark: BLOCK_BYTES, start, end })
  }
  try {
    const part = Buffer.allocUnsafe(end - start + 1)
    for (let at = 0; at < part.length; ) {
      const { bytesRead } = await readFrom(fd, part, at, part.length - at, start + at)
      // The file was cut off since it was checked.
      if (bytesRead === 0) return null
      at += bytesRead
    }
    return part
  } finally {
    await closeFile(fd)
  }
}

const keepFiles = async (
  root: string,
  files: readonly { incoming: StagedFile; imageName: string }[],
): Promise<void> => {
  const folders = new Set<string>()
  try {
    for (const { incoming, imageName } of files) {
      const path = imagePath(root, imageName)
      await rename(incoming.path, path).catch(async (error: unknown) => {
        ignoreMissing(error)
        // Without `recursive`, which would make a new data folder in place of one that is away.
        await mkdir(dirname(path)).catch(ignoreExisting)
        await flushDirectory(root)
        await rename(incoming.path, path)
      })
      folders.add(dirname(path))
    }
    await pLimit(CONCURRENCY).map(folders, flushDirectory)
  } catch (error) {
    throw writeFailure(error)
  }
}
