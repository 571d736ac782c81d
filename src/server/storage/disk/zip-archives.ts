import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ImageFiles, ZipArchives, ZipEntry } from '#server/core/intake/file-ports.ts'
import { ignoreMissing, systemCode, writeFailure } from './system-errors.ts'

const CHUNK_BYTES = 256 * 1024

/** A plain file name, as the download service generates them. */
const plainZipName = /^[\p{L}\p{N} _-]{1,400}\.zip$/u

/** The file in a zip that lists the missing images. */
const LEFT_OUT_NAME = 'Not included.txt'

interface Originals {
  files: Pick<ImageFiles, 'read'>
  check: Pick<OriginalCheck, 'stateOf'>
}

/** Adds the files one after the other: only one is open at a time, so that memory use stays constant. */
const addEntries = async (
  zip: yazl.ZipFile,
  out: Readable,
  entries: readonly ZipEntry[],
  { files, check }: Originals,
): Promise<void> => {
  const leftOut: string[] = []
  for (const { image, entryName } of entries) {
    if (out.destroyed) return
    // An unreadable file counts as damaged, so that the remaining files still get into the zip.
    const state = await check.stateOf(image).catch(() => 'damaged' as const)
    const file = state === 'whole' ? await files.read(image.image_name) : null
    if (file === null) {
      leftOut.push(`${entryName}: the file is ${state === 'damaged' ? state : 'missing'}.`)
      continue
    }
    const { bytes: size, content } = file
    if (out.destroyed) {
      content.destroy()
      return
    }
    // If the reader disconnects, the half-read file must still be closed.
    const hangUp = () => content.destroy()
    out.once('close', hangUp)
    const mtime = new Date(file.modifiedAt)
    zip.addReadStream(content, entryName, { size, mtime, compress: false })
    await finished(content).catch((error: unknown) => {
      if (!out.destroyed) throw error
    })
    out.off('close', hangUp)
  }
  if (leftOut.length > 0) {
    const intro = ['These images could not be included.', 'Restore them from a backup.', '']
    const text = [...intro, ...leftOut, ''].join('\r\n')
    zip.addBuffer(Buffer.from(text), freeName(entries), { compress: false })
  }
  zip.end()
}

const freeName = (entries: readonly ZipEntry[]): string => {
  const taken = new Set(entries.map(({ entryName }) => entryName.toLowerCase()))
  let name = LEFT_OUT_NAME
  for (let number = 2; taken.has(name.toLowerCase()); number++)
    name = `Not included (${number}).txt`
  return name
}

/** Opens the zip files of a data folder. Zips that wait for their download are in `downloads/`. */
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
