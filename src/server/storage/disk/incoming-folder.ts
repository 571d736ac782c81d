import { mkdir, readdir, statfs, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { receiveFile } from './receive-file.ts'
import { ignoreMissing } from './system-errors.ts'

const CONCURRENCY = 8

type OfIncoming = 'receive' | 'discard' | 'listTemporaries' | 'sweepTemporaries' | 'freeBytes'

/** Opens the temporary files of a data folder, in `incoming/`. Every store of originals stages new files there. */
export const openIncomingFolder = async (
  dataFolder: string,
): Promise<Pick<ImageFiles, OfIncoming> & { folder: string }> => {
  const folder = join(dataFolder, 'incoming')
  await mkdir(folder, { recursive: true })
  return {
    folder,

    receive: (source, options) => receiveFile(folder, source, options),

    discard: (incoming) => unlink(incoming.path).catch(ignoreMissing),

    listTemporaries: () => readdir(folder),

    sweepTemporaries: async () => {
      const names = (await readdir(folder).catch(ignoreMissing)) ?? []
      await pLimit(CONCURRENCY).map(names, (name) =>
        unlink(join(folder, name)).catch(ignoreMissing),
      )
      return names.length
    },

    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dataFolder)
      return bavail * bsize
    },
  }
}
