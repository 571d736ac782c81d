import sharp from 'sharp'
import { Refusal } from '#server/core/refusal.ts'
import { decodeMemory, type FileHeader, turnedBytesOf } from '#server/processes/decode-memory.ts'
import { openWithSharp } from '#server/processes/open-with-sharp.ts'
import type { decoding } from './pixels.ts'

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/**
 * The box around all that is visible: not transparent, or, where there is no alpha, not black. Nothing
 * visible: the whole picture, as InvokeAI does it.
 */
const visibleBox = async (
  path: string,
  source: ReturnType<typeof decoding>,
  { hasAlpha }: FileHeader,
): Promise<Box> => {
  const upright = (await openWithSharp(path, source)).autoOrient()
  const { data, info } = await (hasAlpha ? upright.extractChannel('alpha') : upright.removeAlpha())
    .toColourspace(hasAlpha ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // `lineArt`, or a single visible pixel would count as noise.
  const { info: trimmed } = await sharp(data, { raw: { width, height, channels } })
    .trim({ background: '#000', threshold: 0, lineArt: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    left: -(trimmed.trimOffsetLeft ?? 0),
    top: -(trimmed.trimOffsetTop ?? 0),
    width: trimmed.width,
    height: trimmed.height,
  }
}

/** The search for the visible box holds the channels that it looks at, the trimmed ones, and more while it compares. */
const SEARCHED_COPIES = 2.6

/** The memory that `transformImage` takes, in bytes. */
export const transformMemory = (
  header: FileHeader,
  { cropVisible }: { cropVisible: boolean },
): number => {
  const channels = header.hasAlpha ? 1 : 3
  return decodeMemory(header, cropVisible ? SEARCHED_COPIES * channels + turnedBytesOf(header) : 0)
}

/**
 * Re-encodes as PNG, cropped to what is visible or resized (wire 2.2). Text chunks, EXIF and colour
 * profile are carried over.
 *
 * @throws {Refusal} `crop_failed`, `resize_failed`.
 */
export const transformImage = async (
  path: string,
  source: ReturnType<typeof decoding>,
  header: FileHeader,
  change: { cropVisible: boolean; resizeTo: { width: number; height: number } | null },
): Promise<Buffer> => {
  let pipeline = (await openWithSharp(path, source)).autoOrient()
  if (change.cropVisible) {
    const box = await visibleBox(path, source, header).catch((cause: unknown) => {
      throw new Refusal('crop_failed', undefined, { cause })
    })
    pipeline = pipeline.extract(box)
  }
  if (change.resizeTo !== null) pipeline = pipeline.resize({ ...change.resizeTo, fit: 'fill' })
  return pipeline
    .keepMetadata()
    .png({ compressionLevel: 3 })
    .toBuffer()
    .catch((cause: unknown) => {
      throw new Refusal(change.resizeTo === null ? 'crop_failed' : 'resize_failed', undefined, {
        cause,
      })
    })
}
