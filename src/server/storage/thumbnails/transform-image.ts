import sharp, { type Region } from 'sharp'
import { Refusal } from '#server/core/refusal.ts'
import { decodeMemory, type FileHeader, turnedBytesOf } from '#server/processes/decode-memory.ts'
import { openWithSharp } from '#server/processes/open-with-sharp.ts'

/** How the decoder opens the file. */
type Source = Parameters<typeof openWithSharp>[1]

/** Pixels are visible if not transparent, or, without alpha, not black. As in InvokeAI, none means all of them. */
const visibleBox = async (
  path: string,
  source: Source,
  { hasAlpha }: FileHeader,
): Promise<Region> => {
  const upright = (await openWithSharp(path, source)).autoOrient()
  const { data, info } = await (hasAlpha ? upright.extractChannel('alpha') : upright.removeAlpha())
    .toColourspace(hasAlpha ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // Without `lineArt`, a single visible pixel would count as noise.
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

/** Copies in memory during the search for the visible box: channels, trimmed ones, and a comparison. */
const SEARCHED_COPIES = 2.6

/** Estimates the memory of a change, in bytes. */
export const transformMemory = (
  header: FileHeader,
  { cropVisible }: { cropVisible: boolean },
): number => {
  const channels = header.hasAlpha ? 1 : 3
  return decodeMemory(header, cropVisible ? SEARCHED_COPIES * channels + turnedBytesOf(header) : 0)
}

/**
 * Crops or resizes an image to a PNG with the same text chunks, EXIF and color profile.
 *
 * @throws {Refusal} `crop_failed`, `resize_failed`.
 */
export const transformImage = async (
  path: string,
  source: Source,
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
