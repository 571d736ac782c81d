import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import type { OriginalCheck } from '#server/core/images/original-check.ts'
import type {
  Downloads,
  ImageFiles,
  ZipArchives,
  ZipEntry,
} from '#server/core/intake/file-ports.ts'
import { openDownloadFolder } from './download-folder.ts'

const CHUNK_BYTES = 256 * 1024

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
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  { files, check }: Originals,
): Promise<void> => {
  const leftOut: string[] = []
  const taken = new Set<string>()
  for await (const { image, entryName, content: given } of entries) {
    if (out.destroyed) return
    taken.add(entryName.toLowerCase())
    if (given instanceof Uint8Array) {
      await addBytes(zip, out, entryName, given)
      continue
    }
    if (given !== undefined) {
      leftOut.push(`${entryName}: ${given.leftOut}`)
      continue
    }
    // An unreadable file counts as damaged, so that the remaining files still get into the zip.
    const state = await check.stateOf(image).catch(() => 'damaged' as const)
    const file = state === 'whole' ? await files.read(image.image_name) : null
    if (file === null) {
      leftOut.push(`${entryName}: The file is ${state === 'damaged' ? state : 'missing'}.`)
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
    const intro = [
      'These images could not be included.',
      'Restore damaged or missing files from a backup.',
      '',
    ]
    const text = [...intro, ...leftOut, ''].join('\r\n')
    zip.addBuffer(Buffer.from(text), freeName(taken), { compress: false })
  }
  zip.end()
}

/** Adds a file and waits until it is sent, so that few of them are in memory. */
const addBytes = async (
  zip: yazl.ZipFile,
  out: Readable,
  entryName: string,
  bytes: Uint8Array,
): Promise<void> => {
  const content = Readable.from([bytes], { objectMode: false })
  const hangUp = () => content.destroy()
  out.once('close', hangUp)
  zip.addReadStream(content, entryName, { size: bytes.length, compress: false })
  await finished(content).catch((error: unknown) => {
    if (!out.destroyed) throw error
  })
  out.off('close', hangUp)
}

const freeName = (taken: ReadonlySet<string>): string => {
  let name = LEFT_OUT_NAME
  for (let number = 2; taken.has(name.toLowerCase()); number++)
    name = `Not included (${number}).txt`
  return name
}

/** Opens the zips of a library. Finished ones wait for their download in the data folder, or in another store. */
export const openZipArchives = async ({
  dataFolder,
  downloads,
  ...originals
}: {
  dataFolder: string
  downloads?: Downloads | undefined
} & Originals): Promise<ZipArchives> => {
  const store = downloads ?? (await openDownloadFolder(dataFolder))

  const stream = (entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): Readable => {
    const zip = new yazl.ZipFile()
    const out = new PassThrough({ highWaterMark: CHUNK_BYTES })
    zip.on('error', (error: Error) => out.destroy(error))
    zip.outputStream.pipe(out)
    addEntries(zip, out, entries, originals).catch((error: Error) => out.destroy(error))
    return out
  }

  return {
    stream,
    write: (zipName, entries, signal) => store.write(zipName, stream(entries), signal),
    take: (zipName) => store.take(zipName),
    sweep: () => store.sweep(),
  }
}
