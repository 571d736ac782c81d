import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Downloads } from '#server/core/intake/file-ports.ts'
import { ignoreMissing, systemCode, writeFailure } from './system-errors.ts'

const CHUNK_BYTES = 256 * 1024

/** A plain file name, as the download service generates them. */
const plainZipName = /^[\p{L}\p{N} _-]{1,400}\.zip$/u

/** Opens `downloads/` of a data folder, which one process uses. A sweep at its start deletes zips of an earlier run. */
export const openDownloadFolder = async (dataFolder: string): Promise<Downloads> => {
  const folder = join(dataFolder, 'downloads')
  await mkdir(folder, { recursive: true })

  return {
    write: async (zipName, content, signal) => {
      const unfinished = join(folder, `${zipName}.part`)
      try {
        await pipeline(content, createWriteStream(unfinished), { signal })
        await rename(unfinished, join(folder, zipName))
      } catch (error) {
        await unlink(unfinished).catch(ignoreMissing)
        throw writeFailure(error)
      }
    },

    take: async (zipName) => {
      if (!plainZipName.test(zipName)) return null
      const path = join(folder, zipName)
      const file = await open(path).catch(ignoreMissing)
      if (file === undefined) return null
      const { size } = await file.stat()
      // Unlinked now and read through the open file: a second request finds no file, and a crash leaves none behind.
      const isOurs = await unlink(path).then(
        () => true,
        (error: unknown) => systemCode(error) !== 'ENOENT',
      )
      if (!isOurs) {
        await file.close()
        return null
      }
      return { bytes: size, content: file.createReadStream({ highWaterMark: CHUNK_BYTES }) }
    },

    sweep: async () => {
      const names = await readdir(folder)
      for (const name of names) await unlink(join(folder, name)).catch(ignoreMissing)
      return names.length
    },
  }
}
