import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ZipArchives, ZipEntry } from '#server/core/intake/file-ports.ts'
import { ignoreMissing, systemCode, writeFailure } from './system-errors.ts'

const CHUNK_BYTES = 256 * 1024

/** A file name and nothing more: what the service names its zips. */
const plainZipName = /^[\p{L}\p{N} _-]{1,400}\.zip$/u

const openIfThere = (path: string) =>
  open(path, 'r').catch((error: unknown) => {
    ignoreMissing(error)
    return null
  })

/** The file in a zip that lists what the zip lacks. */
const LEFT_OUT_NAME = 'Not included.txt'

interface Originals {
  pathOf: (imageName: string) => string
  check: Pick<OriginalCheck, 'stateOf'>
}

/** Adds one file after the other: one is open at a time, and memory stays flat. */
const addEntries = async (
  zip: yazl.ZipFile,
  out: Readable,
  entries: readonly ZipEntry[],
  { pathOf, check }: Originals,
): Promise<void> => {
  const leftOut: string[] = []
  for (const { image, entryName } of entries) {
    if (out.destroyed) return
    const file = await openIfThere(pathOf(image.image_name))
    if (file === null) {
      leftOut.push(`${entryName}: the file is missing.`)
      continue
    }
    // A file that cannot be read counts as damaged: the other files of the zip are still wanted.
    const state = await check.stateOf(image).catch(() => 'damaged' as const)
    if (state !== 'whole') {
      await file.close()
      leftOut.push(`${entryName}: the file is ${state}.`)
      continue
    }
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
  if (leftOut.length > 0) {
    zip.addBuffer(Buffer.from(leftOutText(leftOut)), freeName(entries), { compress: false })
  }
  zip.end()
}

const leftOutText = (lines: readonly string[]): string =>
  ['These images could not be included.', 'Restore them from a backup.', '', ...lines, ''].join(
    '\r\n',
  )

/** A name that no image of the zip has. */
const freeName = (entries: readonly ZipEntry[]): string => {
  const taken = new Set(entries.map(({ entryName }) => entryName.toLowerCase()))
  let name = LEFT_OUT_NAME
  for (let number = 2; taken.has(name.toLowerCase()); number++)
    name = `Not included (${number}).txt`
  return name
}

/** Zips below a data folder. Those that wait to be fetched are in `downloads/`. */
export const openZipArchives = async ({
  dataFolder,
  ...originals
}: {
  dataFolder: string
} & Originals): Promise<ZipArchives> => {
  const folder = join(dataFolder, 'downloads')
  await mkdir(folder, { recursive: true })

  const stream = (entries: readonly ZipEntry[]): Readable => {
    const zip = new yazl.ZipFile()
    const out = new PassThrough({ highWaterMark: CHUNK_BYTES })
    zip.on('error', (error: Error) => out.destroy(error))
    zip.outputStream.pipe(out)
    addEntries(zip, out, entries, originals).catch((error: Error) => out.destroy(error))
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
