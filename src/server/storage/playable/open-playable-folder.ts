import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, stat, statfs, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#server/core/clock.ts'
import type { PlayableFiles } from '#server/core/images/playable-ports.ts'
import { isImageName } from '#server/core/name-table.ts'
import { Refusal } from '#server/core/refusal.ts'
import {
  ignoreExisting,
  ignoreMissing,
  ignoreNoFile,
  READ_NO_LINK,
  writeFailure,
} from '#server/storage/disk/system-errors.ts'
import { BLOCK_BYTES } from '#server/storage/disk/write-blocks.ts'

const COPY = '.mp4'
const UNFINISHED = '.part'

interface FolderOptions {
  dataFolder: string
  /** Of all copies together. */
  maxBytes: number
  clock: Clock
  /** Free space of the disk in bytes. Tests give a small one. */
  freeBytes?: () => Promise<number>
}

/** Opens the playable copies in `playable/` of the data folder. The access time of a file is its last use. */
export const openPlayableFolder = ({
  dataFolder,
  maxBytes,
  clock,
  freeBytes = async () => {
    const { bavail, bsize } = await statfs(dataFolder)
    return bavail * bsize
  },
}: FolderOptions): PlayableFiles => {
  const folder = join(dataFolder, 'playable')
  const pathOf = (videoName: string): string => {
    if (!isImageName(videoName)) throw new Refusal('video_not_found')
    return join(folder, `${videoName}${COPY}`)
  }

  const namesIn = async () => (await readdir(folder).catch(ignoreMissing)) ?? []

  /** Lists the copies, the longest unused first. */
  const listCopies = async () => {
    const copies: { path: string; bytes: number; usedAt: number }[] = []
    for (const name of await namesIn()) {
      const path = join(folder, name)
      const found = name.endsWith(COPY) ? await stat(path).catch(ignoreMissing) : undefined
      if (found) copies.push({ path, bytes: found.size, usedAt: found.atimeMs })
    }
    return copies.sort((one, other) => one.usedAt - other.usedAt)
  }

  /** Deletes unused copies until others of `bytes` fit below the limit, and `onDisk` on the disk. */
  const makeRoom = async (bytes: number, onDisk: number) => {
    const copies = await listCopies()
    let total = copies.reduce((sum, copy) => sum + copy.bytes, 0)
    let free = onDisk === 0 ? 0 : await freeBytes()
    if (total + free < onDisk) throw new Refusal('disk_full')
    for (const copy of copies) {
      if (total + bytes <= maxBytes && free >= onDisk) return
      await unlink(copy.path).catch(ignoreMissing)
      total -= copy.bytes
      free += copy.bytes
    }
  }

  return {
    find: async (videoName) => {
      const path = pathOf(videoName)
      const found = await stat(path).catch(ignoreMissing)
      if (!found?.isFile()) return null
      // A read-only disk keeps no use.
      await utimes(path, new Date(clock()), found.mtime).catch(() => undefined)
      return { bytes: found.size, tag: `${videoName}-${found.ino}-${Math.floor(found.mtimeMs)}` }
    },

    read: async (videoName, range) => {
      const file = await open(pathOf(videoName), READ_NO_LINK).catch(ignoreNoFile)
      return file?.createReadStream({ highWaterMark: BLOCK_BYTES, ...range }) ?? null
    },

    write: async (videoName, expectedBytes, make) => {
      const path = pathOf(videoName)
      const unfinished = join(folder, `${videoName}.${randomUUID()}${UNFINISHED}`)
      const expected = Math.min(expectedBytes, maxBytes)
      try {
        // Without `recursive`, which would make a new data folder in place of one that is away.
        await mkdir(folder).catch(ignoreExisting)
        await makeRoom(expected, expected)
        await make(unfinished)
        const { size } = await stat(unfinished)
        if (size > maxBytes)
          throw new Refusal('conversion_failed', 'The playable copy does not fit into the cache.')
        await makeRoom(size, 0)
        const now = new Date(clock())
        await utimes(unfinished, now, now)
        await rename(unfinished, path)
      } catch (error) {
        await unlink(unfinished).catch(ignoreMissing)
        throw writeFailure(error)
      }
    },

    remove: async (videoNames) => {
      for (const name of videoNames) await unlink(pathOf(name)).catch(ignoreMissing)
    },

    sweep: async () => {
      for (const name of await namesIn())
        if (name.endsWith(UNFINISHED)) await unlink(join(folder, name)).catch(ignoreMissing)
      await makeRoom(0, 0)
    },
  }
}
