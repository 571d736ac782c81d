import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Metadata } from 'sharp'
import { metadataOf } from './image-head.ts'

/** A decoder in a thread, with the header of its file. */
interface Decoder {
  width: number
  height: number
  /** Returns a PNG of the first frame. */
  render(): Promise<Buffer>
}

/** Time for one file. The largest accepted files take about ten seconds on a slow processor. */
const MAX_MS = 120_000

const CODESTREAM = Buffer.from('ff0a', 'hex')
const CONTAINER = Buffer.from('0000000c4a584c200d0a870a', 'hex')

/** True for the first bytes of a codestream or of a container. */
export const isJxlHead = (head: Buffer): boolean =>
  head.subarray(0, 2).equals(CODESTREAM) || head.subarray(0, 12).equals(CONTAINER)

/** Opens a decoder while `use` runs. @throws {Error} if the file is damaged. */
const withDecoder = async <T>(
  path: string,
  use: (decoder: Decoder) => T | Promise<T>,
): Promise<T> => {
  await using file = await open(path, 'r')
  const url = new URL(`./jxl-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(url, { workerData: { fd: file.fd }, execArgv: [] })
  const next = async () => (await once(worker, 'message', { signal }))[0]
  const signal = AbortSignal.timeout(MAX_MS)
  try {
    const { width, height } = await next()
    const render = async (): Promise<Buffer> => {
      worker.postMessage('render')
      return Buffer.from(await next())
    }
    return await use({ width, height, render })
  } finally {
    await worker.terminate()
  }
}

/** Returns the header of a JPEG XL file in the form of sharp's metadata. */
export const readJxlMetadata = (path: string): Promise<Metadata> =>
  withDecoder(path, (size) => metadataOf('jxl', { ...size, channels: 4 }))

/**
 * Decodes the first frame of a JPEG XL file to a PNG. The decoder turns it upright and converts its colors to sRGB.
 *
 * @throws {Error} if the file is damaged or has more than `maxPixels`.
 */
export const decodeJxl = (path: string, maxPixels: number): Promise<Buffer> =>
  withDecoder(path, ({ width, height, render }) => {
    if (width * height > maxPixels) throw new Error('The JPEG XL file has too many pixels.')
    return render()
  })
