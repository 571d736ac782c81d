import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import type { ZipArchives, ZipEntry } from '#server/core/file-ports.ts'
import { ignoreMissing, systemCode, writeFailure } from './system-errors.ts'

const CHUNK_BYTES = 256 * 1024

/** A file name and nothing more: what the service names its zips. */
const plainZipName = /^[\p{L}\p{N} _-]{1,400}\.zip$/u

const openIfThere = (path: string) =>
  open(path, 'r').catch((error: unknown) => {
    ignoreMissing(error)
    return null
  })

/** Adds one file after the other, each when the one before is through: one open file, flat memory. */
const addEntries = async (
  zip: yazl.ZipFile,
  out: Readable,
  entries: readonly ZipEntry[],
  pathOf: (imageName: string) => string,
): Promise<void> => {
  for (const { imageName, entryName } of entries) {
    if (out.destroyed) return
    const file = await openIfThere(pathOf(imageName))
    if (file === null) continue
    const { size, mtime } = await file.stat()
    if (out.destroyed) {
      await file.close()
      return
    }
    const content = file.createReadStream({ highWaterMark: CHUNK_BYTES })
    // A reader who hangs up leaves this file half read; it must be closed all the same.
    const hangUp = () => content.destroy()
    out.once('close', hangUp)
    zip.addReadStream(content, entryName, { size, mtime, compress: false })
    await finished(content).catch((error: unknown) => {
      if (!out.destroyed) throw error
    })
    out.off('close', hangUp)
  }
  zip.end()
}

/** Zips below a data folder, made of the files that `pathOf` leads to; those that wait lie in `downloads/`. */
export const openZipArchives = async ({
  dataFolder,
  pathOf,
}: {
  dataFolder: string
  pathOf: (imageName: string) => string
}): Promise<ZipArchives> => {
  const folder = join(dataFolder, 'downloads')
  await mkdir(folder, { recursive: true })

  const stream = (entries: readonly ZipEntry[]): Readable => {
    const zip = new yazl.ZipFile()
    const out = new PassThrough({ highWaterMark: CHUNK_BYTES })
    zip.on('error', (error: Error) => out.destroy(error))
    zip.outputStream.pipe(out)
    addEntries(zip, out, entries, pathOf).catch((error: Error) => out.destroy(error))
    return out
  }

  return {
    stream,

    write: async (zipName, entries, signal) => {
      const unfinished = join(folder, `${zipName}.part`)
      try {
        await pipeline(stream(entries), createWriteStream(unfinished), { signal })
        await rename(unfinished, join(folder, zipName))
      } catch (error) {
        await unlink(unfinished).catch(ignoreMissing)
        throw writeFailure(error)
      }
    },

    take: async (zipName) => {
      if (!plainZipName.test(zipName)) return null
      const path = join(folder, zipName)
      const file = await openIfThere(path)
      if (file === null) return null
      const { size } = await file.stat()
      // Unlinked now, read through the open file: a second fetch finds nothing, a crash leaves nothing.
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
